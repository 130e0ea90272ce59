// Minimisation: states of a deterministic automaton that no text can tell apart become one.
//
// Example: the automaton that the subset construction makes of `ab|cb` has one state after `a` and
// another after `c`. From both only `b` leads on, to an accepting state. No continuation tells them
// apart, so the minimal automaton has one state for both.
//
// States are told apart at first by the patterns that they accept, and then, until nothing changes,
// by the blocks of states that their transitions lead to.
//
// Source: Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971; for
// missing transitions (dead states are no states here) Valmari and Lehtinen, Efficient minimization
// of DFAs with partial transition functions, 2008.
// Cost: O(edges * log states) after bytes with equal transitions everywhere were merged. Thread
// rule: a pure function.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "constraint/automata/dfa.h"

namespace tenon::constraint {

struct DfaTable {
  std::vector<std::array<DfaStateId, 256>> next;  // [state][byte]
  std::vector<std::vector<uint16_t>> accepts;     // [state] sorted pattern indices
  std::vector<DfaStateId> starts;                 // besides state 0; each accepts a set of its own
};

// Numbered breadth first from the starts in order, bytes ascending.
// REQUIRES: state 0 is the start. Every state but a start leads to an accepting one and is reached
// from a start.
DfaTable Minimize(const DfaTable& dfa);

}  // namespace tenon::constraint
