// Sets of small numbers, 64 to a word. {0, 2, 65} is the words 0b101, 0b10.
//
// Cost: a number is a shift, a union is one operation a word. Thread rule: that of the words.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::constraint {

using Bits = std::vector<uint64_t>;

// The number of words for the numbers below `count`.
constexpr size_t WordsFor(size_t count) { return (count + 63) / 64; }

inline bool HasBit(std::span<const uint64_t> bits, size_t i) { return bits[i / 64] >> i % 64 & 1; }
inline void SetBit(std::span<uint64_t> bits, size_t i) { bits[i / 64] |= uint64_t{1} << i % 64; }

// Adds `from` to `into`, which is as long. True: `into` has grown.
inline bool MergeBits(std::span<uint64_t> into, std::span<const uint64_t> from) {
  bool grown = false;
  for (size_t w = 0; w < into.size(); ++w) {
    grown |= (from[w] & ~into[w]) != 0;
    into[w] |= from[w];
  }
  return grown;
}

}  // namespace tenon::constraint
