// Is a text a whole valid file, and if not, at which byte does it stop being the start of one?
//
// `foo(a, b))` is valid up to offset 9: no reading is left at the second `)`. The message names the
// lexeme found there and the terminals that fit there (error_message.h).
//
// Source: none. Cost: linear in the text for grammars without conflicts; docs/measured.md, checks.
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "constraint/language/language.h"

namespace tenon::constraint {

// kAccept: everything that the language allows. kEmit: the subset that tenon writes.
enum class Strength : uint8_t { kAccept, kEmit };

struct CheckResult {
  bool valid = false;
  size_t offset_bytes = 0;  // of the lexeme at which no reading is left
  std::string message;      // names that lexeme and the terminals that fit; empty when valid
};

// Is `text` a whole valid file? `text` is in UTF-8; an encoding that it declares is checked to
// exist and no more. `levels`: with kEmit, the predicates of `%levels` that hold.
[[nodiscard]] CheckResult Check(const Language& language, std::string_view text, Strength strength,
                                PredicateBits levels = 0);

struct FileCheck {
  CheckResult result;
  // The file in UTF-8, or the part of it that could be decoded; offsets in `result` count in it.
  std::string text;
};

// Checks a file's bytes, which are decoded first where they declare their encoding.
[[nodiscard]] FileCheck CheckFile(const Language& language, std::string bytes, Strength strength,
                                  PredicateBits levels = 0);

}  // namespace tenon::constraint
