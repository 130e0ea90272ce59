// Stored weights to floats.
//
// A row is a sequence of blocks: 32 values that share a scale d (and, in Q4_1, a minimum m), float16 both.
//   Q8_0: x[i] = d * q[i], q signed 8 bits        Q4_0: x[i] = d * (q[i] - 8), q unsigned 4 bits
//   Q4_1: x[i] = d * q[i] + m                     F32, F16, BF16: one value a "block"
// In 4-bit blocks byte i holds value i in its low half and value i + 16 in its high half.
//
// Source: https://github.com/ggml-org/ggml, ggml-quants.c (the layout; the code here is our own).
// Cost: about 1 GB/s of floats a thread. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>

#include "model/gguf.h"

namespace tenon::model {

float HalfToFloat(uint16_t half);

// Writes rows [first_row, first_row + n) of the tensor, n = out.size() / tensor.columns().
// REQUIRES: out.size() is a multiple of the columns, the rows exist.
void DequantizeRows(const GgufTensor& tensor, uint64_t first_row, std::span<float> out);

}  // namespace tenon::model
