// The place of an offset in a text, as people count. In "a\r\nbé(" the "(" has line 2, column 3.
//
// A line ends at \n, at \r\n or at a lone \r.
//
// Source: none. Cost: linear in the bytes that are counted. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

namespace tenon::constraint {

struct TextPlace {
  size_t line = 1, column = 1;  // both count from 1, the column in characters
};

// REQUIRES: offset <= text.size().
[[nodiscard]] TextPlace PlaceOf(std::string_view text, size_t offset);
// The place of `end`, counted on from that of `begin`. REQUIRES: begin <= end <= text.size().
[[nodiscard]] TextPlace PlaceAfter(TextPlace place, std::string_view text, size_t begin,
                                   size_t end);

}  // namespace tenon::constraint
