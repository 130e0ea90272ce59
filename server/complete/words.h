// Blanks and words, as completion sees them: what a cursor stands in, what is worth offering.
//
// A word is what identifiers are made of in most languages: ASCII letters, digits, `_`, and every byte of a character beyond ASCII.
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <string_view>

namespace tenon::server {

constexpr bool IsWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
         (byte >= 'A' && byte <= 'Z');
}

// Is there nothing to read in `text`?
constexpr bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

}  // namespace tenon::server
