// Regular expressions over Unicode code points, compiled to automata over UTF-8 bytes.
//
// Syntax (what Lark users write, Python's `re`): literals, `.`, classes with ranges and negation, \d \w \s \D \W \S, \p{L} style
// general categories and \p{XID_Start} \p{XID_Continue}, escapes \n \t \r \f \v \a \0 \xHH \uHHHH \UHHHHHHHH \ooo, groups (plain, (?:...),
// (?imsx) at the start, (?imsx:...) for a part), alternation, * + ? {m} {m,} {,n} {m,n}. Flags: i (simple case folding), s, m (accepted, means nothing), x.
// Back-references \1 to \99, lazy repetition *? +? ?? {m,n}? and atomic groups (?>...) where an automaton can say exactly what `re` means
// (regex_syntax.h): the group has at most 256 texts, the lazy repetition one place to end, the atomic group's texts do not begin one another.
// Refused with place: these elsewhere, look-around, anchors inside a pattern, possessive quantifiers, named groups.
// \w and \d are Unicode-aware, as in Python 3. Invalid UTF-8 never matches.
// Source: Thompson, Regular expression search algorithm, CACM 1968; Cox, https://swtch.com/~rsc/regexp/regexp3.html (UTF-8 ranges).
// Thread rule: values; pure functions.
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
  bool unsupported = false;  // well-formed for Python's `re`, but no automaton does it
};

struct RegexNode;  // syntax tree, private to automata/
using Regex = std::shared_ptr<const RegexNode>;

// `flags`: any of "imsx".
[[nodiscard]] tl::expected<Regex, RegexError> ParseRegex(std::string_view pattern, std::string_view flags = "");
// A pattern that stands behind others in a larger one.
struct NumberedRegex {
  std::string pattern;
  uint32_t groups = 0;  // that it opens itself
};
// Its back-references name their groups by the numbers that they have when `groups` others are opened before it. Error: the pattern
// is ill-formed, or a number gets above 99. What it means is not looked at: parts of a pattern may have no meaning alone.
[[nodiscard]] tl::expected<NumberedRegex, RegexError> BehindGroups(std::string_view pattern, std::string_view flags,
                                                                   uint32_t groups);
// The pattern that matches exactly `text`.
std::string EscapeRegex(std::string_view text);
// Does it match the empty text?
bool MatchesEmpty(const Regex& regex);
// Does it match no text at all, as [^\s\S] does?
bool MatchesNothing(const Regex& regex);

}  // namespace tenon::constraint
