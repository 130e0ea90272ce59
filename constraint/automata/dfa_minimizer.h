// Merges the states of a deterministic automaton that no text can tell apart.
//
// Source: Hopcroft, An n log n algorithm for minimizing states in a finite automaton, 1971; for missing transitions
// (here: dead states are gone) Valmari and Lehtinen, Efficient minimization of DFAs with partial transition functions, 2008.
// Cost: O(edges * log states) after columns of equal bytes were merged. Thread rule: a pure function.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "constraint/automata/dfa.h"

namespace tenon::constraint {

struct DfaTable {
  std::vector<std::array<DfaStateId, 256>> next;  // [state][byte]
  std::vector<std::vector<uint16_t>> accepts;     // [state] sorted pattern indices
  std::vector<DfaStateId> starts;                 // more starts than state 0; alone in what they accept
};

// REQUIRES: state 0 is the start; from every state but starts a matching one can be reached, and it can be reached from a start.
// The result is numbered breadth first from the starts in order, bytes ascending.
DfaTable Minimize(const DfaTable& dfa);

}  // namespace tenon::constraint
