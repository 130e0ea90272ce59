// Hexadecimal digits of escapes: `f` is 15.
//
// Cost: a few comparisons. Thread rule: a pure function.
#pragma once

namespace tenon::constraint {

// -1: the character is no hexadecimal digit.
constexpr int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace tenon::constraint
