// The subset construction: makes a nondeterministic automaton deterministic.
//
// A state of the result is the set of all states that the nondeterministic automaton can be in
// after a text. Example: with `if` and `[a-z]+` the text `i` leads to {after the i of `if`, inside
// of `[a-z]+`}. Then `f` leads to a set that accepts both patterns, and `g` to one with the second
// pattern alone.
//
// Further steps on the result: states that lead nowhere are cut (WithoutDeadStates), and
// dfa_minimizer.h joins states that are equal in their texts.
//
// Source: Rabin and Scott, Finite automata and their decision problems, 1959.
// Cost: a visit of an edge for each state of the result and byte. Patterns such as (.{0,1000}){9}
// would take forever, so the visits are bounded (400 million, about two seconds). Thread rule: pure
// functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/automata/dfa_minimizer.h"
#include "constraint/automata/nfa.h"

namespace tenon::constraint {

// Start marks: `kStartMark - g` is a pattern that only the start of group g matches while the
// automaton is made. So no start is merged with another state.
inline constexpr uint16_t kStartMark = 0xffff;

// An automaton with a start for each group of patterns: state 0 for the first one, DfaTable::starts
// for the others. Its states accept patterns and start marks. Error: more than `max_states` states
// arose, or more visits than the bound (the message says so).
[[nodiscard]] tl::expected<DfaTable, std::string> Determinize(
    const Nfa& nfa, std::span<const std::vector<uint16_t>> groups, size_t max_states);

// [state] does a text, the empty one included, lead from the state to one of `seeds`?
[[nodiscard]] std::vector<bool> StatesReaching(const std::vector<bool>& seeds, const DfaTable& dfa);

// Drops the states from which nothing is accepted, and the transitions to them.
[[nodiscard]] DfaTable WithoutDeadStates(const DfaTable& dfa);

}  // namespace tenon::constraint
