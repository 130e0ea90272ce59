#include "constraint/lex/lexeme_reach.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tenon::constraint {

namespace {

using Sequence = LexemeReach::Sequence;

// The states of the lexeme in progress after one sequence of ended lexemes.
struct Reached {
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

class ReachFinder {
 public:
  ReachFinder(const Lexer& lexer, bool emitted, const TopModes& modes)
      : lexer_(lexer), emitted_(emitted), modes_(modes) {}

  LexemeReach Find(DfaStateId q, const Guards& guards) {
    After({}).GoTo(q, guards);
    for (size_t length = 0; length <= kMaxUnseparated; ++length) {
      for (const Sequence& sequence : OfLength(length)) Follow(sequence);
    }
    std::sort(reach_.ended.begin(), reach_.ended.end());
    MakeGroups(q, guards);
    return std::move(reach_);
  }

 private:
  Reached& After(const Sequence& sequence) {
    const auto [at, fresh] = reached_.try_emplace(sequence);
    if (fresh) at->second.seen.resize(lexer_.state_count());
    return at->second;
  }

  std::vector<Sequence> OfLength(size_t length) const {
    std::vector<Sequence> sequences;
    for (const auto& [sequence, unused] : reached_) {
      if (sequence.size() == length) sequences.push_back(sequence);
    }
    return sequences;
  }

  // Follows the lexeme in progress after `sequence` through all its states, and where it is not
  // separable into the next lexeme.
  void Follow(const Sequence& sequence) {
    Reached& here = reached_.at(sequence);
    TopModes before = modes_;
    for (LexemeId lexeme : sequence) before.Apply(lexer_.lexeme(lexeme).action);
    std::set<LexemeId> ended;
    while (!here.work.empty()) {
      const auto [state, guards] = here.work.back();
      here.work.pop_back();
      const LexemeId lexeme = lexer_.LexemeAt(state);
      const bool ends = lexeme != kNoLexeme && lexer_.lexeme(lexeme).kind != TerminalKind::kPoison;
      const bool separable = ends && lexer_.IsSeparable(state, guards, emitted_);
      if (separable) ended.insert(lexeme);
      const bool goes_on = ends && !separable && sequence.size() < kMaxUnseparated;
      if (goes_on || !guards.empty()) {
        TopModes after = before;
        if (ends) after.Apply(lexer_.lexeme(lexeme).action);
        ReadBytes(sequence, here, {state, guards}, goes_on, after);
        continue;
      }
      for (DfaStateId to : lexer_.Successors(state, emitted_)) here.GoTo(to, Guards{});
    }
    for (LexemeId lexeme : ended) {
      reach_.ended.push_back(sequence);
      reach_.ended.back().push_back(lexeme);
    }
  }

  // Every byte after a state of `here`. `may_end`: the next lexeme may begin, in the mode on top of
  // `after`.
  void ReadBytes(const Sequence& sequence, Reached& here, const std::pair<DfaStateId, Guards>& from,
                 bool may_end, const TopModes& after) {
    may_end = may_end && (!lexer_.has_modes() || !after.empty());
    const DfaStateId begin =
        lexer_.has_modes() && may_end ? lexer_.StartOf(after.top()) : kStartState;
    Lexer::Steps steps;
    for (int b = 0; b < 256; ++b) {
      const int n =
          lexer_.Advance(from.first, from.second, static_cast<uint8_t>(b), emitted_, steps, begin);
      for (int i = 0; i < n; ++i) {
        if (steps[i].ended == kNoLexeme) {
          here.GoTo(steps[i].q, steps[i].guards);
        } else if (may_end) {
          Sequence longer = sequence;
          longer.push_back(steps[i].ended);
          After(longer).GoTo(steps[i].q, steps[i].guards);
        }
      }
    }
  }

  // A group for each sequence. The first state itself, (q, guards), is in none.
  void MakeGroups(DfaStateId q, const Guards& guards) {
    std::map<std::vector<DfaStateId>, uint32_t> set_ids;
    for (auto& [sequence, found] : reached_) {
      LexemeReach::Group& group = reach_.groups.emplace_back();
      group.before = sequence;
      group.guarded.assign(found.guarded.begin(), found.guarded.end());
      if (sequence.empty()) {
        if (guards.empty())
          found.states.erase(found.states.begin());  // it came first
        else
          std::erase(group.guarded, std::pair(q, guards));
      }
      std::sort(found.states.begin(), found.states.end());
      const auto [id, fresh] = set_ids.try_emplace(std::move(found.states),
                                                   static_cast<uint32_t>(reach_.state_sets.size()));
      if (fresh) reach_.state_sets.push_back(id->first);
      group.states = id->second;
    }
  }

  const Lexer& lexer_;
  const bool emitted_;
  const TopModes modes_;
  std::map<Sequence, Reached> reached_;  // of every sequence met
  LexemeReach reach_;
};

}  // namespace

LexemeReach FindLexemeReach(const Lexer& lexer, DfaStateId q, const Guards& guards, bool emitted,
                            TopModes modes) {
  return ReachFinder(lexer, emitted, modes).Find(q, guards);
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
