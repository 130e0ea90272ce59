// Characters of a pattern: literals, escapes and classes, read from a cursor.
//
// The smallest parts of a pattern each stand for a set of code points. Example: in `[^\W\d]x\u00e9`
// they are the class `[^\W\d]`, the literal `x` and the escape `\u00e9`. CharacterReader reads them
// and holds the cursor; the parser of structure (groups, alternation, repetition) stands on it
// (regex_parser.cpp).
//
// The first error stands. The rest of the text is skipped then, so that every loop ends.
//
// Source: https://docs.python.org/3/library/re.html for escapes; codepoint_set.h for \p{name}.
// Cost: linear in the pattern. Thread rule: owned by one call of ParseRegex.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tl/expected.hpp>

#include "constraint/automata/codepoint_set.h"
#include "constraint/automata/regex.h"

namespace tenon::constraint {

// The flags that hold at a place of the pattern; a group may change them for its inside.
struct RegexFlags {
  bool ignore_case = false;
  bool dot_all = false;
  bool verbose = false;

  // Turns a flag on. False: there is no such flag.
  bool Set(char flag);
};

// Error: an unknown flag.
[[nodiscard]] tl::expected<RegexFlags, RegexError> ParseRegexFlags(std::string_view flags);

class CharacterReader {
 protected:
  // An escape, or a character inside of a class: a code point, which may end a range, or a set.
  struct Atom {
    std::optional<uint32_t> codepoint;
    CodepointSet set;
  };

  CharacterReader(std::string_view text, RegexFlags flags) : text_(text), flags_(flags) {}

  bool AtEnd() const { return at_ >= text_.size(); }
  char Peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  bool Looking(std::string_view what) const { return text_.substr(at_, what.size()) == what; }

  // Reports an error at an offset in the pattern.
  void Fail(size_t offset, std::string message);
  // Reports a part of `re` that automata do not have.
  void Refuse(size_t offset, std::string message);

  // With the flag i, the set with the other cases of its members.
  CodepointSet Folded(CodepointSet set) const {
    return flags_.ignore_case ? set.CaseClosure() : set;
  }

  // The code point at the cursor.
  uint32_t TakeCodepoint();
  // A class, from its '['.
  CodepointSet Class();
  // An escape, from its backslash. `\b` is a character in a class and an anchor elsewhere.
  Atom Escape(bool in_class);

  std::string_view text_;
  RegexFlags flags_;
  size_t at_ = 0;  // the cursor, in bytes
  bool failed_ = false;
  RegexError error_;

 private:
  // An item of a class: a character, a shorthand such as \w, or a range.
  CodepointSet ClassItem();
  Atom ClassAtom();
  // The digits of \x, \u and \U. `start`: the offset of the backslash.
  uint32_t Hex(size_t start, int digits);
  // \0, \0o, \0oo and \ooo. Any other escape that begins with a digit is a back-reference, and has
  // no meaning in a class.
  uint32_t Octal(size_t start);
  // The braces of \p{name}.
  CodepointSet Property(size_t start);
};

}  // namespace tenon::constraint
