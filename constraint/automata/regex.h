// Regular expressions over Unicode code points: parsed here, compiled to automata over UTF-8 bytes
// in dfa.h.
//
// The syntax is that of Python's `re`, which Lark's users write. Example: `[^\W\d]\w*` matches
// `größe` and `x1`, not `1x`. A pattern always matches a whole text.
//
// *Syntax.* Literals; `.`; classes with ranges and negation; \d \w \s \D \W \S, Unicode-aware as in
// Python 3; general categories in the style of \p{L}, and \p{XID_Start} \p{XID_Continue}; escapes
// \n \t \r \f \v \a \0 \xHH \uHHHH \UHHHHHHHH \ooo; groups, plain, (?:...), (?imsx) at the start,
// (?imsx:...) for a part; alternation; * + ? {m} {m,} {,n} {m,n}. Flags: i (simple case folding),
// s, x, and m, which is accepted and means nothing.
//
// *Exact or refused.* An automaton has no memory for a group's text and no order of trying. Three
// parts of the syntax need one, and are taken where an automaton has exactly the meaning of `re`
// (regex_syntax.h):
//   - Back-references \1 to \99: the group has at most 256 texts. `(#{0,3})"x"\1` is taken,
//     `(#*)"x"\1` is refused.
//   - Lazy repetition *? +? ?? {m,n}?: it has one place to end. `/\*.*?\*/` is taken, `.*?b+` is
//     refused.
//   - Atomic groups (?>...): no text of the group begins another one.
//
// *Refused, with the place:* those three elsewhere, look-around, anchors inside a pattern,
// possessive quantifiers, named groups.
//
// Invalid UTF-8 never matches.
// Source: https://docs.python.org/3/library/re.html for the meaning; Thompson, Regular expression
// search algorithm, CACM 1968; Cox, https://swtch.com/~rsc/regexp/regexp3.html (UTF-8 ranges).
// Cost: parsing is linear in the pattern. Thread rule: values; pure functions.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace tenon::constraint {

struct RegexError {
  size_t offset_bytes = 0;  // into the pattern
  std::string message;
  bool unsupported = false;  // well-formed for Python's `re`, and beyond an automaton
};

struct RegexNode;  // syntax tree, private to automata/
using Regex = std::shared_ptr<const RegexNode>;

// The pattern as a tree. `flags`: any of "imsx". Error: ill-formed or unsupported, at an offset in
// the pattern.
[[nodiscard]] tl::expected<Regex, RegexError> ParseRegex(std::string_view pattern,
                                                         std::string_view flags = "");

// A pattern as a part of a larger one, its back-references renumbered.
struct NumberedRegex {
  std::string pattern;
  uint32_t groups = 0;  // opened by the pattern itself
};
// The pattern with its back-references numbered for a place where `groups` groups are opened before
// it. Example: `(a)\1` after two groups is `(a)(?:\3)`. Only the form is checked, since a part of a
// pattern may have no meaning alone.
// Error: the pattern is ill-formed, or a number gets above 99.
[[nodiscard]] tl::expected<NumberedRegex, RegexError> RenumberedAfter(std::string_view pattern,
                                                                      std::string_view flags,
                                                                      uint32_t groups);
// The pattern that matches exactly `text`.
std::string EscapeRegex(std::string_view text);
// Does the expression match the empty text?
bool MatchesEmpty(const Regex& regex);
// Does the expression match no text at all, as [^\s\S] does?
bool MatchesNothing(const Regex& regex);

}  // namespace tenon::constraint
