#include "constraint/gap/gap_state.h"

#include <algorithm>
#include <set>

#include "constraint/gap/closing.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/gap/session.h"

namespace tenon::constraint {

namespace {
constexpr size_t kMostNamesTried = 8;
}

GapState GapState::Open(std::shared_ptr<const Language> language, std::string_view left, std::string_view right,
                        GapPolicy policy) {
  return *GapCache(std::move(language), GapCache::Use::kOnce).Open(left, right, policy, std::stop_token());
}

GapState::GapState(std::shared_ptr<GapSession> session, GapBranches opened) : session_(std::move(session)) {
  const Lexer& lexer = session_->language().lexer;
  for (Branch& branch : opened.branches) {
    if (branch.q == kStartState || !lexer.forbids()) continue;
    LexemeId here = lexer.LexemeAt(branch.q);
    branch.layout.begun_given =
        here == kNoLexeme || lexer.lexeme(here).kind != TerminalKind::kIgnored || lexer.lexeme(here).not_within != 0;
  }
  Adopt(std::make_shared<GapBranches>(std::move(opened)));
}

void GapState::Adopt(std::shared_ptr<GapBranches> branches) {
  const size_t given_up = session_->mover().given_up();
  branches->viable = std::any_of(branches->branches.begin(), branches->branches.end(),
                                 [&](const Branch& branch) { return session_->Viable(branch); });
  branches->too_ambiguous |= session_->mover().given_up() > given_up;
  branches_ = std::move(branches);
}

const std::string& GapState::line_end() const { return session_->line_end(); }

const std::vector<Branch>& GapState::branches() const { return branches_->branches; }

bool GapState::scoped() const {
  return std::any_of(branches_->branches.begin(), branches_->branches.end(),
                     [](const Branch& branch) { return branch.layout.scope.scope != Scope::kFree; });
}

GapState GapState::WithScope(Scope scope) const {
  const Language& language = session_->language();
  auto scoped = std::make_shared<GapBranches>(*branches_);
  for (Branch& branch : scoped->branches) {
    LexemeId in_progress = branch.q == kStartState ? kNoLexeme : language.lexer.LexemeAt(branch.q);
    branch.layout.scope = language.scopes->Begin(scope, branch.layout, in_progress, session_->mover().indents());
  }
  GapState state = *this;
  state.Adopt(std::move(scoped));
  return state;
}

bool GapState::too_ambiguous() const { return branches_->too_ambiguous; }

bool GapState::right_too_long() const { return session_->automaton().truncated(); }

bool GapState::viable() const { return branches_->viable; }

std::shared_ptr<GapBranches> GapState::After(std::string_view bytes) const {
  auto next = std::make_shared<GapBranches>(*branches_);
  const size_t given_up = session_->mover().given_up();
  for (char c : bytes) {
    next->branches = session_->mover().Read(next->branches, static_cast<uint8_t>(c), session_->policy().emit);
    if (next->branches.empty()) break;
  }
  next->too_ambiguous |= session_->mover().given_up() > given_up;
  return next;
}

bool GapState::Check(std::string_view bytes) const {
  Trial trial(*session_);
  auto next = After(bytes);
  return std::any_of(next->branches.begin(), next->branches.end(),
                     [&](const Branch& branch) { return session_->Viable(branch); });
}

bool GapState::Accept(std::string_view bytes) {
  GapState next = *this;
  next.Adopt(After(bytes));
  if (!next.viable()) return false;
  next.middle_ += bytes;
  *this = std::move(next);
  return true;
}

bool GapState::KeepsEncoding() const {
  if (!undecided_left_) return true;
  const EncodingRules& rules = *session_->language().encoding;
  const auto now = rules.Find({*undecided_left_, middle_, session_->right()});
  if (!session_->policy().emit) return !now || now->sound();
  return EncodingRules::Keeps(rules.Find({*undecided_left_, session_->right()}), now);
}

bool GapState::Member() const {
  return KeepsEncoding() && std::any_of(branches_->branches.begin(), branches_->branches.end(),
                                        [&](const Branch& branch) { return session_->Member(branch); });
}

std::vector<std::string> GapState::Expected() const {
  std::set<std::string> names;
  const Grammar& grammar = session_->language().grammar;
  const Lexer& lexer = session_->language().lexer;
  bool emit = session_->policy().emit;
  auto add = [&](const Between& from, LexemeId id, bool emitted, NameText text) {
    const Lexeme& lexeme = lexer.lexeme(id);
    if (lexeme.kind != TerminalKind::kParsed) return;
    std::vector<Between> ended = session_->mover().End(from, id, emitted, text);
    if (std::any_of(ended.begin(), ended.end(), [&](const Between& at) { return session_->Joins(at); })) {
      for (TerminalId t : lexeme.terminals) names.insert(grammar.terminals[t.value].name);
    }
  };
  for (const Branch& branch : branches_->branches) {
    Between here{branch.top, branch.layout};
    LexemeId at = branch.q == kStartState ? kNoLexeme : lexer.LexemeAt(branch.q);
    bool open = branch.q != kStartState && (at == kNoLexeme || lexer.lexeme(at).kind != TerminalKind::kIgnored);
    if (open) {
      for (const LexemeReach::Sequence& way :
           session_->ContinuationsOf(branch.q, branch.guards, branch.layout.modes).reach->ended) {
        add(here, way[0], branch.emitted || (emit && way[0] != at), {NameText::Known::kBeginning, branch.text});
      }
    } else {
      for (uint16_t id = 0; id < lexer.lexeme_count(); ++id) add(here, LexemeId{id}, emit, {});
    }
  }
  return {names.begin(), names.end()};
}

std::optional<Closing> GapState::Close(uint32_t enough) const {
  if (!viable()) return std::nullopt;
  // What may finish a name in progress: paths of lexemes know no names.
  const auto finished = [&](const std::string& rest) -> std::optional<Closing> {
    GapState named = *this;
    if (rest.empty() || !named.Accept(rest)) return std::nullopt;
    auto closing = FindClosing(named, *session_, named.branches(), enough);
    if (closing) *closing = {rest + closing->text, CountTokens(rest + closing->text)};
    return closing;
  };
  const Language& language = session_->language();
  if (branches().size() == 1) {
    const std::string rest = language.lexeme_rules->NameRest(branches()[0].q, branches()[0].progress);
    if (auto closing = finished(rest)) return closing;
  }
  auto closing = FindClosing(*this, *session_, branches_->branches, enough);
  if (closing || !language.names) return closing;
  for (const Branch& branch : branches()) {
    if (branch.text == TextId{}) continue;
    for (const std::string& rest :
         language.names->Rests(session_->mover().names(), branch.layout.names, branch.text, kMostNamesTried)) {
      if ((closing = finished(rest))) return closing;
    }
  }
  return std::nullopt;
}

uint32_t GapState::CountTokens(std::string_view text) const {
  const TokenCount& count = session_->policy().count;
  return count && !text.empty() ? count(text) : static_cast<uint32_t>(text.size());
}

std::optional<uint32_t> GapState::ClosingCost() const {
  if (!viable()) return std::nullopt;
  return constraint::ClosingCost(*session_, branches_->branches);
}

}  // namespace tenon::constraint
