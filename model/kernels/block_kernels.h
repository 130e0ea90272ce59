// The loops of block_matmul.h for one kind of processor; included by one source a kind.
//
// TENON_KERNEL_NAMESPACE names the kind. The sources differ in the instructions that the compiler
// may use and in one function, the product of bytes. Everything lies in the kind's own namespace,
// so no other source of the program can be linked to code that its processor lacks.
//
// An AVX2 product of bytes sums pairs in 16 bits: u8 * s8 + u8 * s8. Unsigned values of b bits can
// be summed kSteps times before 16 bits overflow: 8 times for 4 bits (8 * 2 * 15 * 127 = 30,480), 4
// times for 5 bits, twice for 6 bits. Signed values of 8 bits are multiplied as |w| * (x with w's
// sign), each product widened at once. VNNI sums in 32 bits and needs none of it.
// Thread rule: pure functions.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "model/kernels/block_decoders.h"
#include "model/kernels/block_matmul.h"

#if !defined(__AVX2__)
#include "model/kernels/block_kernels_plain.h"
#else

#include <immintrin.h>

namespace tenon::model::TENON_KERNEL_NAMESPACE {

constexpr int kLanes = 8;        // rows of W in a tile
constexpr int kQuads = 8;        // steps of four columns in a group
constexpr int kTileRowsOfX = 6;  // rows of x that share a load of the tile

inline __m256i Load(const void* at) { return _mm256_load_si256(static_cast<const __m256i*>(at)); }
inline __m256i LoadAny(const void* at) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(at));
}

// Lane j: the sum of q[4j .. 4j+3] * x[4j .. 4j+3].
template <bool kSigned>
inline __m256i DotBytes(__m256i q, __m256i x) {
  if constexpr (kSigned) {
    x = _mm256_sign_epi8(x, q);
    q = _mm256_abs_epi8(q);
  }
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
  return _mm256_dpbusd_epi32(_mm256_setzero_si256(), q, x);
#else
  return _mm256_madd_epi16(_mm256_maddubs_epi16(q, x), _mm256_set1_epi16(1));
#endif
}

inline float SumOfLanes(__m256 v) {
  __m128 sum = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
  sum = _mm_add_ps(sum, _mm_movehl_ps(sum, sum));
  return _mm_cvtss_f32(_mm_add_ss(sum, _mm_movehdup_ps(sum)));
}

// Holds a sum in a register here. Without it g++ 12 first makes all products of an unrolled loop
// and adds them at its end, with far more values alive than there are registers.
inline void KeepInRegister(__m256i& sum) { asm("" : "+x"(sum)); }

template <typename Format>
inline void DecodeChunk(const BlockMatrix& w, int row, int c, Chunk& chunk) {
  constexpr int kChunkBytes = kGroups * kGroup / Format::kValues * Format::kBytes;
  const auto* bytes = reinterpret_cast<const uint8_t*>(w.data) +
                      static_cast<size_t>(row) * w.row_bytes + static_cast<size_t>(c) * kChunkBytes;
  Format::Decode(bytes, std::min(kGroups, w.columns / kGroup - c * kGroups), chunk);
}

// acc += the chunk times the same columns of row `of` of x.
template <typename Format>
inline __m256 AddChunk(const Chunk& chunk, int groups, const QuantizedRows& x, int of, int c,
                       __m256 acc) {
  const int8_t* values = x.values(of) + c * QuantizedRows::kChunk;
  const float* sums = x.sums(of) + c * 3 * kGroups;
  const __m256 x_scale = _mm256_loadu_ps(x.scales(of) + c * kGroups);
  // Two sums that do not wait for each other, nor for the chunk before.
  __m256 part[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
  alignas(32) float scale[2 * kGroups];
  _mm256_store_ps(scale, _mm256_mul_ps(_mm256_load_ps(chunk.scale), x_scale));
  if constexpr (Format::kHalves) {
    _mm256_store_ps(scale + kGroups, _mm256_mul_ps(_mm256_load_ps(chunk.scale + kGroups), x_scale));
    part[0] = _mm256_mul_ps(_mm256_load_ps(chunk.offset), _mm256_loadu_ps(sums + kGroups));
    part[1] =
        _mm256_mul_ps(_mm256_load_ps(chunk.offset + kGroups), _mm256_loadu_ps(sums + 2 * kGroups));
  } else if constexpr (!Format::kSigned) {
    part[0] = _mm256_mul_ps(_mm256_load_ps(chunk.offset), _mm256_loadu_ps(sums));
  }
#pragma GCC unroll 8
  for (int g = 0; g < groups; ++g) {
    const __m256i sum =
        DotBytes<Format::kSigned>(Load(chunk.q + g * kGroup), LoadAny(values + g * kGroup));
    __m256 of_group;
    if constexpr (Format::kHalves) {
      of_group = _mm256_insertf128_ps(_mm256_broadcast_ss(scale + g),
                                      _mm_broadcast_ss(scale + kGroups + g), 1);
    } else {
      of_group = _mm256_broadcast_ss(scale + g);
    }
    part[g % 2] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), of_group, part[g % 2]);
  }
  return _mm256_add_ps(acc, _mm256_add_ps(part[0], part[1]));
}

template <typename Format, int kRows>
inline void FewRows(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x,
                    int first_x, float* y, int y_stride) {
  Chunk chunk;
  for (int r = 0; r < n_rows; ++r) {
    __m256 acc[kRows];
    for (int i = 0; i < kRows; ++i) acc[i] = _mm256_setzero_ps();
    const int whole = w.columns / (kGroup * kGroups);
    for (int c = 0; c < whole; ++c) {
      DecodeChunk<Format>(w, first_row + r, c, chunk);
      for (int i = 0; i < kRows; ++i)
        acc[i] = AddChunk<Format>(chunk, kGroups, x, first_x + i, c, acc[i]);
    }
    if (const int rest = w.columns / kGroup - whole * kGroups; rest > 0) {
      DecodeChunk<Format>(w, first_row + r, whole, chunk);
      for (int i = 0; i < kRows; ++i)
        acc[i] = AddChunk<Format>(chunk, rest, x, first_x + i, whole, acc[i]);
    }
    for (int i = 0; i < kRows; ++i) y[static_cast<size_t>(i) * y_stride + r] = SumOfLanes(acc[i]);
  }
}

template <typename Format>
void AnyFewRows(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x,
                int first_x, int m, float* y, int y_stride) {
  switch (m) {
    case 1:
      return FewRows<Format, 1>(w, first_row, n_rows, x, first_x, y, y_stride);
    case 2:
      return FewRows<Format, 2>(w, first_row, n_rows, x, first_x, y, y_stride);
    case 3:
      return FewRows<Format, 3>(w, first_row, n_rows, x, first_x, y, y_stride);
    case 4:
      return FewRows<Format, 4>(w, first_row, n_rows, x, first_x, y, y_stride);
    default:
      FewRows<Format, 4>(w, first_row, n_rows, x, first_x, y, y_stride);
      return AnyFewRows<Format>(w, first_row, n_rows, x, first_x + 4, m - 4,
                                y + static_cast<size_t>(4) * y_stride, y_stride);
  }
}

// Eight rows of W, one chunk of columns.
struct Tile {
  alignas(32) uint8_t q[kGroups][kQuads][kLanes * 4];
  alignas(32) float scale[2 * kGroups][kLanes];
  alignas(32) float offset[2 * kGroups][kLanes];
};

// Transposes 8 x 8 words of four bytes: rows to lanes. row(r): the 32 bytes of row r. out: 8 x 32
// bytes.
template <typename Row>
inline void Transpose(const Row& row, void* out) {
  __m256i a[8], b[8];
  for (int r = 0; r < 8; ++r) a[r] = Load(row(r));
  for (int r = 0; r < 8; r += 2) {
    b[r] = _mm256_unpacklo_epi32(a[r], a[r + 1]);
    b[r + 1] = _mm256_unpackhi_epi32(a[r], a[r + 1]);
  }
  for (int r = 0; r < 8; r += 4) {
    a[r] = _mm256_unpacklo_epi64(b[r], b[r + 2]);
    a[r + 1] = _mm256_unpackhi_epi64(b[r], b[r + 2]);
    a[r + 2] = _mm256_unpacklo_epi64(b[r + 1], b[r + 3]);
    a[r + 3] = _mm256_unpackhi_epi64(b[r + 1], b[r + 3]);
  }
  for (int k = 0; k < 4; ++k) {
    auto* at = static_cast<__m256i*>(out) + k;
    _mm256_store_si256(at, _mm256_permute2x128_si256(a[k], a[k + 4], 0x20));
    _mm256_store_si256(at + 4, _mm256_permute2x128_si256(a[k], a[k + 4], 0x31));
  }
}

template <typename Format>
inline void FillTile(const BlockMatrix& w, int first_row, int c, Tile& tile) {
  Chunk rows[kLanes];
  for (int r = 0; r < kLanes; ++r) DecodeChunk<Format>(w, first_row + r, c, rows[r]);
  for (int g = 0; g < kGroups; ++g)
    Transpose([&](int r) { return rows[r].q + g * kGroup; }, tile.q[g]);
  for (int s = 0; s < (Format::kHalves ? 2 : 1) * kGroups; s += kGroups) {
    Transpose([&](int r) { return rows[r].scale + s; }, tile.scale[s]);
    if constexpr (!Format::kSigned)
      Transpose([&](int r) { return rows[r].offset + s; }, tile.offset[s]);
  }
}

// A lambda that is always inlined, and so early that its arrays become registers.
#define TENON_BODY __attribute__((always_inline))

// body(0), ..., body(kCount - 1), each with its number as a constant. Loops over registers are
// written so: where g++ sees an array with other numbers first, the array lives in memory, and a
// step takes up to twice as long.
template <int kCount, typename Body>
[[gnu::always_inline]] inline void Unrolled(const Body& body) {
  [&]<int... kNumbers>(std::integer_sequence<int, kNumbers...>) TENON_BODY {
    (body(std::integral_constant<int, kNumbers>()), ...);
  }
  (std::make_integer_sequence<int, kCount>());
}

// sum[i] += the products of `kCount` steps of the tile with row i of x; in 32 bits.
template <typename Format, int kRows, int kCount>
[[gnu::always_inline]] inline void AddSteps(const uint8_t (*q)[kLanes * 4],
                                            const int8_t* const (&x)[kRows],
                                            __m256i (&sum)[kRows]) {
  const auto four = [](const int8_t* at) {
    int32_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    return _mm256_set1_epi32(bytes);
  };
#if defined(__AVX512VNNI__) && defined(__AVX512VL__)
  Unrolled<kCount>([&](auto k) TENON_BODY {
    const __m256i w = Load(q[k]);
    Unrolled<kRows>([&](auto i) TENON_BODY {
      if constexpr (Format::kSigned) {
        sum[i] = _mm256_add_epi32(sum[i], DotBytes<true>(w, four(x[i] + 4 * k)));
      } else {
        sum[i] = _mm256_dpbusd_epi32(sum[i], w, four(x[i] + 4 * k));
      }
      KeepInRegister(sum[i]);
    });
  });
#else
  const __m256i ones = _mm256_set1_epi16(1);
  if constexpr (Format::kSigned) {
    Unrolled<kCount>([&](auto k) TENON_BODY {
      const __m256i w = Load(q[k]), size = _mm256_abs_epi8(w);
      Unrolled<kRows>([&](auto i) TENON_BODY {
        const __m256i pairs = _mm256_maddubs_epi16(size, _mm256_sign_epi8(four(x[i] + 4 * k), w));
        sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(pairs, ones));
        KeepInRegister(sum[i]);
      });
    });
  } else {
    constexpr int kSteps = std::min(kCount, 32767 / (2 * 127 * Format::kMaxValue));
    Unrolled<kCount / kSteps>([&](auto stretch) TENON_BODY {
      __m256i pairs[kRows];
      Unrolled<kSteps>([&](auto step) TENON_BODY {
        const int k = stretch * kSteps + step;
        const __m256i w = Load(q[k]);
        Unrolled<kRows>([&](auto i) TENON_BODY {
          const __m256i products = _mm256_maddubs_epi16(w, four(x[i] + 4 * k));
          pairs[i] = step == 0 ? products : _mm256_add_epi16(pairs[i], products);
          KeepInRegister(pairs[i]);
        });
      });
      Unrolled<kRows>([&](auto i) TENON_BODY {
        sum[i] = _mm256_add_epi32(sum[i], _mm256_madd_epi16(pairs[i], ones));
      });
    });
  }
#endif
}

// y[i][0 .. 7] += the tile times rows first_x + i of x, for kRows rows.
template <typename Format, int kRows>
inline void MultiplyTile(const Tile& tile, int groups, const QuantizedRows& x, int first_x, int c,
                         bool first, float* y, int y_stride) {
  constexpr int kParts = Format::kHalves ? 2 : 1;
  constexpr int kCount = kQuads / kParts;
  const int8_t* values[kRows];
  const float *scales[kRows], *sums[kRows];
  __m256 acc[kRows];
  for (int i = 0; i < kRows; ++i) {
    values[i] = x.values(first_x + i) + c * QuantizedRows::kChunk;
    scales[i] = x.scales(first_x + i) + c * kGroups;
    sums[i] = x.sums(first_x + i) + c * 3 * kGroups + (Format::kHalves ? kGroups : 0);
    acc[i] = first ? _mm256_setzero_ps() : _mm256_loadu_ps(y + static_cast<size_t>(i) * y_stride);
  }
  for (int g = 0; g < groups; ++g) {
    for (int part = 0; part < kParts; ++part) {
      __m256i sum[kRows];
      for (int i = 0; i < kRows; ++i) sum[i] = _mm256_setzero_si256();
      AddSteps<Format, kRows, kCount>(tile.q[g] + part * kCount, values, sum);
      const __m256 scale = _mm256_load_ps(tile.scale[part * kGroups + g]);
      for (int i = 0; i < kRows; ++i) {
        const __m256 factor = _mm256_mul_ps(scale, _mm256_broadcast_ss(scales[i] + g));
        acc[i] = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum[i]), factor, acc[i]);
        values[i] += 4 * kCount;
      }
      if constexpr (!Format::kSigned) {
        const __m256 offset = _mm256_load_ps(tile.offset[part * kGroups + g]);
        for (int i = 0; i < kRows; ++i) {
          acc[i] =
              _mm256_fmadd_ps(offset, _mm256_broadcast_ss(sums[i] + part * kGroups + g), acc[i]);
        }
      }
    }
  }
  for (int i = 0; i < kRows; ++i) _mm256_storeu_ps(y + static_cast<size_t>(i) * y_stride, acc[i]);
}

template <typename Format, int kRows = kTileRowsOfX - 1>
inline void MultiplyLastRows(const Tile& tile, int groups, const QuantizedRows& x, int first_x,
                             int m, int c, bool first, float* y, int y_stride) {
  if constexpr (kRows > 0) {
    if (m == kRows)
      return MultiplyTile<Format, kRows>(tile, groups, x, first_x, c, first, y, y_stride);
    MultiplyLastRows<Format, kRows - 1>(tile, groups, x, first_x, m, c, first, y, y_stride);
  }
}

// Chunk after chunk of columns: the chunk of x (256 bytes a row) stays in the core's cache while
// the tiles of all rows of W pass.
template <typename Format>
void ManyRows(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x, int first_x,
              int m, float* y, int y_stride) {
  Tile tile;
  for (int c = 0; c < x.chunks(); ++c) {
    const int groups = std::min(kGroups, w.columns / kGroup - c * kGroups);
    for (int r = 0; r < n_rows; r += kLanes) {
      FillTile<Format>(w, first_row + r, c, tile);
      int i = 0;
      for (; i + kTileRowsOfX <= m; i += kTileRowsOfX) {
        MultiplyTile<Format, kTileRowsOfX>(tile, groups, x, first_x + i, c, c == 0,
                                           y + static_cast<size_t>(i) * y_stride + r, y_stride);
      }
      MultiplyLastRows<Format>(tile, groups, x, first_x + i, m - i, c, c == 0,
                               y + static_cast<size_t>(i) * y_stride + r, y_stride);
    }
  }
}

template <typename Format>
BlockMatmul::Kernels KernelsOf() {
  return {AnyFewRows<Format>, ManyRows<Format>};
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE

#endif

namespace tenon::model::TENON_KERNEL_NAMESPACE {

inline void FillKernels(BlockMatmul::Kernels (&kernels)[kBlockFormats]) {
  const auto at = [&](BlockFormat format) -> BlockMatmul::Kernels& {
    return kernels[static_cast<int>(format)];
  };
  at(BlockFormat::kQ4_0) = KernelsOf<FormatQ4_0>();
  at(BlockFormat::kQ4_1) = KernelsOf<FormatQ4_1>();
  at(BlockFormat::kQ5_0) = KernelsOf<FormatQ5_0>();
  at(BlockFormat::kQ5_1) = KernelsOf<FormatQ5_1>();
  at(BlockFormat::kQ8_0) = KernelsOf<FormatQ8_0>();
  at(BlockFormat::kQ2_K) = KernelsOf<FormatQ2_K>();
  at(BlockFormat::kQ3_K) = KernelsOf<FormatQ3_K>();
  at(BlockFormat::kQ4_K) = KernelsOf<FormatQ4_K>();
  at(BlockFormat::kQ5_K) = KernelsOf<FormatQ5_K>();
  at(BlockFormat::kQ6_K) = KernelsOf<FormatQ6_K>();
  at(BlockFormat::kIq4Nl) = KernelsOf<FormatIq4Nl>();
  at(BlockFormat::kIq4Xs) = KernelsOf<FormatIq4Xs>();
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE
