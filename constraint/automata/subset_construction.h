// Makes an automaton of patterns deterministic.
//
// Source: Rabin and Scott, Finite automata and their decision problems, 1959.
// Cost: a visit of an edge for each state of the result and byte; bounded. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/dfa_minimizer.h"
#include "constraint/automata/nfa.h"

namespace tenon::constraint {

// Minus the group: the pattern that a further group's start alone is said to match while the automaton is made.
inline constexpr uint16_t kStartMark = 0xffff;

// A start for each group of patterns: state 0 is the first one's, DfaTable::starts tells the others'. Patterns and
// start marks are what a state accepts. Error: more than `max_states` states arose, or it took too long (the message
// says so).
[[nodiscard]] tl::expected<DfaTable, std::string> Determinize(const Nfa& nfa,
                                                              std::span<const std::vector<uint16_t>> groups,
                                                              size_t max_states);

// [state] is one of `seeds` [state] reached from it? They are.
[[nodiscard]] std::vector<bool> StatesReaching(const std::vector<bool>& seeds, const DfaTable& dfa);

// Cuts the transitions to states from which nothing is accepted and drops those states.
[[nodiscard]] DfaTable WithoutDeadStates(const DfaTable& dfa);

}  // namespace tenon::constraint
