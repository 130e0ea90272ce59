#include "constraint/gap/gap_state.h"

#include <algorithm>
#include <set>

#include "constraint/base/base.h"
#include "constraint/gap/shared_gap.h"

namespace tenon::constraint {

GapState::GapState(std::shared_ptr<SharedGap> shared, GapBranches opened)
    : shared_(std::move(shared)) {
  const Lexer& lexer = shared_->language().lexer;
  for (Branch& branch : opened.branches) branch.context.origin = OriginAtGap(lexer, branch.q);
  Adopt(std::make_shared<GapBranches>(std::move(opened)));
}

void GapState::Adopt(std::shared_ptr<GapBranches> branches) {
  const NoteScope given_up(shared_->mover().given_up());
  branches->viable = shared_->AnyViable(branches->branches);
  branches->too_ambiguous |= given_up.notes().any;
  branches_ = std::move(branches);
}

const std::string& GapState::line_end() const { return shared_->line_end(); }

const std::vector<Branch>& GapState::branches() const { return branches_->branches; }

bool GapState::scoped() const {
  return std::any_of(
      branches_->branches.begin(), branches_->branches.end(),
      [](const Branch& branch) { return branch.context.scope.scope != Scope::kFree; });
}

GapState GapState::WithScope(Scope scope) const {
  const Language& language = shared_->language();
  auto scoped = std::make_shared<GapBranches>(*branches_);
  for (Branch& branch : scoped->branches) {
    LexemeId in_progress = branch.q == kStartState ? kNoLexeme : language.lexer.LexemeAt(branch.q);
    branch.context.scope = language.scopes->Begin(scope, branch.context.layout, in_progress,
                                                  shared_->mover().indents());
  }
  GapState state = *this;
  state.Adopt(std::move(scoped));
  return state;
}

bool GapState::too_ambiguous() const { return branches_->too_ambiguous; }

bool GapState::right_too_long() const { return shared_->automaton().truncated(); }

bool GapState::viable() const { return branches_->viable; }

std::shared_ptr<GapBranches> GapState::After(std::string_view bytes) const {
  auto next = std::make_shared<GapBranches>(*branches_);
  const NoteScope given_up(shared_->mover().given_up());
  for (char c : bytes) {
    next->branches =
        shared_->mover().Read(next->branches, static_cast<uint8_t>(c), shared_->policy().emit);
    if (next->branches.empty()) break;
  }
  next->too_ambiguous |= given_up.notes().any;
  return next;
}

bool GapState::Check(std::string_view bytes) const {
  Trial trial(*shared_);
  auto next = After(bytes);
  return shared_->AnyViable(next->branches);
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
  const EncodingRules& rules = *shared_->language().encoding;
  const auto now = rules.Find({*undecided_left_, middle_, shared_->right()});
  if (!shared_->policy().emit) return !now || now->sound();
  return EncodingRules::Keeps(rules.Find({*undecided_left_, shared_->right()}), now);
}

bool GapState::Member() const {
  return KeepsEncoding() &&
         std::any_of(branches_->branches.begin(), branches_->branches.end(),
                     [&](const Branch& branch) { return shared_->Member(branch); });
}

bool GapState::MemberInContext() const {
  return KeepsEncoding() && std::any_of(branches_->branches.begin(), branches_->branches.end(),
                                        [&](const Branch& branch) {
                                          return shared_->Member(branch, shared_->contexts());
                                        });
}

PredicateBits GapState::MissedContexts() const {
  for (const Branch& branch : branches_->branches) {
    if (!shared_->Member(branch)) continue;
    const NoteScope refused(shared_->mover().refused());
    if (shared_->Member(branch, shared_->contexts())) return 0;
    return refused.notes().bits & shared_->contexts();
  }
  return 0;
}

std::vector<std::string> GapState::Expected() const {
  std::set<std::string> names;
  const Grammar& grammar = shared_->language().grammar;
  const Lexer& lexer = shared_->language().lexer;
  bool emit = shared_->policy().emit;
  auto add = [&](const Between& from, LexemeId id, bool emitted, NameText text) {
    const Lexeme& lexeme = lexer.lexeme(id);
    if (lexeme.kind != TerminalKind::kParsed) return;
    std::vector<Between> ended = shared_->mover().End(from, id, emitted, text);
    if (std::any_of(ended.begin(), ended.end(),
                    [&](const Between& at) { return shared_->Joins(at); })) {
      for (TerminalId t : lexeme.terminals) names.insert(grammar.terminals[t.value].name);
    }
  };
  for (const Branch& branch : branches_->branches) {
    Between here{branch.top, branch.context};
    LexemeId at = branch.q == kStartState ? kNoLexeme : lexer.LexemeAt(branch.q);
    bool open = branch.q != kStartState &&
                (at == kNoLexeme || lexer.lexeme(at).kind != TerminalKind::kIgnored);
    if (open) {
      for (const LexemeReach::Sequence& way :
           shared_->ContinuationsOf(branch.q, branch.guards, branch.context.modes).reach->ended) {
        add(here, way[0], branch.emitted || (emit && way[0] != at),
            {NameText::Known::kBeginning, branch.text});
      }
    } else {
      for (uint16_t id = 0; id < lexer.lexeme_count(); ++id) add(here, LexemeId{id}, emit, {});
    }
  }
  return {names.begin(), names.end()};
}

uint32_t GapState::CountTokens(std::string_view text) const {
  const TokenCount& count = shared_->policy().count;
  return count && !text.empty() ? count(text) : static_cast<uint32_t>(text.size());
}

}  // namespace tenon::constraint
