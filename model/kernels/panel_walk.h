// The order in which a product reads a matrix in panels (panel_matrix.h): which chunk comes next.
//
// Strip after strip of columns, so that the strip of x stays in the core's cache while all panels
// of W pass:
//
//             strip 0            strip 1
//   panel 0   chunk 0  chunk 1   chunk 2  chunk 3      0 1 of panel 0, 0 1 of panel 1,
//   panel 1   chunk 0  chunk 1   chunk 2  chunk 3      2 3 of panel 0, 2 3 of panel 1
//
// Included by the kernels alone, in the namespace of their kind of processor.
// Source: our own; figures in docs/measured_completion.md. Cost: none beside the products. Thread
// rule: pure functions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "model/kernels/block_matmul.h"
#include "model/kernels/panel_formats.h"

namespace tenon::model::TENON_KERNEL_NAMESPACE {

// Bytes of W that are needed soon. The processor foresees them while W is read, and forgets them
// while a tile is multiplied; so a share of them is asked for before each step of rows of x.
class Ahead {
 public:
  // steps: of the tile.
  Ahead(const uint8_t* begin, int bytes, int steps)
      : at_(begin), end_(begin + bytes), share_((bytes / kLine + steps - 1) / steps * kLine) {}

  void AskForShare() {
    const uint8_t* end = std::min(at_ + share_, end_);
    for (; at_ < end; at_ += kLine) __builtin_prefetch(at_, 0, kIntoSecondLevel);
  }

 private:
  static constexpr int kIntoSecondLevel = 2;  // the first-level cache is the tile's
  const uint8_t* at_;
  const uint8_t* end_;
  int share_;
};

constexpr int kStripBytes = 512 << 10;  // of x: they stay in the core's cache

// A chunk of a panel, and the one that is multiplied after it.
struct ChunkAt {
  const uint8_t* chunk = nullptr;
  int number = 0;  // of the chunk in its panel
  int groups = 0;
  bool first = false;  // the results are new: nothing is added to them
  const uint8_t* next = nullptr;
  int next_bytes = 0;
};

struct ShapeOfX {
  int rows = 0;
  int bytes_of_chunk = 0;  // of a row
};

// use(chunk, y, y_stride) of each chunk: y[.][0 .. 31] are the results of its panel.
template <typename Format, typename Use>
void EachChunk(const PanelMatrix& w, ShapeOfX x, float* y, int y_stride, BlockMatmul::Into into,
               const Use& use) {
  constexpr int kRows = PanelMatrix::kRows;
  const int m = x.rows;
  const int groups = w.columns / kGroup;
  const int chunks = (groups + kGroups - 1) / kGroups;
  const int whole = w.rows / kRows, panels = (w.rows + kRows - 1) / kRows;
  const int strip = m == 1 ? chunks : std::clamp(kStripBytes / (m * x.bytes_of_chunk), 1, chunks);
  // The results of a last panel that rows of zeros fill up.
  std::vector<float> last(whole == panels ? 0 : static_cast<size_t>(m) * kRows);
  const auto groups_of = [&](int c) { return std::min(kGroups, groups - c * kGroups); };
  const auto chunk_at = [&](int p, int c) {
    return w.data + p * PanelBytesOf<Format>(groups) +
           static_cast<size_t>(c) * kHalves * BytesOfRows<Format>(kGroups);
  };
  for (int begin = 0; begin < chunks; begin += strip) {
    const int end = std::min(begin + strip, chunks);
    for (int p = 0; p < panels; ++p) {
      for (int c = begin; c < end; ++c) {
        const bool adds = p < whole && into == BlockMatmul::Into::kAdd;
        ChunkAt at{
            .chunk = chunk_at(p, c), .number = c, .groups = groups_of(c), .first = c == 0 && !adds};
        const bool goes_on = c + 1 < end;
        if (goes_on || p + 1 < panels) {
          at.next = goes_on ? chunk_at(p, c + 1) : chunk_at(p + 1, begin);
          at.next_bytes = kHalves * BytesOfRows<Format>(groups_of(goes_on ? c + 1 : begin));
        }
        if (p < whole) {
          use(at, y + p * kRows, y_stride);
        } else {
          use(at, last.data(), kRows);
        }
      }
    }
  }
  for (int i = 0; i < m && whole < panels; ++i) {
    const float* of_last = last.data() + static_cast<size_t>(i) * kRows;
    float* out = y + static_cast<size_t>(i) * y_stride + static_cast<size_t>(whole) * kRows;
    for (int r = 0; r < w.rows % kRows; ++r)
      out[r] = into == BlockMatmul::Into::kAdd ? out[r] + of_last[r] : of_last[r];
  }
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE
