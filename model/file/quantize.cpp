#include "model/file/quantize.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/file/half.h"

namespace tenon::model {
namespace {

constexpr int kLargest = 127;
constexpr float kLargestHalf = 65504;

// The bits of the half nearest to a number from zero to the largest half.
uint16_t HalfBits(float value) {
  int exponent;
  const float fraction = std::frexp(value, &exponent);  // value = fraction * 2^exponent
  constexpr int kSmallestExponent = -13;                // of a half that is not subnormal
  const int bits = 11 - std::max(0, kSmallestExponent - exponent);
  if (value == 0 || bits < 0) return 0;
  const auto mantissa = static_cast<uint32_t>(std::lround(std::ldexp(fraction, bits)));
  // Rounding up to 2^11 carries into the exponent, as it should.
  if (exponent < kSmallestExponent) return static_cast<uint16_t>(mantissa);
  return static_cast<uint16_t>((static_cast<uint32_t>(exponent - kSmallestExponent) << 10) +
                               mantissa);
}

}  // namespace

void QuantizeToQ8_0(std::span<const float> values, std::byte* out) {
  assert(values.size() % kQ8Values == 0 && "a row is whole blocks");
  for (size_t at = 0; at < values.size(); at += kQ8Values, out += kQ8Bytes) {
    float largest = 0;
    for (size_t i = 0; i < kQ8Values; ++i) largest = std::max(largest, std::fabs(values[at + i]));
    const uint16_t bits = HalfBits(std::min(largest / kLargest, kLargestHalf));
    std::memcpy(out, &bits, sizeof bits);
    const float scale = HalfToFloat(bits);
    for (size_t i = 0; i < kQ8Values; ++i) {
      const float q = scale > 0 ? std::round(values[at + i] / scale) : 0;
      out[2 + i] = static_cast<std::byte>(
          static_cast<int8_t>(std::clamp(q, -1.0f * kLargest, 1.0f * kLargest)));
    }
  }
}

}  // namespace tenon::model
