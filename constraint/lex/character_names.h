// The names of Unicode's characters and their aliases, for text that names a character, as
// `\N{LATIN SMALL LETTER A}` does.
//
// A name is spelled in any case; those that are made by a rule (CJK UNIFIED IDEOGRAPH-4E00, HANGUL
// SYLLABLE GAG) in capitals, as CPython wants it, which does not know Tangut's ideographs by name,
// nor named sequences.
// Source: The Unicode Standard 15.1, section 4.8 (names) and NameAliases.txt; the names themselves
// are ICU's (u_enumCharNames).
// Cost: some 30 ms and 2 MB when it is first asked for; then a binary search a byte. Thread rule:
// immutable, made once for all threads.
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

  // What has been read of a name, as a number: 0 nothing. Equal numbers go on alike.
  using Prefix = uint32_t;
  // Behind one more byte; nothing where no name begins so.
  std::optional<Prefix> Next(Prefix prefix, uint8_t byte) const;
  bool IsName(Prefix prefix) const;
  // What makes a short name of it.
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
