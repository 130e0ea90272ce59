// A place in a text document as LSP writes it: a line, and a character in that line.
//
// What a character is depends on the encoding that client and server agreed on: a byte of UTF-8, a
// unit of UTF-16 (an astral character counts two), or a code point. A Position is therefore never
// an offset; TextDocument translates.
// Source: LSP 3.18, "Position" and "Position Encoding Kinds". Cost: two words. Thread rule: plain
// values.
#pragma once

#include <cstdint>

namespace tenon::protocol {

enum class PositionEncoding : uint8_t { kUtf8, kUtf16, kUtf32 };

struct Position {
  uint32_t line = 0;       // from 0
  uint32_t character = 0;  // from 0, in units of the agreed encoding

  friend bool operator==(const Position&, const Position&) = default;
};

// The text from `start` up to, without, `end`.
struct Range {
  Position start;
  Position end;

  friend bool operator==(const Range&, const Range&) = default;
};

}  // namespace tenon::protocol
