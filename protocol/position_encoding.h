// Translation inside one line between bytes of UTF-8 and the characters of an LSP position.
//
// Source: LSP 3.18 "Position Encoding Kinds"; UTF-8 as in RFC 3629. Where a byte is no part of
// well-formed UTF-8 it counts as a character of its own, in every encoding: so any bytes have
// positions, and every byte offset is reached or rounded down.
// Cost: linear in the line; ASCII goes eight bytes a step. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "protocol/position.h"

namespace tenon::protocol {

// "utf-8", "utf-16" or "utf-32", as `general.positionEncodings` has them.
[[nodiscard]] std::string_view ToString(PositionEncoding encoding);
[[nodiscard]] std::optional<PositionEncoding> PositionEncodingFromName(std::string_view name);

// Length in bytes of the character at the start of `text`, which is not empty; 1 for a byte that
// begins no character.
[[nodiscard]] size_t CharacterBytes(std::string_view text);

// Where character `units` of `line` lies.
struct LinePlace {
  size_t bytes = 0;        // from the line's beginning
  bool is_inside = false;  // of the character that begins there
};
[[nodiscard]] LinePlace PlaceOfUnits(std::string_view line, size_t units,
                                     PositionEncoding encoding);

// The byte offset of character `units` of `line`. Beyond the end: the end. Inside a character: its
// beginning.
[[nodiscard]] size_t BytesFromUnits(std::string_view line, size_t units, PositionEncoding encoding);

// How many units the first `bytes` bytes of `line` make. Inside a character: up to its beginning.
// Beyond the end: the end.
[[nodiscard]] size_t UnitsFromBytes(std::string_view line, size_t bytes, PositionEncoding encoding);

}  // namespace tenon::protocol
