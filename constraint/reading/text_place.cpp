#include "constraint/reading/text_place.h"

#include <cstdint>

namespace tenon::constraint {

TextPlace PlaceOf(std::string_view text, size_t offset) { return PlaceAfter({}, text, 0, offset); }

TextPlace PlaceAfter(TextPlace place, std::string_view text, size_t begin, size_t end) {
  for (size_t i = begin; i < end; ++i) {
    const bool line_end =
        text[i] == '\n' || (text[i] == '\r' && (i + 1 == text.size() || text[i + 1] != '\n'));
    if (line_end)
      place = {place.line + 1, 1};
    else if (text[i] != '\r' && (static_cast<uint8_t>(text[i]) & 0xc0) != 0x80)
      ++place.column;
  }
  return place;
}

}  // namespace tenon::constraint
