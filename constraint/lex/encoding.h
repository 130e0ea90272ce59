// The encoding that a file declares for its own bytes (`%encoding`, `%charset`).
//
// The declaration is found at the first place up to which `before` matches from the file's
// beginning and at which a name begins; the name is as long as it can be. Both patterns are read
// byte by byte, and a byte counts as the character of its number: what it means is not known yet. A
// byte order mark at the beginning is passed over. A file without a declaration is UTF-8.
// Source: PEP 263; The Python Language Reference, "Encoding declarations".
// Cost: a look-up a byte, up to the first that fits no declaration; that is a file's first byte
// where it begins with code.
// Thread rule: immutable.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "constraint/automata/automata.h"
#include "constraint/grammar/grammar.h"

namespace tenon::constraint {

class EncodingRules {
 public:
  // The converter of texts that need none.
  static constexpr std::string_view kUtf8 = "UTF-8";

  struct Declared {
    size_t offset_bytes = 0;           // where the name begins
    std::string name;                  // as it is written, a byte a character of UTF-8
    const Charset* charset = nullptr;  // nothing: the language has no such encoding
    bool behind_mark = false;          // the file begins with a byte order mark

    // Can a file declare it?
    bool sound() const { return charset != nullptr && (charset->with_mark || !behind_mark); }
    // Why not, in a sentence. REQUIRES: it is not sound.
    std::string WhyNot() const;
  };

  // `declaration` is kept by reference. Error: a pattern is ill-formed or has more than kMaxStates
  // states.
  [[nodiscard]] static tl::expected<EncodingRules, std::string> Build(
      const EncodingDeclaration& declaration);
  static constexpr size_t kMaxStates = 1000;

  // Of the text that `parts` make together; nothing where it declares none.
  std::optional<Declared> Find(std::initializer_list<std::string_view> parts) const {
    return Read(parts).declared;
  }
  // Does every text that begins with `beginning` declare the same?
  bool IsDecided(std::string_view beginning) const { return Read({beginning}).decided; }
  // May a text that declares `before` be edited to one that declares `after`, its characters kept
  // in the encoding that they are in? A declaration that is not sound counts as none before the
  // edit, and is not made by it.
  static bool Keeps(const std::optional<Declared>& before, const std::optional<Declared>& after);

 private:
  EncodingRules(const EncodingDeclaration& declaration, Dfa before, Dfa name)
      : declaration_(&declaration), before_(std::move(before)), name_(std::move(name)) {}
  struct Reading {
    std::optional<Declared> declared;
    bool decided = true;
  };
  Reading Read(std::initializer_list<std::string_view> parts) const;
  const Charset* Named(std::string_view name) const;

  const EncodingDeclaration* declaration_;
  Dfa before_, name_;
};

}  // namespace tenon::constraint
