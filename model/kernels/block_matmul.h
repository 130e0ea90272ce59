// Products of activations with stored blocks: y = x * transpose(W), W in panels (panel_matrix.h).
//
// Weights keep the few bits that the file gives them. One token must read every weight once, so the
// size of the stored weights bounds the speed of decoding; a prompt reads them once for many
// tokens, and the speed of the processor's 8-bit products bounds it.
//
// A panel is decoded to a tile of whole bytes, 256 columns at a time, a lane a row of W. The tile
// stays in the first-level cache while it is multiplied with all rows of x.
//
// Example of a tile: lane r of step k holds W[r][4k .. 4k+3]. A step multiplies it with the four
// numbers x[i][4k .. 4k+3], copied to all lanes, so lane r sums row r of the result.
//
//   lane      0          1          ...  15
//   step 0    W[0][0-3]  W[1][0-3]       W[15][0-3]    * x[i][0-3] in all lanes
//   step 1    W[0][4-7]  W[1][4-7]       W[15][4-7]    * x[i][4-7] in all lanes
//
// The sums of a group are integers, so they are exact. A row of x has the same sums in the same
// order whatever the other rows are. So a token that is computed along with others has the same
// numbers, bit by bit, as alone.
//
// Kernels exist for AVX-512 with VNNI, for AVX2, and in plain C++ for any processor. Processors
// with AMX multiply many rows of x in bfloat16 (block_kernels_amx.cpp), which is nearer to the
// product of floats than bytes are. There, too, a row has the same numbers whatever the other rows
// of such a product are; few rows are in bytes on every processor (FormFor).
// Why not Google Highway: the version of Debian 12 (1.0.3) has no product of unsigned with signed
// bytes, the one instruction that matters here. All but these products is written once, on vectors
// of the compiler's own (panel_formats.h).
// Cost: docs/models.md has figures. Thread rule: pure functions; products of different panels may
// run concurrently.
#pragma once

#include <cstdint>

#include "model/kernels/activation_rows.h"
#include "model/kernels/block_format.h"
#include "model/kernels/panel_matrix.h"

namespace tenon::model {

enum class ProcessorKind : uint8_t { kPlain, kAvx2, kVnni, kAmx };
// The best kind that this processor can run, and that the system lets this process use.
ProcessorKind ThisProcessor();

class BlockMatmul {
 public:
  // kind: at most ThisProcessor().
  explicit BlockMatmul(ProcessorKind kind = ThisProcessor());

  // Rows [first, first + count) of x.
  struct Rows {
    int first = 0;
    int count = 0;
  };
  enum class Into : uint8_t { kReplace, kAdd };  // y = or y +=

  // The form in which so many rows of x are multiplied fastest.
  [[nodiscard]] ActivationForm FormFor(int rows) const;

  // y[i * y_stride + r] = x[rows.first + i] * W[r], for i < rows.count and all rows of W.
  // REQUIRES: x has W's columns, and the rows exist; it has bytes, or this kind is kAmx.
  void Multiply(const PanelMatrix& w, const ActivationRows& x, Rows rows, float* y, int y_stride,
                Into into = Into::kReplace) const;

  // Multiply for one format and kind of processor; private to the room.
  using Kernel = void (*)(const PanelMatrix& w, const ActivationRows& x, Rows rows, float* y,
                          int y_stride, Into into);

 private:
  // Of fewer, the preparation of W takes longer than products of bytes.
  static constexpr int kRowsInBFloat16 = 48;

  ProcessorKind kind_;
  Kernel kernels_[kBlockFormats];
  Kernel of_numbers_[kBlockFormats] = {};  // of x in bfloat16
};

}  // namespace tenon::model
