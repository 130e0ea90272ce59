#include "constraint/automata/subset_construction.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

#include "constraint/base/base.h"

namespace tenon::constraint {
namespace {

// Work beyond this (about two seconds) is refused like too many states: patterns such as
// (.{0,1000}){9} stay below the limit on states for a long time and would seem to hang.
constexpr size_t kMaxEdgeVisits = 400'000'000;

using StateSet = std::vector<uint32_t>;  // sorted; splits are left out

struct StateSetHash {
  size_t operator()(const StateSet& set) const { return HashOf(std::span(set)); }
};

class SubsetConstruction {
 public:
  SubsetConstruction(const Nfa& nfa, std::span<const std::vector<uint16_t>> groups,
                     size_t max_states)
      : nfa_(nfa), groups_(groups), max_states_(max_states), seen_(nfa.states.size(), 0) {}

  tl::expected<DfaTable, std::string> Run() {
    for (size_t g = 0; g < groups_.size(); ++g) {
      StateSet starts;
      for (const uint16_t pattern : groups_[g]) starts.push_back(nfa_.starts[pattern].value);
      StateSet closure = Closure(starts);
      // A state that is no state of the automaton tells a further start from all else.
      if (g > 0) closure.push_back(static_cast<uint32_t>(nfa_.states.size() + g));
      const DfaStateId start = Intern(std::move(closure));
      if (g > 0) table_.starts.push_back(start);
    }
    for (size_t q = 0; q < sets_.size(); ++q) {
      Expand(q);
      if (sets_.size() > max_states_) {
        return tl::unexpected(fmt::format(
            "the patterns need more than {} automaton states: simplify the largest", max_states_));
      }
      if (visits_ > kMaxEdgeVisits) {
        return tl::unexpected(
            std::string("the patterns are too costly to compile: lower repetition counts, avoid "
                        "nested repetitions"));
      }
    }
    return std::move(table_);
  }

 private:
  // The states reachable without reading, splits left out, sorted.
  StateSet Closure(const StateSet& from) {
    ++generation_;
    StateSet result;
    std::vector<uint32_t> stack = from;
    while (!stack.empty()) {
      const uint32_t q = stack.back();
      stack.pop_back();
      if (seen_[q] == generation_) continue;
      seen_[q] = generation_;
      const NfaState& state = nfa_.states[q];
      if (state.kind == NfaKind::kSplit) {
        stack.push_back(state.right.value);
        stack.push_back(state.left.value);
      } else {
        result.push_back(q);
      }
    }
    visits_ += result.size();
    std::sort(result.begin(), result.end());
    return result;
  }

  DfaStateId Intern(StateSet set) {
    if (set.empty()) return kDeadState;
    const auto [entry, fresh] =
        ids_.try_emplace(std::move(set), DfaStateId{static_cast<uint16_t>(sets_.size())});
    if (!fresh) return entry->second;
    sets_.push_back(&entry->first);
    table_.next.emplace_back().fill(kDeadState);
    std::vector<uint16_t>& accepts = table_.accepts.emplace_back();
    for (const uint32_t q : entry->first) {
      if (q >= nfa_.states.size())
        accepts.push_back(static_cast<uint16_t>(kStartMark - (q - nfa_.states.size())));
      else if (nfa_.states[q].kind == NfaKind::kAccept)
        accepts.push_back(nfa_.states[q].pattern);
    }
    std::sort(accepts.begin(), accepts.end());
    return entry->second;
  }

  void Expand(size_t q) {
    for (StateSet& targets : targets_) targets.clear();
    for (const uint32_t n : *sets_[q]) {
      if (n >= nfa_.states.size()) continue;
      for (const NfaEdge& edge : nfa_.EdgesOf(nfa_.states[n])) {
        visits_ += static_cast<size_t>(edge.last - edge.first + 1);
        for (unsigned byte = edge.first; byte <= edge.last; ++byte)
          targets_[byte].push_back(edge.target.value);
      }
    }
    for (size_t byte = 0; byte < 256; ++byte) {
      if (targets_[byte].empty()) continue;
      // Neighbouring bytes mostly lead to the same states. Interned before the row is named: it may
      // move the rows.
      const bool repeated = byte > 0 && targets_[byte] == targets_[byte - 1];
      const DfaStateId target =
          repeated ? table_.next[q][byte - 1] : Intern(Closure(targets_[byte]));
      table_.next[q][byte] = target;
      if (sets_.size() > max_states_) return;
    }
  }

  const Nfa& nfa_;
  const std::span<const std::vector<uint16_t>> groups_;
  const size_t max_states_;
  size_t visits_ = 0;
  uint32_t generation_ = 0;
  std::vector<uint32_t> seen_;  // [NFA state] generation of the closure that met it last
  std::unordered_map<StateSet, DfaStateId, StateSetHash> ids_;
  std::vector<const StateSet*> sets_;  // [DFA state]: keys of ids_, which never move
  std::array<StateSet, 256> targets_;  // [byte] of the state that Expand is at; kept for its memory
  DfaTable table_;
};

}  // namespace

tl::expected<DfaTable, std::string> Determinize(const Nfa& nfa,
                                                std::span<const std::vector<uint16_t>> groups,
                                                size_t max_states) {
  return SubsetConstruction(nfa, groups, max_states).Run();
}

std::vector<bool> StatesReaching(const std::vector<bool>& seeds, const DfaTable& dfa) {
  std::vector<std::vector<uint16_t>> sources(dfa.next.size());
  for (size_t q = 0; q < dfa.next.size(); ++q) {
    DfaStateId previous = kDeadState;
    for (const DfaStateId target : dfa.next[q]) {
      if (target != kDeadState && target != previous)
        sources[target.value].push_back(static_cast<uint16_t>(q));
      previous = target;
    }
  }
  std::vector<uint16_t> ends;
  for (size_t q = 0; q < seeds.size(); ++q) {
    if (seeds[q]) ends.push_back(static_cast<uint16_t>(q));
  }
  return ReachedFrom(std::move(ends), sources);
}

DfaTable WithoutDeadStates(const DfaTable& dfa) {
  std::vector<bool> accepting;
  for (const std::vector<uint16_t>& accepts : dfa.accepts) accepting.push_back(!accepts.empty());
  const std::vector<bool> live = StatesReaching(accepting, dfa);
  // Nothing matches at all: the start stays, alone and without transitions.
  if (!live[0]) {
    DfaTable none;
    none.next.emplace_back().fill(kDeadState);
    none.accepts.emplace_back();
    return none;
  }
  std::vector<DfaStateId> number(dfa.next.size(), kDeadState);
  uint16_t count = 0;
  for (size_t q = 0; q < dfa.next.size(); ++q) {
    if (live[q]) number[q] = {count++};
  }
  DfaTable result;
  for (size_t q = 0; q < dfa.next.size(); ++q) {
    if (!live[q]) continue;
    result.accepts.push_back(dfa.accepts[q]);
    std::array<DfaStateId, 256>& row = result.next.emplace_back();
    for (size_t byte = 0; byte < 256; ++byte) {
      const DfaStateId target = dfa.next[q][byte];
      row[byte] = target == kDeadState ? kDeadState : number[target.value];
    }
  }
  for (const DfaStateId start : dfa.starts) result.starts.push_back(number[start.value]);
  return result;
}

}  // namespace tenon::constraint
