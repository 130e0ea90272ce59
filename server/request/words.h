// Blanks and words, as completion sees them.
//
// A word is a run of the bytes that identifiers are made of in most languages: ASCII letters,
// digits, `_`, and every byte of a character beyond ASCII. Example: in `café_2 = 1` the first word
// is `café_2`. A text is blank where it has nothing but blanks and line ends: a blank completion
// is not worth offering.
//
// tenon::Complete of the library (include/tenon/complete.h) has the same definition in its source:
// the library includes nothing of server/.
// Cost: linear in the text. Thread rule: pure functions.
#pragma once

#include <string_view>

namespace tenon::server {

constexpr bool IsWordByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || byte == '_' || (byte >= '0' && byte <= '9') ||
         (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z');
}

// Does `text` end with a byte of a word?
constexpr bool EndsInWord(std::string_view text) {
  return !text.empty() && IsWordByte(text.back());
}

// `text` without the word with which it ends.
constexpr std::string_view WithoutWordAtEnd(std::string_view text) {
  while (EndsInWord(text)) text.remove_suffix(1);
  return text;
}

inline constexpr std::string_view kBlanks = " \t";  // within a line
inline constexpr std::string_view kBlanksAndLineEnds = " \t\r\n\f\v";

constexpr bool BeginsWithBlank(std::string_view text) {
  return !text.empty() && kBlanks.find(text.front()) != std::string_view::npos;
}

// Has `text` nothing but blanks and line ends?
constexpr bool IsBlank(std::string_view text) {
  return text.find_first_not_of(kBlanksAndLineEnds) == std::string_view::npos;
}

// `text` without the blanks at its beginning.
constexpr std::string_view WithoutBlanksAtBegin(std::string_view text,
                                                std::string_view blanks = kBlanks) {
  const size_t first = text.find_first_not_of(blanks);
  return text.substr(first == std::string_view::npos ? text.size() : first);
}

// `text` without the blanks at its end.
constexpr std::string_view WithoutBlanksAtEnd(std::string_view text,
                                              std::string_view blanks = kBlanksAndLineEnds) {
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

// `text` without the blanks at its beginning and at its end.
constexpr std::string_view Trimmed(std::string_view text,
                                   std::string_view blanks = kBlanksAndLineEnds) {
  return WithoutBlanksAtBegin(WithoutBlanksAtEnd(text, blanks), blanks);
}

}  // namespace tenon::server
