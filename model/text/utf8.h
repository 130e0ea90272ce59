// The characters of a text in UTF-8, one after another, and the bytes that are none.
//
// Example: `a`, then the bytes e2 96 81: two characters of one and three bytes. The bytes c3 28
// are an invalid byte, then `(`.
//
// Source: the Unicode Standard, section 3.9, table 3-7. Cost: constant. Thread rule: pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace tenon::model {

// In the place of a code point: bytes that are no character, or nothing at all.
inline constexpr char32_t kNoCharacter = 0xffffffff;

struct Utf8Character {
  char32_t code_point = 0;
  size_t bytes = 0;
};

// The character that `text` begins with; nothing where its first byte begins none, or where the
// text is empty.
[[nodiscard]] inline std::optional<Utf8Character> FirstCharacter(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto byte = [text](size_t at) { return static_cast<uint8_t>(text[at]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return Utf8Character{lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return std::nullopt;
  char32_t code_point = lead & (0x7f >> bytes);
  for (size_t at = 1; at < bytes; ++at) {
    if ((byte(at) & 0xc0) != 0x80) return std::nullopt;
    code_point = code_point << 6 | (byte(at) & 0x3f);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code_point >= 0xd800 && code_point < 0xe000;
  if (code_point < kLeast[bytes] || code_point > 0x10ffff || surrogate) return std::nullopt;
  return Utf8Character{code_point, bytes};
}

// The first byte of a character's UTF-8.
[[nodiscard]] inline uint8_t LeadByte(char32_t code_point) {
  if (code_point < 0x80) return static_cast<uint8_t>(code_point);
  if (code_point < 0x800) return static_cast<uint8_t>(0xc0 | code_point >> 6);
  if (code_point < 0x10000) return static_cast<uint8_t>(0xe0 | code_point >> 12);
  return static_cast<uint8_t>(0xf0 | code_point >> 18);
}

// How many bytes at the end of a text begin a character that they do not finish.
[[nodiscard]] inline size_t UnfinishedBytes(std::string_view text) {
  for (size_t tail = 1; tail <= 3 && tail <= text.size(); ++tail) {
    const auto byte = static_cast<uint8_t>(text[text.size() - tail]);
    if ((byte & 0xc0) == 0x80) continue;
    if (byte < 0xc2 || byte > 0xf4) return 0;
    const size_t wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return wanted > tail ? tail : 0;
  }
  return 0;
}

}  // namespace tenon::model
