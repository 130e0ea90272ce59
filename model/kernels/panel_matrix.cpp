#include "model/kernels/panel_matrix.h"

#include <algorithm>
#include <cassert>

#define TENON_KERNEL_NAMESPACE panel_packing
#include "model/kernels/panel_formats.h"

namespace tenon::model {
namespace {

using panel_packing::BytesOfRows;
using panel_packing::kGroup;
using panel_packing::kGroups;
using panel_packing::kLineRows;
using panel_packing::PanelBytesOf;
using panel_packing::WithFormat;

size_t PanelsOf(int rows) {
  return (static_cast<size_t>(rows) + PanelMatrix::kRows - 1) / PanelMatrix::kRows;
}

template <typename Format>
void Pack(const BlockMatrix& matrix, int first, int count, uint8_t* out) {
  const int groups = matrix.columns / kGroup;
  const auto* data = reinterpret_cast<const uint8_t*>(matrix.data);
  for (int panel = 0; panel < count; panel += PanelMatrix::kRows) {
    for (int g = 0; g < groups; g += kGroups) {
      const int of_chunk = std::min(kGroups, groups - g);
      const size_t at = static_cast<size_t>(g) * kGroup / Format::kValues * Format::kBytes;
      for (int half = 0; half < PanelMatrix::kRows; half += kLineRows) {
        const auto row = [&](int r) {
          const int of_matrix = panel + half + r;
          return of_matrix < count
                     ? data + static_cast<size_t>(first + of_matrix) * matrix.row_bytes + at
                     : nullptr;
        };
        panel_packing::PackRows<Format>(row, of_chunk, out);
        out += BytesOfRows<Format>(of_chunk);
      }
    }
  }
}

}  // namespace

BlockSize SizeOf(BlockFormat format) {
  return WithFormat(format, [](auto of) {
    return BlockSize{decltype(of)::kValues, decltype(of)::kBytes};
  });
}

size_t PanelBytes(BlockFormat format, int rows, int columns) {
  return WithFormat(format, [&](auto of) {
    return PanelsOf(rows) * PanelBytesOf<decltype(of)>(columns / kGroup);
  });
}

PanelMatrix PackPanels(const BlockMatrix& matrix, int first, int count, uint8_t* out) {
  assert(first >= 0 && count >= 0 && first + count <= matrix.rows);
  assert(reinterpret_cast<uintptr_t>(out) % PanelMatrix::kAlignment == 0);
  WithFormat(matrix.format, [&](auto of) { Pack<decltype(of)>(matrix, first, count, out); });
  return {matrix.format, count, matrix.columns, out};
}

}  // namespace tenon::model
