// Products of activations with stored blocks: y = x * transpose(W), W in the file's own bytes.
//
// Nothing is unpacked ahead of time: a matrix stays as the file has it, mapped into memory, and its
// blocks become small integers in registers. One token must read every weight once, so the size of
// the stored weights bounds the speed of decoding.
//
// Eight rows of W are decoded to a tile, 256 columns at a time, and laid across a vector, a lane a
// row of W. The tile is multiplied with all rows of x. A single row of x takes a shorter way to the
// same numbers: each row of W is multiplied as it is decoded, and only the integer sums are laid
// across. Its speed is that of memory; that of many rows is the speed of the processor's 8-bit
// products.
//
// Example of a tile: lane r of step k holds W[r][4k .. 4k+3]. A step multiplies it with the four
// numbers x[i][4k .. 4k+3], copied to all lanes, so lane r sums row r of the result.
//
//   lane      0          1          ...  7
//   step 0    W[0][0-3]  W[1][0-3]       W[7][0-3]    * x[i][0-3] in all lanes
//   step 1    W[0][4-7]  W[1][4-7]       W[7][4-7]    * x[i][4-7] in all lanes
//
// A row of x has the same sums in the same order whatever the other rows are. So a token that is
// computed along with others has the same numbers, bit by bit, as alone.
//
// Kernels exist for AVX2, for AVX2 with VNNI, and in plain C++ for any processor.
// Why not Google Highway: the version of Debian 12 (1.0.3) has no product of unsigned with signed
// bytes, the one instruction that matters here. The decoders are plain loops, compiled for each
// kind of processor; only the products are written for each.
// Cost: docs/models.md has figures. Thread rule: pure functions; pieces of a product may run
// concurrently.
#pragma once

#include <cstdint>

#include "model/kernels/block_format.h"
#include "model/kernels/quantized_rows.h"

namespace tenon::model {

// The storage of a format: blocks of `values` values in `bytes` bytes.
struct BlockSize {
  int values = 0;
  int bytes = 0;
};
BlockSize SizeOf(BlockFormat format);

enum class ProcessorKind : uint8_t { kPlain, kAvx2, kVnni };
// The best kind that this processor can run.
ProcessorKind ThisProcessor();

class BlockMatmul {
 public:
  // kind: at most ThisProcessor().
  explicit BlockMatmul(ProcessorKind kind = ThisProcessor());

  // y[i * y_stride + r] = x[i] * W[first_row + r], for rows i < m of x and r < n_rows.
  // REQUIRES: x has W's columns and m rows or more; the rows exist.
  void Multiply(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x, int m,
                float* y, int y_stride) const;

  // Multiply for one format and kind of processor; private to the room.
  using Kernel = void (*)(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x,
                          int m, float* y, int y_stride);

 private:
  Kernel kernels_[kBlockFormats];
};

}  // namespace tenon::model
