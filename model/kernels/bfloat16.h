// A 16-bit float: the upper half of a 32-bit float.
//
//   float     s eeeeeeee mmmmmmmmmmmmmmmmmmmmmmm     sign, 8 bits of exponent, 23 of mantissa
//   bfloat16  s eeeeeeee mmmmmmm                     the same range, 7 bits of mantissa
//
// Example: 1.01f is stored as 1.0078125, the nearest value with 7 bits of mantissa.
//
// Source: Intel, "BFLOAT16 - Hardware Numerics Definition". Rounding is to nearest, ties to even,
// like the processor's own conversion. A NaN may become another value: weights and activations
// with a NaN are lost anyway. Cost: two instructions a value. Thread rule: values.
#pragma once

#include <bit>
#include <cstdint>

namespace tenon::model {

struct BFloat16 {
  uint16_t bits = 0;
};

// ToFloat and Round exist for float, too, so that a loop can be written once for both types.
inline float ToFloat(float value) { return value; }
inline float ToFloat(BFloat16 value) { return std::bit_cast<float>(uint32_t{value.bits} << 16); }

inline void Round(float value, float& out) { out = value; }
inline void Round(float value, BFloat16& out) {
  const auto bits = std::bit_cast<uint32_t>(value);
  out.bits = static_cast<uint16_t>((bits + 0x7fffu + (bits >> 16 & 1u)) >> 16);
}

}  // namespace tenon::model
