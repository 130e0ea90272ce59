// The upper half of a float: eight bits of mantissa, the float's whole range.
//
// Source: Intel, "BFLOAT16 - Hardware Numerics Definition"; rounding is to nearest, ties to even, as the
// processor's own conversion does. NaN is not kept apart, as weights and activations that are NaN are lost anyway.
// Cost: two instructions. Thread rule: values.
#pragma once

#include <bit>
#include <cstdint>

namespace tenon::model {

struct BFloat16 {
  uint16_t bits = 0;
};

inline float ToFloat(float value) { return value; }
inline float ToFloat(BFloat16 value) { return std::bit_cast<float>(uint32_t{value.bits} << 16); }

inline void Round(float value, float& out) { out = value; }
inline void Round(float value, BFloat16& out) {
  const auto bits = std::bit_cast<uint32_t>(value);
  out.bits = static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace tenon::model
