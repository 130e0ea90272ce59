// Stored blocks, laid out once for products: thirty-two rows side by side.
//
// A file keeps a row of weights in one piece. A product wants the same column of many rows at once,
// one row in each lane of a vector. So the rows are regrouped when a model is loaded: thirty-two
// rows are a *panel*, and a panel's bytes come in the order in which a product needs them, one
// stream that the processor foresees. No value changes, and a value takes the bits that it takes in
// the file.
//
// Example, format Q4_0: columns 0 to 31 of half a panel are sixteen 16-bit scales and four lines of
// 64 bytes. Byte 4 r + b of line j has W[r][4 j + b] in its low half and W[r][4 j + b + 16] in its
// high half, so two instructions turn a line into two vectors of four columns each:
//
//   lane         0            1            ...  15
//   line 0, low  W[0][0-3]    W[1][0-3]         W[15][0-3]
//          high  W[0][16-19]  W[1][16-19]       W[15][16-19]
//
//   panel   | chunk 0: columns 0-255 | chunk 1: columns 256-511 | ...
//   chunk   | rows 0-15 | rows 16-31 |
//   rows    scales of all groups, up to a multiple of 64 bytes; then for each group of 32 columns:
//           4 lines of half bytes, 2 of pairs of bits, 1 of single bits, or 8 of bytes, as the
//           format's width needs them (panel_formats.h)
//
// The last panel is filled up with rows of zeros.
// Cost: packing reads and writes each weight once, 1 GB/s a thread. Memory: the file's size, and 1
// to 6 % more where a format packs its scales into a few bits (Q2_K: 19 %).
// Thread rule: values; packing different matrices may run concurrently.
#pragma once

#include <cstddef>
#include <cstdint>

#include "model/kernels/block_format.h"

namespace tenon::model {

// A view of packed rows; the bytes belong to the caller.
struct PanelMatrix {
  static constexpr int kRows = 32;          // of a panel
  static constexpr size_t kAlignment = 64;  // of `data`

  BlockFormat format = BlockFormat::kQ8_0;
  int rows = 0;
  int columns = 0;
  const uint8_t* data = nullptr;
};

// The bytes that `rows` rows of `columns` values take in panels, a multiple of
// PanelMatrix::kAlignment.
size_t PanelBytes(BlockFormat format, int rows, int columns);
// Packs rows [first, first + count) of `matrix` to `out`, PanelBytes of them. REQUIRES: the rows
// exist; `out` is aligned.
PanelMatrix PackPanels(const BlockMatrix& matrix, int first, int count, uint8_t* out);

// A number for this layout: programs with the same number pack the same blocks to the same bytes.
// It is the hash of what PackPanels makes of a sample of every format, so a change of the layout
// changes it by itself. Cost: 1 ms.
[[nodiscard]] uint64_t PanelLayout();

}  // namespace tenon::model
