// The names of Unicode's characters and their aliases.
//
// Example: Python's `"\N{BULLET}"` is a string with U+2022; `"\N{BULL|` is a prefix of several
// names, and the lexer follows it byte by byte (lex/lexeme_rules.h). A prefix is a number:
//
//   Next(0, 'B') = p1, Next(p1, 'U') = p2, ...        IsName after `BULLET`: true
//
// - Case does not matter, except in names that are made by a rule (CJK UNIFIED IDEOGRAPH-4E00,
//   HANGUL SYLLABLE GAG). These are in capitals, as in CPython.
// - As in CPython, Tangut ideographs have no names here, and named sequences are left out.
// Source: The Unicode Standard 15.1, section 4.8 (names) and NameAliases.txt; the names themselves
// are ICU's (u_enumCharNames).
// Cost: some 30 ms and 2 MB at the first use; then a binary search a byte.
// Thread rule: immutable, made once for all threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::constraint {

class CharacterNames {
 public:
  static const CharacterNames& Get();

  // A prefix of names as a number; 0: the empty one. Equal numbers have equal continuations.
  using Prefix = uint32_t;
  // The prefix after one more byte; nothing where no name begins so.
  std::optional<Prefix> Next(Prefix prefix, uint8_t byte) const;
  bool IsName(Prefix prefix) const;
  // A text that completes the prefix to a short name.
  std::string Rest(Prefix prefix) const;
  bool IsName(std::string_view name) const;

 private:
  CharacterNames();
  // The names that begin like [first] for `length` bytes: [first, the result).
  size_t EndOf(size_t first, size_t length) const;

  std::vector<std::string> names_;  // ascending, without doubles
  size_t ideographs_ = 0;           // the one that an ideograph's number follows
};

}  // namespace tenon::constraint
