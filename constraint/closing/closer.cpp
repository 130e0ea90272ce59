#include "constraint/closing/closer.h"

#include <algorithm>

#include "constraint/closing/closing_search.h"

namespace tenon::constraint {

namespace {
constexpr size_t kMaxNamesTried = 8;  // that a name in progress may become
}  // namespace

Closer::Closer(const GapState& gap, const std::stop_token& stop)
    : gap_(gap.shared()), stop_(stop), layout_(*gap_) {}

Planner& Closer::PlannerFor(PredicateBits wanted) {
  return planners_.try_emplace(wanted, *gap_, stop_, wanted).first->second;
}

const LexemePaths& Closer::PathsOf(const Branch& branch) {
  const ModeStackId modes = branch.context.modes;
  auto [at, fresh] = paths_.try_emplace(gap_->KeyOf(branch.q, branch.guards, modes), nullptr);
  if (fresh) {
    at->second = std::make_unique<LexemePaths>(
        FindLexemePaths(*gap_, modes, branch.q, branch.guards, kMaxUnseparated));
  }
  return *at->second;
}

template <typename Visit>
void Closer::ForEachPlan(const std::vector<Branch>& branches, PredicateBits wanted, Visit visit) {
  Planner& planner = PlannerFor(wanted);
  auto plan_from = [&](const Between& at, const std::string& text) {
    for (GapEntry entry : {kEntryWithinLine, kEntryLine, kEntryLexeme}) {
      if (auto plan = planner.Find(at.top, at.context.line_ends.ends_phrase, entry))
        visit(text, *plan);
    }
  };
  for (const Branch& branch : branches) {
    Between here{branch.top, branch.context};
    if (branch.q == kStartState) {
      plan_from(here, "");
      continue;
    }
    for (const auto& [lexemes, text] : PathsOf(branch).ended) {
      bool emitted = branch.emitted || (gap_->policy().emit && !text.empty());
      const NameText ended = lexemes.size() == 1
                                 ? gap_->mover().Whole(lexemes[0], text, branch.text)
                                 : NameText{NameText::Known::kBeginning, branch.text};
      for (const Between& at : gap_->EndAll({here}, lexemes, emitted, ended)) {
        if (gap_->Joins(at)) plan_from(at, text);
      }
    }
  }
}

std::vector<Closer::Candidate> Closer::Candidates(const GapState& state, PredicateBits wanted) {
  std::vector<Candidate> candidates;
  ForEachPlan(state.branches(), wanted, [&](const std::string& text, const Plan& plan) {
    candidates.push_back({static_cast<uint32_t>(text.size()) + plan.cost, text, plan});
  });
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.cost < b.cost; });
  return candidates;
}

std::optional<Closing> Closer::Find(const GapState& state, uint32_t enough) {
  if (!state.viable() || stop_.stop_requested()) return std::nullopt;
  Contexts contexts;
  auto closing = FindFor(state, enough, contexts);
  if (!closing || !gap_->policy().emit || gap_->contexts() == 0) return closing;
  GapState closed = state;
  if ((!closing->text.empty() && !closed.Accept(closing->text)) || closed.MemberInContext())
    return closing;
  // A construct for one word may take another word's: each search may tell of more predicates.
  std::optional<Closing> in_context;
  contexts.missed = closed.MissedContexts();
  const PredicateBits first = contexts.missed;
  if (out_of_reach_.contains(first)) return closing;
  while (!in_context && (contexts.missed & ~contexts.wanted) != 0) {
    contexts.wanted |= contexts.missed;
    in_context = FindFor(state, enough, contexts);
  }
  if (!in_context && !stop_.stop_requested()) out_of_reach_.insert(first);
  return in_context && in_context->tokens <= enough ? in_context : closing;
}

std::optional<Closing> Closer::FindByPlans(const GapState& state, uint32_t enough,
                                           Contexts& contexts) {
  return ClosingSearch(state, *this, contexts).Run(enough);
}

std::optional<Closing> Closer::FindFor(const GapState& state, uint32_t enough, Contexts& contexts) {
  // After a text that finishes a name in progress, as paths of lexemes know no names, or after a
  // word.
  const auto finished = [&](const std::string& rest) -> std::optional<Closing> {
    GapState named = state;
    if (rest.empty() || !named.Accept(rest)) return std::nullopt;
    auto closing = FindByPlans(named, enough, contexts);
    if (closing) *closing = {rest + closing->text, state.CountTokens(rest + closing->text)};
    return closing;
  };
  const Language& language = gap_->language();
  const std::vector<Branch>& branches = state.branches();
  if (branches.size() == 1) {
    const std::string rest = language.lexeme_rules->NameRest(branches[0].q, branches[0].progress);
    if (auto closing = finished(rest)) return closing;
  }
  auto closing = FindByPlans(state, enough, contexts);
  if (closing || !language.names) return closing;
  const NameArena& names = gap_->mover().names();
  for (const Branch& branch : branches) {
    if (branch.text == TextId{}) continue;
    std::vector<std::string> rests =
        language.names->Rests(names, branch.context.names, branch.text, kMaxNamesTried);
    const std::string begun = names.Text(branch.text);
    for (const std::string& name : gap_->asked_names()) {
      if (name.starts_with(begun)) rests.push_back(name.substr(begun.size()));
    }
    for (const std::string& rest : rests) {
      if ((closing = finished(rest))) return closing;
    }
  }
  for (const std::string& word :
       ClosingSearch(state, *this, contexts).WordsBeforeAskedName(WrittenWords())) {
    if ((closing = finished(word)) || stop_.stop_requested()) return closing;
  }
  return std::nullopt;
}

std::span<const std::string> Closer::WrittenWords() {
  if (!written_words_.empty()) return written_words_;
  const Language& language = gap_->language();
  for (const LrTerminal& terminal : language.grammar.lr_terminals) {
    const std::string& word = language.lexer.Spelling(terminal.terminal);
    if (!word.empty()) written_words_.push_back(word);
  }
  std::sort(written_words_.begin(), written_words_.end(),
            [](const std::string& a, const std::string& b) {
              return std::pair(a.size(), a) < std::pair(b.size(), b);
            });
  written_words_.erase(std::unique(written_words_.begin(), written_words_.end()),
                       written_words_.end());
  return written_words_;
}

std::optional<uint32_t> Closer::Cost(const GapState& state) {
  if (!state.viable()) return std::nullopt;
  std::optional<uint32_t> best;
  auto offer = [&](uint32_t cost) { best = std::min(best.value_or(cost), cost); };
  for (const Branch& branch : state.branches()) {
    if (gap_->Member(branch)) return 0;
    if (branch.q == kStartState) continue;
    for (const LexemePaths::Landing& landing : PathsOf(branch).landings) {
      if (best && landing.text.size() >= *best) continue;
      if (gap_->LandsAsMember(branch, landing.lexeme, landing.offset, !landing.text.empty()))
        offer(static_cast<uint32_t>(landing.text.size()));
    }
  }
  ForEachPlan(state.branches(), 0, [&](const std::string& text, const Plan& plan) {
    offer(static_cast<uint32_t>(text.size()) + plan.cost + 1);
  });
  return best;
}

std::optional<Closing> FindClosing(const GapState& state, uint32_t enough) {
  if (!state.viable()) return std::nullopt;
  return Closer(state).Find(state, enough);
}

std::optional<uint32_t> ClosingCost(const GapState& state) {
  if (!state.viable()) return std::nullopt;
  return Closer(state).Cost(state);
}

}  // namespace tenon::constraint
