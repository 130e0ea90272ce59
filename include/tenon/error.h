// A fault of an input: its place, and its remedy.
//
// Grammars, levels and files come from people, so a fault in one is an ordinary outcome: whatever
// can fail returns a Result and throws nothing. Example: a grammar file whose third line names a
// rule `vale` that no line defines.
//
//   auto language = tenon::Language::FromFile("lists.lark");
//   if (!language) std::cerr << language.error().ToString() << "\n";
//
// prints the file, line and column, the name `vale`, and the remedy.
// Thread rule: a value.
#pragma once

#include <cstdint>
#include <string>

#include <tl/expected.hpp>

#include "tenon/export.h"

namespace tenon {

struct Error {
  std::string path;                        // the file, or the name that the caller gave to a text
  uint32_t line = 0;                       // from 1; 0: the whole file
  uint32_t column = 0;                     // from 1, in characters
  std::string message;                     // found, expected, and the remedy
  TENON_API std::string ToString() const;  // path:line:column: message
};

template <typename T>
using Result = tl::expected<T, Error>;

}  // namespace tenon
