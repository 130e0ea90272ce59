// The loops of block_matmul.h in plain C++, for processors without kernels of their own.
//
// A chunk is decoded and multiplied with each row of x, number by number. Example: on a 64-bit ARM
// the compiler turns its inner sum into NEON instructions. Included by block_kernels.h, in a
// namespace of the kind of processor.
// Cost: about a tenth of the speed of the AVX2 kernels. Thread rule: pure functions.
#pragma once

#include <algorithm>

#include "model/kernels/block_decoders.h"
#include "model/kernels/block_matmul.h"

namespace tenon::model::TENON_KERNEL_NAMESPACE {

template <typename Format>
inline float DotChunk(const Chunk& chunk, int groups, const int8_t* values, const float* scales,
                      const float* sums) {
  float total = 0;
  for (int g = 0; g < groups; ++g) {
    for (int half = 0; half < 2; ++half) {
      const int begin = g * kGroup + half * kHalf;
      int sum = 0;
      for (int i = begin; i < begin + kHalf; ++i) {
        const int q = Format::kSigned ? static_cast<int8_t>(chunk.q[i]) : chunk.q[i];
        sum += q * values[i];
      }
      const int of = Format::kHalves ? half * kGroups + g : g;
      total += static_cast<float>(sum) * chunk.scale[of] * scales[g];
      if (!Format::kSigned) total += chunk.offset[of] * sums[(half + 1) * kGroups + g];
    }
  }
  return total;
}

template <typename Format>
void Multiply(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x, int m,
              float* y, int y_stride) {
  constexpr int kChunkBytes = kGroups * kGroup / Format::kValues * Format::kBytes;
  Chunk chunk;
  for (int r = 0; r < n_rows; ++r) {
    for (int i = 0; i < m; ++i) y[static_cast<size_t>(i) * y_stride + r] = 0;
    const auto* row =
        reinterpret_cast<const uint8_t*>(w.data) + static_cast<size_t>(first_row + r) * w.row_bytes;
    for (int c = 0; c < x.chunks(); ++c) {
      const int groups = std::min(kGroups, w.columns / kGroup - c * kGroups);
      Format::Decode(row + static_cast<size_t>(c) * kChunkBytes, groups, chunk);
      for (int i = 0; i < m; ++i) {
        y[static_cast<size_t>(i) * y_stride + r] +=
            DotChunk<Format>(chunk, groups, x.values(i) + c * QuantizedRows::kChunk,
                             x.scales(i) + c * kGroups, x.sums(i) + c * 3 * kGroups);
      }
    }
  }
}

template <typename Format>
BlockMatmul::Kernel KernelOf() {
  return Multiply<Format>;
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE
