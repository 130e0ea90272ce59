#include "constraint/lex/lexeme_reach.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tenon::constraint {

namespace {

// The states after one sequence of ended lexemes.
struct Behind {
  std::vector<bool> seen;  // [DfaStateId] with no guard alive
  std::vector<DfaStateId> states;
  std::set<std::pair<DfaStateId, Guards>> guarded;
  std::vector<std::pair<DfaStateId, Guards>> work;

  void GoTo(DfaStateId q, const Guards& guards) {
    if (guards.empty()) {
      if (seen[q.value]) return;
      seen[q.value] = true;
      states.push_back(q);
    } else if (!guarded.emplace(q, guards).second) {
      return;
    }
    work.emplace_back(q, guards);
  }
};

}  // namespace

LexemeReach FindLexemeReach(const Lexer& lexer, DfaStateId q, const Guards& guards, bool emitted,
                            TopModes modes) {
  using Sequence = LexemeReach::Sequence;
  LexemeReach reach;
  std::map<Sequence, Behind> behind;  // of every sequence met: those that come later are longer
  auto at = [&](const Sequence& sequence) -> Behind& {
    auto [found, fresh] = behind.try_emplace(sequence);
    if (fresh) found->second.seen.resize(lexer.state_count());
    return found->second;
  };
  at({}).GoTo(q, guards);
  Lexer::Steps steps;
  for (size_t length = 0; length <= kMaxUnseparated; ++length) {
    std::vector<Sequence> of_length;
    for (const auto& [sequence, unused] : behind) {
      if (sequence.size() == length) of_length.push_back(sequence);
    }
    for (const Sequence& sequence : of_length) {
      Behind& here = behind.at(sequence);
      std::set<LexemeId> ended;
      TopModes in = modes;
      for (LexemeId lexeme : sequence) in.Apply(lexer.lexeme(lexeme).action);
      while (!here.work.empty()) {
        auto [state, alive] = here.work.back();
        here.work.pop_back();
        LexemeId lexeme = lexer.LexemeAt(state);
        bool ends = lexeme != kNoLexeme && lexer.lexeme(lexeme).kind != TerminalKind::kPoison;
        bool separable = ends && lexer.IsSeparable(state, alive, emitted);
        if (separable) ended.insert(lexeme);
        bool may_end = ends && !separable && length < kMaxUnseparated;
        if (alive.empty() && !may_end) {
          for (DfaStateId to : lexer.Successors(state, emitted)) here.GoTo(to, Guards{});
          continue;
        }
        TopModes then = in;
        if (ends) then.Apply(lexer.lexeme(lexeme).action);
        may_end = may_end && (!lexer.has_modes() || !then.empty());
        DfaStateId begin = lexer.has_modes() && may_end ? lexer.StartOf(then.top()) : kStartState;
        for (int b = 0; b < 256; ++b) {
          int n = lexer.Advance(state, alive, static_cast<uint8_t>(b), emitted, steps, begin);
          for (int i = 0; i < n; ++i) {
            if (steps[i].ended == kNoLexeme) {
              here.GoTo(steps[i].q, steps[i].guards);
            } else if (may_end) {
              Sequence longer = sequence;
              longer.push_back(steps[i].ended);
              at(longer).GoTo(steps[i].q, steps[i].guards);
            }
          }
        }
      }
      for (LexemeId lexeme : ended) {
        reach.ended.push_back(sequence);
        reach.ended.back().push_back(lexeme);
      }
    }
  }
  std::sort(reach.ended.begin(), reach.ended.end());
  std::map<std::vector<DfaStateId>, uint32_t> set_ids;
  for (auto& [sequence, found] : behind) {
    LexemeReach::Group& group = reach.groups.emplace_back();
    group.before = sequence;
    group.guarded.assign(found.guarded.begin(), found.guarded.end());
    if (sequence.empty()) {
      if (guards.empty())
        found.states.erase(found.states.begin());  // the state asked about came first
      else
        std::erase(group.guarded, std::pair(q, guards));
    }
    std::sort(found.states.begin(), found.states.end());
    auto [id, fresh] = set_ids.try_emplace(std::move(found.states),
                                           static_cast<uint32_t>(reach.state_sets.size()));
    if (fresh) reach.state_sets.push_back(id->first);
    group.states = id->second;
  }
  return reach;
}

std::shared_ptr<const LexemeReach> LexemeReaches::Of(DfaStateId q, const Guards& guards,
                                                     bool emitted, TopModes modes) const {
  const Key key{guards, q, emitted, modes};
  {
    std::lock_guard lock(mutex_);
    if (auto at = known_.find(key); at != known_.end()) return at->second;
  }
  auto found =
      std::make_shared<const LexemeReach>(FindLexemeReach(lexer_, q, guards, emitted, modes));
  size_t states = 0;
  for (const std::vector<DfaStateId>& set : found->state_sets) states += set.size();
  for (const LexemeReach::Group& group : found->groups) states += 8 + 8 * group.guarded.size();
  std::lock_guard lock(mutex_);
  if (kept_states_ + states > kMaxKeptStates) {
    known_.clear();
    kept_states_ = 0;
  }
  if (known_.try_emplace(key, found).second) kept_states_ += states;
  return found;
}

}  // namespace tenon::constraint
