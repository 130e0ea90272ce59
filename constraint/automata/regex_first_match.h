// First matches: the languages behind lazy repetition and atomic groups.
//
// A lazy repetition X*? before the rest Y of a pattern stops where Y matches for the first time, as Python's `re.match` would:
//
//   FirstMatch(X, m, n, Y) = { w in X{m,n} Y : no proper prefix of w is in X{m,n} Y }
//
// A backtracking matcher takes exactly these texts if (1) no text of X is a proper prefix of another and (2) no text of Y has a proper
// prefix in X{0,n-m} Y: then the fewest rounds of X are also the earliest end, whatever is tried first. Where one of them does not hold
// its answer hangs on the order of trying, and the pattern is refused. An atomic group is exact where (1) holds for its body.
//
// The automaton of X{m,n} Y with the ways out of its final states cut is what is wanted; it is made a tree again by taking out state after state, so that
// everything that works on trees (quotients, printing) goes on to do so.
// Source: McNaughton and Yamada, Regular expressions and state graphs for automata, 1960; the order of states: Delgado and Morais,
// Approximation to the smallest regular expression for a given regular language, CIAA 2004.
// Cost: one small automaton (two more where a part has texts of several lengths), then at most cubic in its states. 0.5 ms for an end of ten
// characters. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "constraint/automata/regex.h"

namespace tenon::constraint {

// Error: (1) or (2) does not hold, or the result gets too large; what it says is for the pattern's author.
// `max` may be RegexNode::kUnbounded.
[[nodiscard]] tl::expected<Regex, std::string> FirstMatch(const Regex& repeated, uint32_t min, uint32_t max,
                                                          const Regex& rest);
// Is no text of it a proper prefix of another? Also "no" where an automaton gets too large to tell.
[[nodiscard]] bool IsPrefixFree(const Regex& regex);
// What begins like a text of `regex` and is none:
//
//   Unfinished(A, O) = { w not in A : w v in A for some v, and some prefix of w is in O }
//
// Nothing: too large.
[[nodiscard]] std::optional<Regex> Unfinished(const Regex& regex, const Regex& opener);

}  // namespace tenon::constraint
