// The file with the closing brackets that are missing above the cursor, as its indentation shows
// them.
//
// Example: someone writes a method above another one, and the cursor, `|`, is in that one.
//
//   class A {                     class A {
//     b() {                         b() {
//       c();                          c();
//                                 }
//     d(e) {                        d(e) {
//       |                             |
//     }                             }
//   }                             }
//
// Left is the file, right the file with the closer. The head `d(e) {` (outline_heads.h) is no
// deeper than the line `b() {`, whose bracket is still open there: so it lacks its partner.
//
// A syntax tree takes such a head for something else, a call, and each statement in it is an error
// more. With the closer the tree says whether a text at the cursor is an error.
//
// Cost: linear in the text above the cursor, once for each head around it. Thread rule: a pure
// function.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::server {

struct TextWithClosers {
  std::string text;
  size_t cursor = 0;
};

// Each closer in a line of its own before the head. Nothing where none is missing.
// REQUIRES: the cursor lies in the text.
[[nodiscard]] std::optional<TextWithClosers> WithClosersAbove(std::string_view text, size_t cursor);

}  // namespace tenon::server
