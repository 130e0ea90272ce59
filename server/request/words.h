// Blanks and words, as completion sees them.
//
// A word is a run of the bytes that identifiers are made of in most languages: ASCII letters,
// digits, `_`, and every byte of a character beyond ASCII. Example: in `café_2 = 1` the first word
// is `café_2`. A text is blank where it has nothing but blanks and line ends: a blank completion
// is not worth offering.
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <string_view>

namespace tenon::server {

constexpr bool IsWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') ||
         (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// Has `text` nothing but blanks and line ends?
constexpr bool IsBlank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n\f\v") == std::string_view::npos;
}

}  // namespace tenon::server
