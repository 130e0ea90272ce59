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
#include <vector>

#include "model/kernels/block_decoders.h"
#include "model/kernels/block_matmul.h"

#if !defined(__AVX2__)
#include "model/kernels/block_kernels_plain.h"
#else

#include <immintrin.h>

namespace tenon::model::TENON_KERNEL_NAMESPACE {

constexpr int kLanes = 8;               // rows of W in a tile
constexpr int kQuads = 8;               // steps of four columns in a group
constexpr int kTileRowsOfX = 6;         // rows of x that share a load of the tile
constexpr int kChunksAtOnce = 36;       // of one row of x
constexpr int kStripBytes = 128 << 10;  // of x: they stay in the core's cache

// The groups of chunk c of a row.
inline int GroupsOf(const BlockMatrix& w, int c) {
  return std::min(kGroups, w.columns / kGroup - c * kGroups);
}

template <typename Format>
constexpr int kChunkBytes = kGroups* kGroup / Format::kValues* Format::kBytes;

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

// Holds a sum in a register here. Without it g++ 12 first makes all products of an unrolled loop
// and adds them at its end, with far more values alive than there are registers.
inline void KeepInRegister(__m256i& sum) { asm("" : "+x"(sum)); }

// The bytes of chunk c of a row of W, or of its last row for those after it.
template <typename Format>
inline const uint8_t* ChunkBytes(const BlockMatrix& w, int row, int c) {
  return reinterpret_cast<const uint8_t*>(w.data) +
         static_cast<size_t>(std::min(row, w.rows - 1)) * w.row_bytes +
         static_cast<size_t>(c) * kChunkBytes<Format>;
}

// Some chunks of eight rows of W, row after row: memory is read in its order, or the processor does
// not foresee what comes next.
struct DecodedRows {
  static constexpr int kMost = 8;
  Chunk chunks[kLanes][kMost];
};

// The same eight rows, one chunk of columns, laid across vectors.
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

// Chunk c of eight decoded rows of W, as a tile: its scales and offsets, and its values.
template <typename Format>
inline void FillScales(const DecodedRows& rows, int c, Tile& tile) {
  for (int s = 0; s < (Format::kHalves ? 2 : 1) * kGroups; s += kGroups) {
    Transpose([&](int r) { return rows.chunks[r][c].scale + s; }, tile.scale[s]);
    if constexpr (!Format::kSigned)
      Transpose([&](int r) { return rows.chunks[r][c].offset + s; }, tile.offset[s]);
  }
}

inline void FillValues(const DecodedRows& rows, int c, Tile& tile) {
  for (int g = 0; g < kGroups; ++g)
    Transpose([&](int r) { return rows.chunks[r][c].q + g * kGroup; }, tile.q[g]);
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

// A lane a row of W, a group or half of one: acc += scale * x_scale * sum + offset * x_sum.
template <typename Format>
[[gnu::always_inline]] inline __m256 AddGroup(const Tile& tile, int at, __m256i sum,
                                              const float* x_scale, const float* x_sum,
                                              __m256 acc) {
  const __m256 factor = _mm256_mul_ps(_mm256_load_ps(tile.scale[at]), _mm256_broadcast_ss(x_scale));
  acc = _mm256_fmadd_ps(_mm256_cvtepi32_ps(sum), factor, acc);
  if constexpr (Format::kSigned) return acc;
  return _mm256_fmadd_ps(_mm256_load_ps(tile.offset[at]), _mm256_broadcast_ss(x_sum), acc);
}

// y[i][0 .. 7] += the tile times rows first_x + i of x, for kRows rows; = for the first chunk.
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
      const int at = part * kGroups + g;
      for (int i = 0; i < kRows; ++i) {
        acc[i] = AddGroup<Format>(tile, at, sum[i], scales[i] + g, sums[i] + at, acc[i]);
        values[i] += 4 * kCount;
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

// Decodes chunk c of a row of W. The bytes of 4 KB later are asked for: the processor foresees
// those of the same page only.
template <typename Format>
inline void DecodeChunk(const BlockMatrix& w, int row, int c, Chunk& chunk) {
  constexpr int kAhead = 4096, kLine = 64;
  const uint8_t* bytes = ChunkBytes<Format>(w, row, c);
  for (int at = 0; at < kChunkBytes<Format>; at += kLine)
    _mm_prefetch(reinterpret_cast<const char*>(bytes) + kAhead + at, _MM_HINT_T0);
  Format::Decode(bytes, GroupsOf(w, c), chunk);
}

// Lane j of `first`: the sum of lanes 0 .. 3 of row[j]; of `second`: that of its lanes 4 .. 7.
inline void SumHalves(const __m256i (&row)[kLanes], __m256i& first, __m256i& second) {
  const auto four = [&](int r) {
    return _mm256_hadd_epi32(_mm256_hadd_epi32(row[r], row[r + 1]),
                             _mm256_hadd_epi32(row[r + 2], row[r + 3]));
  };
  const __m256i low = four(0), high = four(4);
  first = _mm256_permute2x128_si256(low, high, 0x20);
  second = _mm256_permute2x128_si256(low, high, 0x31);
}

// One row of W times the row of x, a chunk of columns, before floats: an integer a group (or half).
template <typename Format>
struct Sums {
  static constexpr int kNumbers = (Format::kHalves ? 2 : 1) * kGroups;
  alignas(32) int32_t sum[kNumbers];
  alignas(32) float scale[kNumbers];
  alignas(32) float offset[kNumbers];
};

template <typename Format>
inline void SumChunk(const BlockMatrix& w, int row, int c, const int8_t* of_x, Sums<Format>& sums) {
  Chunk chunk;
  DecodeChunk<Format>(w, row, c, chunk);
  __m256i of_group[kGroups], first, second;
  Unrolled<kGroups>([&](auto g) TENON_BODY {
    of_group[g] = DotBytes<Format::kSigned>(Load(chunk.q + g * kGroup), LoadAny(of_x + g * kGroup));
  });
  SumHalves(of_group, first, second);
  auto* sum = reinterpret_cast<__m256i*>(sums.sum);
  _mm256_store_si256(sum, Format::kHalves ? first : _mm256_add_epi32(first, second));
  if constexpr (Format::kHalves) _mm256_store_si256(sum + 1, second);
  for (int s = 0; s < Sums<Format>::kNumbers; s += kGroups) {
    _mm256_store_ps(sums.scale + s, _mm256_load_ps(chunk.scale + s));
    if constexpr (!Format::kSigned)
      _mm256_store_ps(sums.offset + s, _mm256_load_ps(chunk.offset + s));
  }
}

// One row of x: every weight is needed once, so each row of W is read in its order and multiplied
// at once. The numbers are those of a tile. y[0 .. 7] += eight rows of W times x, for chunks
// [begin, end).
template <typename Format>
inline void MultiplyOneRow(const BlockMatrix& w, int first_row, const QuantizedRows& x, int begin,
                           int end, float* y) {
  Sums<Format> sums[kLanes][kChunksAtOnce];
  for (int lane = 0; lane < kLanes; ++lane) {
    for (int c = begin; c < end; ++c) {
      SumChunk<Format>(w, first_row + lane, c, x.values(0) + c * QuantizedRows::kChunk,
                       sums[lane][c - begin]);
    }
  }
  __m256 acc = begin == 0 ? _mm256_setzero_ps() : _mm256_loadu_ps(y);
  for (int c = begin; c < end; ++c) {
    Tile tile;
    alignas(32) int32_t of_group[2 * kGroups][kLanes];
    for (int s = 0; s < Sums<Format>::kNumbers; s += kGroups) {
      Transpose([&](int r) { return sums[r][c - begin].sum + s; }, of_group[s]);
      Transpose([&](int r) { return sums[r][c - begin].scale + s; }, tile.scale[s]);
      if constexpr (!Format::kSigned)
        Transpose([&](int r) { return sums[r][c - begin].offset + s; }, tile.offset[s]);
    }
    const float* x_scales = x.scales(0) + c * kGroups;
    const float* x_sums = x.sums(0) + c * 3 * kGroups + (Format::kHalves ? kGroups : 0);
    for (int g = 0; g < GroupsOf(w, c); ++g) {
      for (int at = g; at < Sums<Format>::kNumbers; at += kGroups)
        acc = AddGroup<Format>(tile, at, Load(of_group[at]), x_scales + g, x_sums + at, acc);
    }
  }
  _mm256_storeu_ps(y, acc);
}

// y[i][0 .. 7] += chunk c of eight rows of W times all rows of x; chunk `in_rows` of `rows`.
template <typename Format>
inline void MultiplyChunk(const DecodedRows& rows, int in_rows, int groups, const QuantizedRows& x,
                          int m, int c, float* y, int y_stride) {
  Tile tile;
  FillScales<Format>(rows, in_rows, tile);
  FillValues(rows, in_rows, tile);
  int i = 0;
  for (; i + kTileRowsOfX <= m; i += kTileRowsOfX) {
    MultiplyTile<Format, kTileRowsOfX>(tile, groups, x, i, c, c == 0,
                                       y + static_cast<size_t>(i) * y_stride, y_stride);
  }
  MultiplyLastRows<Format>(tile, groups, x, i, m - i, c, c == 0,
                           y + static_cast<size_t>(i) * y_stride, y_stride);
}

// Strip after strip of columns, so that the strip of x stays in the core's cache while the tiles of
// all rows of W pass.
template <typename Format>
void Multiply(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x, int m,
              float* y, int y_stride) {
  DecodedRows rows;
  const int strip = m == 1
                        ? kChunksAtOnce
                        : std::clamp(kStripBytes / (m * kGroups * kGroup), 1, DecodedRows::kMost);
  // Columns of chunks [begin, end) of the tile at row r of the result.
  const auto step = [&](int r, int begin, int end, float* of_tile, int stride) {
    if (m == 1) return MultiplyOneRow<Format>(w, first_row + r, x, begin, end, of_tile);
    for (int lane = 0; lane < kLanes; ++lane) {
      for (int c = begin; c < end; ++c)
        DecodeChunk<Format>(w, first_row + r + lane, c, rows.chunks[lane][c - begin]);
    }
    for (int c = begin; c < end; ++c)
      MultiplyChunk<Format>(rows, c - begin, GroupsOf(w, c), x, m, c, of_tile, stride);
  };
  const int whole = n_rows / kLanes * kLanes;
  for (int c = 0; c < x.chunks(); c += strip) {
    for (int r = 0; r < whole; r += kLanes)
      step(r, c, std::min(c + strip, x.chunks()), y + r, y_stride);
  }
  if (whole == n_rows) return;
  // The last tile has lanes of no row, whose results go nowhere.
  std::vector<float> last(static_cast<size_t>(m) * kLanes);
  for (int c = 0; c < x.chunks(); c += strip)
    step(whole, c, std::min(c + strip, x.chunks()), last.data(), kLanes);
  for (int i = 0; i < m; ++i) {
    std::copy_n(last.data() + static_cast<size_t>(i) * kLanes, n_rows - whole,
                y + static_cast<size_t>(i) * y_stride + whole);
  }
}

template <typename Format>
BlockMatmul::Kernel KernelOf() {
  return Multiply<Format>;
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE

#endif

namespace tenon::model::TENON_KERNEL_NAMESPACE {

inline void FillKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]) {
  const auto at = [&](BlockFormat format) -> BlockMatmul::Kernel& {
    return kernels[static_cast<int>(format)];
  };
  at(BlockFormat::kQ4_0) = KernelOf<FormatQ4_0>();
  at(BlockFormat::kQ4_1) = KernelOf<FormatQ4_1>();
  at(BlockFormat::kQ5_0) = KernelOf<FormatQ5_0>();
  at(BlockFormat::kQ5_1) = KernelOf<FormatQ5_1>();
  at(BlockFormat::kQ8_0) = KernelOf<FormatQ8_0>();
  at(BlockFormat::kQ2_K) = KernelOf<FormatQ2_K>();
  at(BlockFormat::kQ3_K) = KernelOf<FormatQ3_K>();
  at(BlockFormat::kQ4_K) = KernelOf<FormatQ4_K>();
  at(BlockFormat::kQ5_K) = KernelOf<FormatQ5_K>();
  at(BlockFormat::kQ6_K) = KernelOf<FormatQ6_K>();
  at(BlockFormat::kIq4Nl) = KernelOf<FormatIq4Nl>();
  at(BlockFormat::kIq4Xs) = KernelOf<FormatIq4Xs>();
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE
