// Positions and edits by a naive model: the text as characters, walked from its beginning for every
// question.
//
// Example: in "a\r\nb" the places are before `a`, before the line end, before `b` and at the end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "protocol/position.h"

namespace tenon::protocol {

struct Walk {
  size_t offset = 0;
  Position at;
};

inline size_t NaiveUnits(const std::string& character, PositionEncoding encoding) {
  if (encoding == PositionEncoding::kUtf8) return character.size();
  return encoding == PositionEncoding::kUtf16 && character.size() == 4 ? 2 : 1;
}

inline std::vector<std::string> Characters(const std::string& text) {
  std::vector<std::string> out;
  for (const char c : text) {
    if ((static_cast<unsigned char>(c) & 0xC0) == 0x80 && !out.empty())
      out.back() += c;
    else
      out.emplace_back(1, c);
  }
  return out;
}

// Every place that has a position of its own: before each character that is no second half of \r\n,
// and the end.
inline std::vector<Walk> Places(const std::string& text, PositionEncoding encoding) {
  std::vector<Walk> out(1);
  const auto characters = Characters(text);
  for (size_t i = 0; i < characters.size(); ++i) {
    Walk next = out.back();
    next.offset += characters[i].size();
    if (characters[i] == "\r" && i + 1 < characters.size() && characters[i + 1] == "\n") {
      ++next.offset;
      ++i;
      next.at = {next.at.line + 1, 0};
    } else if (characters[i] == "\n" || characters[i] == "\r") {
      next.at = {next.at.line + 1, 0};
    } else {
      next.at.character += static_cast<uint32_t>(NaiveUnits(characters[i], encoding));
    }
    out.push_back(next);
  }
  return out;
}

// The last place of the position's line that is not behind it; behind the last line: the end.
inline size_t NaiveOffset(const std::string& text, Position position, PositionEncoding encoding) {
  const auto places = Places(text, encoding);
  size_t found = places.back().offset;
  for (const Walk& place : places) {
    if (place.at.line == position.line && place.at.character <= position.character)
      found = place.offset;
  }
  return found;
}

// Does the position lie between the halves of a surrogate pair, which begins at its offset?
inline bool HalvesPair(const std::string& text, Position position, PositionEncoding encoding) {
  if (encoding != PositionEncoding::kUtf16 || position.character == 0) return false;
  const size_t offset = NaiveOffset(text, position, encoding);
  return (static_cast<unsigned char>(text[offset]) >> 3) == 0x1E && offset < text.size() &&
         NaiveOffset(text, {position.line, position.character - 1}, encoding) == offset;
}

// The text after an edit. Half a surrogate pair that is left becomes U+FFFD.
inline std::string NaiveEdit(std::string text, Range range, const std::string& inserted,
                             PositionEncoding encoding) {
  const auto place = [&](Position position) {
    return std::pair(NaiveOffset(text, position, encoding), HalvesPair(text, position, encoding));
  };
  auto begin = place(range.start), end = place(range.end);
  if (end < begin) std::swap(begin, end);
  if (begin == end && inserted.empty()) return text;
  const std::string half = "\uFFFD";
  const size_t end_offset = end.second ? end.first + 4 : end.first;
  return text.substr(0, begin.first) + (begin.second ? half : "") + inserted +
         (end.second ? half : "") + text.substr(end_offset);
}

// Characters of one to four bytes, and line ends of each kind.
inline std::string RandomText(std::mt19937& random, size_t characters) {
  static const char* const kAlphabet[] = {"a",  "b", " ", "\n", "\r", "\r\n",
                                          "\t", "é", "€", "😀",  "𝒳"};
  std::string text;
  for (size_t i = 0; i < characters; ++i) text += kAlphabet[random() % std::size(kAlphabet)];
  return text;
}

}  // namespace tenon::protocol
