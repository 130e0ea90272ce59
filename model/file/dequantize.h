// Stored weights to floats.
//
// A file stores most weights as small integers with a common scale ("quantized"), which saves
// memory at the price of accuracy. A row is a sequence of blocks. x[i] is value i of a block, q[i]
// its stored integer, d and m are halves (16-bit floats).
//
//   F32, F16, BF16   a block is one value
//
// Blocks of 32 values: one scale d, and in some types a minimum m.
//
//   type     bytes   x[i]                bits of q[i]
//   Q8_0        34   d * q[i]            8, signed
//   Q4_0        18   d * (q[i] - 8)      4
//   Q4_1        20   d * q[i] + m        4
//   Q5_0        22   d * (q[i] - 16)     5
//   Q5_1        24   d * q[i] + m        5
//   IQ4_NL      18   d * u[q[i]]         4: an index in u, 16 fixed values from -127 to 113
//
// Super-blocks of 256 values, in sub-blocks of 16 or 32: one scale d for all, a small integer s[j]
// for sub-block j, and in some types a second scale m of small minima t[j].
//
//   type     bytes   x[i]                               sub-block   bits of q, s, t
//   Q2_K        84   d * s[j] * q[i] - m * t[j]                16   2, 4, 4
//   Q3_K       110   d * (s[j] - 32) * (q[i] - 4)              16   3, 6
//   Q4_K       144   d * s[j] * q[i] - m * t[j]                32   4, 6, 6
//   Q5_K       176   d * s[j] * q[i] - m * t[j]                32   5, 6, 6
//   Q6_K       210   d * s[j] * (q[i] - 32)                    16   6, 8 (signed)
//   IQ4_XS     136   d * (s[j] - 32) * u[q[i]]                 32   4, 6
//
// The products are exact in a float: a half has 11 bits, the integers no more than 13 together. So
// a value is rounded at most once, in the sum, and every reader of the format gets the same floats.
// small_blocks.h and super_blocks.h say where in the block each bit lies.
// Example: a Q8_0 block with d = 0.5 and q = {3, -2, ...} is the values {1.5, -1, ...}.
//
// Source: https://github.com/ggml-org/ggml, ggml-common.h and ggml-quants.c (the layouts; the code
// is our own).
// Cost: 2.5 GB/s of floats a thread and more. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/file/gguf.h"
#include "model/file/half.h"

namespace tenon::model {

// Writes rows [first_row, first_row + n) of the tensor, n = out.size() / tensor.columns().
// REQUIRES: out.size() is a multiple of the columns, the rows exist.
void DequantizeRows(const GgufTensor& tensor, uint64_t first_row, std::span<float> out);
// The first row with a NaN or an infinity, such as the scale of a block in a damaged file; nothing
// where every number is one. Reads two or four bytes of each block.
std::optional<uint64_t> FindRowNotFinite(const GgufTensor& tensor);

}  // namespace tenon::model
