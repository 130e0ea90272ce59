// First matches: the languages of lazy repetition and atomic groups.
//
// A comment `/* … */` ends at the first `*/`. Python says so by a lazy repetition, `/\*.*?\*/`:
// after `/*` it tries the rest `\*/` at each place in turn and stops at the first match. An
// automaton tries nothing; it needs the *set* of texts that are found so:
//
//   FirstMatch(X, m, n, Y) = { w in X{m,n} Y : no proper prefix of w is in X{m,n} Y }
//
// Example: X = `.`, Y = `\*/`. `ab*/` is a first match; `ab*/c*/` is none, because its prefix
// `ab*/` is one.
//
// *When Python does the same.* A backtracking matcher takes exactly these texts if
//   (1) no text of X is a proper prefix of another, and
//   (2) no text of Y has a proper prefix in X{0,n-m} Y:
// then the fewest rounds of X are also the earliest end, whatever is tried first. Otherwise the
// answer depends on the order of trying, and the pattern is refused. Example: `.*?b+` violates (2):
// in `abb` both `ab` and `abb` end the repetition in its first place. An atomic group is exact
// where (1) holds for its body.
//
// *How.* The automaton of X{m,n} Y, without the transitions out of its accepting states, accepts
// the first matches. It is made a tree again by elimination of state after state, so that
// everything that works on trees (quotients, printing) works on the result.
//
// *Unfinished lexemes*, for `%unfinished` of a grammar file: the beginnings of an expression's
// texts. For the comment above with the opener `/\*` they are `/*`, `/* a`, `/* a *` and so on, and
// neither `/` nor a whole comment.
//
// Source: McNaughton and Yamada, Regular expressions and state graphs for automata, 1960; the order
// of states: Delgado and Morais, Approximation to the smallest regular expression for a given
// regular language, CIAA 2004.
// Cost: one small automaton (two more where a part has texts of several lengths), then at most
// cubic in its states. 0.5 ms for an end of ten characters. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include <tl/expected.hpp>

#include "constraint/automata/regex.h"

namespace tenon::constraint {

// `max` may be RegexNode::kUnbounded. Error: (1) or (2) does not hold, or the result gets too
// large; the message is for the pattern's author.
[[nodiscard]] tl::expected<Regex, std::string> FirstMatch(const Regex& repeated, uint32_t min,
                                                          uint32_t max, const Regex& rest);
// Is no text of the expression a proper prefix of another? Also "no" where an automaton gets too
// large to tell.
[[nodiscard]] bool IsPrefixFree(const Regex& regex);
// The texts that begin like one of `regex`, its opener included, and are none:
//
//   Unfinished(A, O) = { w not in A : w v in A for some v, and some prefix of w is in O }
//
// Nothing: too large.
[[nodiscard]] std::optional<Regex> Unfinished(const Regex& regex, const Regex& opener);

}  // namespace tenon::constraint
