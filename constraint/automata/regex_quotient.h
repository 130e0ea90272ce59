// Quotients: the rest of a regular expression after a text is taken off one of its ends, as an
// expression again.
//
//   LeftQuotient(r, x)   = { s : x s in L(r) }        RightQuotient(r, y)   = { s : s y in L(r) }
//
// Example: the cursor stands in a number, `12|5`. The lexeme `[0-9]{1,4}` has begun with `12` and
// ends with `5`. After the left quotient by `12` `[0-9]{0,2}` is left; after the right quotient by
// `5` of that, `[0-9]?`: the texts that fit into the gap.
//
// Quotients are taken on the syntax tree, so classes keep their names and people can read the
// result (it is printed as part of a quotient grammar).
//
// Source: Brzozowski, Derivatives of regular expressions, JACM 1964; the right quotient is the left
// one of the reversed expression.
// Cost: one derivative a code point; sums are flattened and freed of doubles, so that results stay
// small.
// Thread rule: pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "constraint/automata/regex.h"

namespace tenon::constraint {

// Nothing: `text` is not UTF-8, or no text of `regex` begins (ends) with `text`.
[[nodiscard]] std::optional<Regex> LeftQuotient(const Regex& regex, std::string_view text);
[[nodiscard]] std::optional<Regex> RightQuotient(const Regex& regex, std::string_view text);
// The expression without the empty text. Nothing: it has no other.
[[nodiscard]] std::optional<Regex> WithoutEmpty(const Regex& regex);
// Is every text of `part` one of `whole`? Also "no" where an automaton gets too large to tell.
[[nodiscard]] bool IsPart(const Regex& part, const Regex& whole);

enum class RegexStyle {
  kLark,  // a pattern that ParseRegex reads without flags, slashes escaped
  kGbnf,  // an expression of llama.cpp's grammars
};
// The only text that the expression matches. Nothing: it has more, or is written with more than
// single characters in a row.
[[nodiscard]] std::optional<std::string> OnlyText(const Regex& regex);
[[nodiscard]] std::string RegexText(const Regex& regex, RegexStyle style);

}  // namespace tenon::constraint
