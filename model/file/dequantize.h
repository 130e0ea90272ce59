// Stored weights to floats.
//
// A file stores most weights as small integers with a common scale ("quantized"), which saves
// memory at the price of accuracy. A row is a sequence of blocks: 32 values that share a scale d
// and, in Q4_1, a minimum m; both are 16-bit floats.
//
//   Q8_0   x[i] = d * q[i]          q: signed, 8 bits
//   Q4_0   x[i] = d * (q[i] - 8)    q: unsigned, 4 bits
//   Q4_1   x[i] = d * q[i] + m      q: unsigned, 4 bits
//   F32, F16, BF16: a block is one value
//
// In a block of 4-bit values byte i holds value i in its low half and value i + 16 in its high
// half.
// Example: a Q8_0 block with d = 0.5 and q = {3, -2, ...} is the values {1.5, -1, ...}.
//
// Source: https://github.com/ggml-org/ggml, ggml-quants.c (the layout; the code here is our own).
// Cost: about 1 GB/s of floats a thread. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "model/file/gguf.h"

namespace tenon::model {

// The value of a 16-bit float (IEEE 754 binary16), given as its bits.
float HalfToFloat(uint16_t half);

// Writes rows [first_row, first_row + n) of the tensor, n = out.size() / tensor.columns().
// REQUIRES: out.size() is a multiple of the columns, the rows exist.
void DequantizeRows(const GgufTensor& tensor, uint64_t first_row, std::span<float> out);

}  // namespace tenon::model
