// 16-bit floats to floats.
//
// Half: IEEE 754 binary16, one sign bit, 5 bits of exponent, 10 of mantissa. BFloat16: the upper
// half of a float.
// Example: the half 0x3c00 is 1.0, the half 0x0001 is 2^-24.
//
// Cost: a few instructions. Thread rule: pure functions.
#pragma once

#include <bit>
#include <cstdint>

namespace tenon::model {

// The value of a half, given as its bits. Exact; infinities and NaN stay so.
inline float HalfToFloat(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 31u;
  const uint32_t mantissa = half & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent == 0) {
    // Subnormal: mantissa * 2^-24, exact in float.
    const float value = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -value : value;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

// The value of a BFloat16, given as its bits.
inline float BFloat16ToFloat(uint16_t bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }

}  // namespace tenon::model
