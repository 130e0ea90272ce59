// Floats to blocks of Q8_0: 32 values as signed bytes with one scale.
//
// The scale d is the largest magnitude of the 32, divided by 127 and rounded to a half; a value is
// the nearest multiple of d from -127 d to 127 d. Example: of 0.5, -0.25 and zeros, d is
// 0.5 / 127 and the bytes are 127, -64 (for -63.5) and zeros.
//
// Source: the block of dequantize.h. A value is off by at most d / 2, and by the rounding of d.
// Cost: 1 GB/s of floats a thread. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <span>

namespace tenon::model {

inline constexpr size_t kQ8Values = 32, kQ8Bytes = 34;

// Writes values.size() / kQ8Values blocks. A magnitude above 127 * 65,504, which no weight has,
// becomes that number. REQUIRES: the size is a multiple of kQ8Values; every value is finite.
void QuantizeToQ8_0(std::span<const float> values, std::byte* out);

}  // namespace tenon::model
