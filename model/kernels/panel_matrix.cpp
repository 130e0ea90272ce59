#include "model/kernels/panel_matrix.h"

#include <algorithm>
#include <cassert>
#include <cstdlib>
#include <memory>
#include <new>
#include <vector>

#include <xxhash.h>

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

uint64_t PanelLayout() {
  // Two panels, the second one not full; a whole chunk of columns, and where blocks allow it a part
  // of another.
  constexpr int kRows = PanelMatrix::kRows + 8;
  constexpr int kChunk = kGroups * kGroup;
  XXH64_hash_t hash = PanelMatrix::kAlignment;
  for (int i = 0; i < kBlockFormats; ++i) {
    const auto format = static_cast<BlockFormat>(i);
    const BlockSize block = SizeOf(format);
    const int columns = block.values == kChunk ? kChunk : kChunk + kGroup;
    const auto row_bytes = static_cast<size_t>(columns / block.values) * block.bytes;
    std::vector<std::byte> blocks(kRows * row_bytes);
    uint32_t state = 1;  // of a linear congruential generator: any bytes will do
    for (std::byte& byte : blocks) {
      state = state * 1664525u + 1013904223u;
      byte = static_cast<std::byte>(state >> 24);
    }
    const size_t bytes = PanelBytes(format, kRows, columns);
    const std::unique_ptr<uint8_t, decltype(&std::free)> panels(
        static_cast<uint8_t*>(std::aligned_alloc(PanelMatrix::kAlignment, bytes)), &std::free);
    if (panels == nullptr) throw std::bad_alloc();
    PackPanels({format, kRows, columns, row_bytes, blocks.data()}, 0, kRows, panels.get());
    hash = XXH3_64bits_withSeed(panels.get(), bytes, hash);
  }
  return hash;
}

}  // namespace tenon::model
