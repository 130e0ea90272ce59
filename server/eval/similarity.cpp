#include "server/eval/similarity.h"

#include <algorithm>
#include <cstdint>

#include "server/models/edit_distance.h"

namespace tenon::server {
namespace {

// Bytes of the character that begins with this byte; 1 where none does.
size_t LengthFrom(uint8_t lead) {
  if (lead >= 0xF0 && lead < 0xF8) return 4;
  if (lead >= 0xE0 && lead < 0xF0) return 3;
  return lead >= 0xC0 && lead < 0xE0 ? 2 : 1;
}

// Other than every code point, and other for each byte.
constexpr char32_t kStrayByte = 0x110000;

}  // namespace

std::u32string CharactersOf(std::string_view text) {
  std::u32string characters;
  for (size_t at = 0; at < text.size();) {
    const auto lead = static_cast<uint8_t>(text[at]);
    const size_t length = LengthFrom(lead);
    bool whole = lead < 0x80 || (length > 1 && at + length <= text.size());
    char32_t value = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (size_t i = 1; whole && i < length; ++i) {
      const auto next = static_cast<uint8_t>(text[at + i]);
      whole = (next & 0xC0U) == 0x80;
      value = (value << 6U) | (next & 0x3FU);
    }
    characters += whole ? value : kStrayByte + lead;
    at += whole ? length : 1;
  }
  return characters;
}

double EditSimilarity(std::string_view a, std::string_view b) {
  const std::u32string left = CharactersOf(a), right = CharactersOf(b);
  const size_t longer = std::max(left.size(), right.size());
  if (longer == 0) return 1;
  return 1 - static_cast<double>(EditDistance<char32_t>(left, right)) / static_cast<double>(longer);
}

}  // namespace tenon::server
