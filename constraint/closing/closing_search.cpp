#include "constraint/closing/closing_search.h"

#include <algorithm>
#include <limits>
#include <span>

namespace tenon::constraint {

namespace {
constexpr size_t kMaxCandidates = 64;  // plans tried
// Beginnings of the texts of a plan that declares names, besides some for each of its terminals. A
// plan that opens ten elements before a right context with ten closing tags has names for them in
// 10^10 ways.
constexpr size_t kMaxTries = 250;
constexpr size_t kTriesATerminal = 8;
}  // namespace

ClosingSearch::ClosingSearch(const GapState& state, Closer& closer, Closer::Contexts& contexts)
    : state_(state), closer_(closer), gap_(*closer.gap_), contexts_(contexts) {}

bool ClosingSearch::Closes(const GapState& state) {
  if (contexts_.wanted == 0) return state.Member();
  if (state.MemberInContext()) return true;
  contexts_.missed |= state.MissedContexts();
  return false;
}

std::optional<Closing> ClosingSearch::Run(uint32_t enough) {
  if (Closes(state_)) return Closing{};
  enough_ = enough;
  if (!GoOnIntoRight()) {
    FollowPlans();
    EndInAskedName();
  }
  return std::move(best_);
}

void ClosingSearch::EndInAskedName() {
  const NameArena& names = gap_.mover().names();
  for (const Branch& branch : state_.branches()) {
    const std::string begun = branch.text == TextId{} ? "" : names.Text(branch.text);
    for (const std::string& text : BeforeRestOfName(begun)) {
      auto closing = Verified(state_, "", text);
      if (!closing) continue;
      closing->tokens = state_.CountTokens(text);
      // As short as a plan's text, it is the better one: `Dia` and not ` Dia`.
      if (!best_ || closing->tokens <= best_->tokens) best_ = std::move(closing);
      return;
    }
  }
}

std::vector<std::string> ClosingSearch::WordsBeforeAskedName(
    std::span<const std::string> words) const {
  std::string_view right = gap_.right();
  right.remove_prefix(std::min(right.find_first_not_of(" \t\r\n"), right.size()));
  const std::vector<std::string>& names = gap_.asked_names();
  if (std::none_of(names.begin(), names.end(),
                   [&](const std::string& name) { return right.starts_with(name); }))
    return {};
  std::vector<std::string> pieces;
  for (const std::string& word : words)
    pieces.push_back((RunsTogether(state_, word) ? " " : "") + word);
  return pieces;
}

bool ClosingSearch::Offer(std::optional<Closing> found) {
  if (!found) return false;
  found->tokens = state_.CountTokens(found->text);
  if (!best_ || found->tokens < best_->tokens) best_ = std::move(found);
  return best_->tokens <= enough_;
}

bool ClosingSearch::GoOnIntoRight() {
  for (const Branch& branch : state_.branches()) {
    if (branch.q == kStartState) continue;
    for (const LexemePaths::Landing& landing : closer_.PathsOf(branch).landings) {
      if (Offer(Verified(state_, "", landing.text))) return true;
    }
  }
  return false;
}

void ClosingSearch::FollowPlans() {
  std::vector<Closer::Candidate> candidates = closer_.Candidates(state_, contexts_.wanted);
  if (candidates.size() > kMaxCandidates) candidates.resize(kMaxCandidates);
  for (const Closer::Candidate& candidate : candidates) {
    if (candidate.cost > gap_.policy().max_closing_bytes) break;
    GapState begun = state_;
    if (!candidate.text.empty() && !begun.Accept(candidate.text)) continue;
    if (Offer(RealisePlan(begun, candidate.text, candidate.plan))) return;
  }
}

// Names that R asks for are met one after the other, as R is read further. So the plan is written
// with short names, then with the names that are known, until none comes to them; then with any of
// them in any place.
std::optional<Closing> ClosingSearch::RealisePlan(const GapState& begun, const std::string& text,
                                                  const Plan& plan) {
  const bool declares = std::any_of(plan.terminals.begin(), plan.terminals.end(),
                                    [this](SymbolId terminal) { return DeclaresName(terminal); });
  const auto realise = [&](std::optional<size_t> names_in_order) {
    failed_.clear();
    tries_left_ = declares ? kMaxTries + kTriesATerminal * plan.terminals.size()
                           : std::numeric_limits<size_t>::max();
    names_in_order_ = names_in_order;
    return Realise(begun, text, plan, 0);
  };
  if (declares) {
    size_t known = 0;
    for (;;) {
      if (auto closing = realise(known)) return closing;
      if (known == gap_.asked_names().size()) break;
      known = gap_.asked_names().size();
    }
    if (known == 0) return std::nullopt;  // there is no other name to try
  }
  return realise(std::nullopt);
}

std::optional<Closing> ClosingSearch::Verified(const GapState& from, const std::string& so_far,
                                               const std::string& piece) {
  GapState next = from;
  if (!piece.empty() && !next.Accept(piece)) return std::nullopt;
  if (!Closes(next)) return std::nullopt;
  return Closing{so_far + piece};
}

std::optional<Closing> ClosingSearch::Realise(const GapState& state, const std::string& so_far,
                                              const Plan& plan, size_t at) {
  if (so_far.size() > gap_.policy().max_closing_bytes || tries_left_ == 0 ||
      closer_.stop_.stop_requested())
    return std::nullopt;
  --tries_left_;
  const std::pair place{at, state.branches()};
  if (const auto known = failed_.find(place);
      known != failed_.end() && known->second <= so_far.size())
    return std::nullopt;
  auto closing = RealiseAnew(state, so_far, plan, at);
  if (!closing) failed_[place] = so_far.size();
  return closing;
}

std::optional<Closing> ClosingSearch::RealiseAnew(const GapState& state, const std::string& so_far,
                                                  const Plan& plan, size_t at) {
  size_t rest = at;
  while (rest < plan.terminals.size() && closer_.layout_.IsLayoutTerminal(plan.terminals[rest]))
    ++rest;
  const bool last = rest == plan.terminals.size();
  if (last && plan.entry != kEntryLexeme) return Finish(state, so_far);
  const std::optional<LexicalContext> context = ContextOf(state);
  if (!context) return std::nullopt;
  const LayoutState& layout = context->layout;
  std::vector<std::string> leads{""};
  if (rest > at || layout.line_begin)
    leads = closer_.layout_.Before(layout, std::span(plan.terminals).subspan(at, rest - at));
  // After a line comment of L only a line end parts lexemes.
  if (!gap_.mover().layout().active() || layout.depth > 0) leads.push_back(gap_.line_end());
  std::span<const std::string> words = gap_.automaton().lexeme_beginnings(gap_.policy().seam);
  std::vector<std::string> chosen;
  if (!last) {
    chosen = Words(plan.terminals[rest], *context);
    if (const auto name = NameInOrder(plan, rest)) chosen = {*name};
    words = chosen;
  }
  const auto with = [&](const std::string& lead,
                        const std::string& word) -> std::optional<Closing> {
    const std::string piece = lead + (lead.empty() && RunsTogether(state, word) ? " " : "") + word;
    GapState next = state;
    if (!next.Accept(piece)) return std::nullopt;
    if (!last) return Realise(next, so_far + piece, plan, rest + 1);
    return Closes(next) ? std::optional(Closing{so_far + piece}) : std::nullopt;
  };
  for (const std::string& lead : leads) {
    for (const std::string& word : words) {
      if (auto closing = with(lead, word)) return closing;
    }
  }
  if (last) {
    for (const std::string& name : BeforeRestOfName("")) {
      for (const std::string& lead : leads) {
        if (auto closing = with(lead, name)) return closing;
      }
    }
    return std::nullopt;
  }
  if (names_in_order_ || !DeclaresName(plan.terminals[rest])) return std::nullopt;
  // R was refused for the name. More of its names may be met while these are tried.
  for (size_t i = 0; i < gap_.asked_names().size(); ++i) {
    const std::string name = gap_.asked_names()[i];
    for (const std::string& lead : leads) {
      if (auto closing = with(lead, name)) return closing;
    }
  }
  return std::nullopt;
}

std::optional<Closing> ClosingSearch::Finish(const GapState& state, const std::string& so_far) {
  std::vector<std::string> ends{"", " "};
  if (!gap_.mover().layout().active()) {
    ends.push_back(gap_.line_end());
  } else if (const auto context = ContextOf(state); context && context->layout.depth == 0) {
    const auto lines = closer_.layout_.BeforeRight(context->layout);
    ends.insert(ends.end(), lines.begin(), lines.end());
  }
  for (const std::string& comment : gap_.automaton().comment_beginnings(gap_.policy().seam)) {
    ends.push_back(comment);
    ends.push_back(" " + comment);
  }
  for (const std::string& end : ends) {
    if (auto closing = Verified(state, so_far, end)) return closing;
  }
  return std::nullopt;
}

std::optional<LexicalContext> ClosingSearch::ContextOf(const GapState& state) const {
  for (const Branch& branch : state.branches()) {
    if (branch.q == kStartState) return branch.context;
    const LexemeId here = gap_.language().lexer.LexemeAt(branch.q);
    if (here == kNoLexeme) continue;
    const std::vector<Between> ended = gap_.mover().End(
        {branch.top, branch.context}, here, branch.emitted, {NameText::Known::kWhole, branch.text});
    if (!ended.empty()) return ended[0].context;
  }
  return std::nullopt;
}

std::vector<std::string> ClosingSearch::Words(SymbolId terminal,
                                              const LexicalContext& context) const {
  const Language& language = gap_.language();
  const LrTerminal& lr_terminal = language.grammar.lr_terminals[terminal.value];
  std::vector<std::string> words;
  if (lr_terminal.name_use == NameUse::kIsEnclosing) {
    const NameArena& names = gap_.mover().names();
    if (const auto name = language.names->Enclosing(names, lr_terminal, context.names))
      words.push_back(names.Text(*name));
    return words;
  }
  const std::vector<SymbolId>& ends = gap_.mover().layout().line_ends().terminators(true);
  if (context.line_ends.ends_phrase && std::find(ends.begin(), ends.end(), terminal) != ends.end())
    words.push_back(gap_.line_end());
  const std::string& spelling = language.lexer.Spelling(lr_terminal.terminal);
  if (!spelling.empty()) words.push_back(spelling);
  return words;
}

bool ClosingSearch::DeclaresName(SymbolId terminal) const {
  return gap_.language().grammar.lr_terminals[terminal.value].name_use == NameUse::kDeclares;
}

// The innermost construct is named last, and R asks for its name first.
std::optional<std::string> ClosingSearch::NameInOrder(const Plan& plan, size_t at) const {
  if (!names_in_order_ || !DeclaresName(plan.terminals[at])) return std::nullopt;
  const auto further = static_cast<size_t>(
      std::count_if(plan.terminals.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    plan.terminals.end(), [this](SymbolId t) { return DeclaresName(t); }));
  const std::vector<std::string>& names = gap_.asked_names();
  return further < std::min(*names_in_order_, names.size()) ? std::optional(names[further])
                                                            : std::nullopt;
}

std::vector<std::string> ClosingSearch::BeforeRestOfName(const std::string& begun) const {
  std::vector<std::string> texts;
  for (const std::string& name : gap_.asked_names()) {
    if (!name.starts_with(begun)) continue;
    const std::string_view open = std::string_view(name).substr(begun.size());
    for (size_t rest = std::min(open.size(), gap_.right().size()); rest > 0; --rest) {
      if (rest < open.size() && open.ends_with(gap_.right().substr(0, rest)))
        texts.emplace_back(open.substr(0, open.size() - rest));
    }
  }
  return texts;
}

bool ClosingSearch::RunsTogether(const GapState& state, const std::string& word) const {
  return std::any_of(state.branches().begin(), state.branches().end(), [&](const Branch& branch) {
    return branch.q != kStartState &&
           gap_.language().lexer.Next(branch.q, static_cast<uint8_t>(word[0])) != kDeadState;
  });
}

}  // namespace tenon::constraint
