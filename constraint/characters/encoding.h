// The encoding that a file declares for its own bytes (`%encoding`, `%charset`).
//
// Example, a Python file that begins with
//
//   # -*- coding: latin-1 -*-
//
// `%encoding /before/ /name/` describes it: `before` matches `# -*- coding: `, and `name` is
// `latin-1`, as long as it can be. `%charset` lists the names; `latin-1` is found as `latin_1`.
//
// Definition: the declaration is at the first offset up to which `before` matches from the file's
// beginning and at which a name begins. Both patterns are read byte by byte, and a byte counts as
// the character of its number, since no byte can be decoded yet.
//
// - A byte order mark at the beginning is skipped; after it only a charset with `with_mark` may be
//   declared.
// - A file without a declaration is UTF-8.
// Source: PEP 263; The Python Language Reference, "Encoding declarations".
// Cost: a look-up a byte, up to the first byte that fits no declaration; in a file that begins with
// code this is the first one. Thread rule: immutable.
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
  // The converter of texts that need no conversion.
  static constexpr std::string_view kUtf8 = "UTF-8";

  struct Declared {
    size_t offset_bytes = 0;           // of the name
    std::string name;                  // as it is written, a byte a character of UTF-8
    const Charset* charset = nullptr;  // nullptr: the language has no such encoding
    bool after_mark = false;           // the file begins with a byte order mark

    // May a file declare it?
    bool sound() const { return charset != nullptr && (charset->with_mark || !after_mark); }
    // Why not, in a sentence. REQUIRES: it is not sound.
    std::string WhyNot() const;
  };

  // `declaration` is kept by reference. Error: a pattern is ill-formed or has more than kMaxStates
  // states.
  [[nodiscard]] static tl::expected<EncodingRules, std::string> Build(
      const EncodingDeclaration& declaration);
  static constexpr size_t kMaxStates = 1000;

  // The declaration of the text that is `parts` one after another; nothing where it has none.
  std::optional<Declared> Find(std::initializer_list<std::string_view> parts) const {
    return Read(parts).declared;
  }
  // Do all texts that begin with `beginning` declare the same encoding?
  bool IsDecided(std::string_view beginning) const { return Read({beginning}).decided; }
  // May a text that declares `before` be edited to one that declares `after`? Its characters stay
  // in the same encoding. An unsound declaration counts as none before the edit; an edit must not
  // make one.
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
