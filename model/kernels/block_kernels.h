// The loops of block_matmul.h for one kind of processor; included by one source a kind.
//
// TENON_KERNEL_NAMESPACE names the kind. The sources differ in the instructions that the compiler
// may use and in one function, the product of bytes. Everything lies in the kind's own namespace,
// so no other source of the program can be linked to code that its processor lacks.
//
// The inner loop holds kVectors vectors of rows of W times kTileRowsOfX rows of x in registers. A
// step loads the vectors of W, copies four bytes of each row of x to all lanes, and multiplies each
// with each. With VNNI two vectors and six rows are twelve products for eight loads, with AVX2,
// which has half as many registers, two vectors and four rows eight for six:
//
//             x[0]  x[1]  x[2]  x[3]  x[4]  x[5]    lanes 0 to 15 of a vector: sixteen rows of W
//   vector 0   sum   sum   sum   sum   sum   sum
//   vector 1   sum   sum   sum   sum   sum   sum
//
// An AVX2 product of bytes sums pairs in 16 bits: u8 * s8 + u8 * s8. Unsigned values of b bits can
// be summed kSteps times before 16 bits overflow: 8 times for 4 bits (8 * 2 * 15 * 127 = 30,480), 4
// times for 5 bits, twice for 6 bits. Values of 8 bits are multiplied as |w| * (x with w's sign),
// w being the value less its zero, and each product is widened at once. VNNI sums in 32 bits and
// needs none of it.
// Thread rule: pure functions.
#pragma once

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "model/kernels/block_matmul.h"
#include "model/kernels/panel_formats.h"
#include "model/kernels/panel_walk.h"

namespace tenon::model::TENON_KERNEL_NAMESPACE {

static_assert(kGroup == ActivationRows::kGroup && kGroups == ActivationRows::kGroups,
              "a chunk of W and one of x have the same columns");

// The constants of a format that the inner loop uses.
template <typename Format>
struct ShapeOf {
  static constexpr int kParts = Format::Scales::kParts;
  static constexpr bool kHasOffset = Format::Scales::kHasOffset;
  static constexpr int kZero = Format::kZero;
  static constexpr bool kWide = Format::kBits == 8 || Format::kTable;  // values of all eight bits
  static constexpr int kMaxValue = kWide ? 255 : (1 << Format::kBits) - 1;
};

// Sixteen rows of a tile, or as many as a vector has lanes.
struct TileRows {
  const uint8_t* q = nullptr;     // [group][quad] kLine bytes apart
  const float* scale = nullptr;   // [part] kLineRows numbers apart
  const float* offset = nullptr;  // the same
};

// Rows [first, first + some) of x, at a chunk.
struct RowsOfX {
  // From a row's number to the next row's.
  static constexpr int kValues = kGroups * kGroup;
  static constexpr int kScales = kGroups;
  static constexpr int kSums = ActivationRows::kParts * kGroups;

  const ActivationRows& x;
  int chunk;
  int first_row;

  RowsOfX From(int i) const { return {x, chunk, first_row + i}; }

  const int8_t* values(int g) const { return x.values(chunk, first_row) + g * kGroup; }
  const float* scales(int g) const { return x.scales(chunk, first_row) + g; }
  // part: of kParts; a format with one part has the sum of the whole group.
  template <int kParts>
  const int32_t* totals(int g, int part) const {
    return x.totals(chunk, first_row) + (kParts == 1 ? 0 : part + 1) * kGroups + g;
  }
  template <int kParts>
  const float* sums(int g, int part) const {
    return x.sums(chunk, first_row) + (kParts == 1 ? 0 : part + 1) * kGroups + g;
  }
};

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

inline int32_t FourBytes(const int8_t* at) {
  int32_t bytes;
  std::memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

#if defined(__AVX512VNNI__)

using Sum = __m512i;
using Number = __m512;
constexpr int kLanes = 16;
constexpr int kVectors = 2;
constexpr int kTileRowsOfX = 6;
// From so many rows of x on a tile is multiplied for so long that memory waits. Fewer read W at the
// pace of memory, and asking for bytes ahead of the processor's own foresight slows that down.
constexpr int kRowsThatWait = 3;

inline Number LoadNumbers(const float* at) { return _mm512_loadu_ps(at); }
inline void StoreNumbers(float* at, Number numbers) { _mm512_storeu_ps(at, numbers); }
inline Number Everywhere(float number) { return _mm512_set1_ps(number); }
inline Number Times(Number a, Number b) { return _mm512_mul_ps(a, b); }
inline Number TimesPlus(Number a, Number b, Number c) { return _mm512_fmadd_ps(a, b, c); }
inline Number ToNumbers(Sum sum) { return _mm512_cvtepi32_ps(sum); }
inline Sum EverywhereInt(int32_t number) { return _mm512_set1_epi32(number); }
// Holds a sum in a register here. Without it g++ 12 first makes all products of an unrolled loop
// and adds them at its end, with far more values alive than there are registers.
inline void KeepInRegister(Sum& sum) { asm("" : "+v"(sum)); }

template <typename Shape>
constexpr bool kHasZero = Shape::kZero != 0;

// sum[v][i] += the products of `kCount` quads of vector v with row i of x.
template <typename Shape, int kOfVectors, int kRows, int kCount>
[[gnu::always_inline]] inline void AddSteps(const uint8_t* const (&q)[kOfVectors], const int8_t* x,
                                            Sum (&sum)[kOfVectors][kRows]) {
  Unrolled<kCount>([&](auto k) TENON_BODY {
    Sum w[kOfVectors];
    Unrolled<kOfVectors>([&](auto v) TENON_BODY { w[v] = _mm512_load_si512(q[v] + k * kLine); });
    Unrolled<kRows>([&](auto i) TENON_BODY {
      const Sum four = _mm512_set1_epi32(FourBytes(x + i * RowsOfX::kValues + 4 * k));
      Unrolled<kOfVectors>([&](auto v) TENON_BODY {
        sum[v][i] = _mm512_dpbusd_epi32(sum[v][i], w[v], four);
        KeepInRegister(sum[v][i]);
      });
    });
  });
}

#elif defined(__AVX2__)

using Sum = __m256i;
using Number = __m256;
constexpr int kLanes = 8;
constexpr int kVectors = 2;
constexpr int kTileRowsOfX = 4;
constexpr int kRowsThatWait = 1;

inline Number LoadNumbers(const float* at) { return _mm256_loadu_ps(at); }
inline void StoreNumbers(float* at, Number numbers) { _mm256_storeu_ps(at, numbers); }
inline Number Everywhere(float number) { return _mm256_set1_ps(number); }
inline Number Times(Number a, Number b) { return _mm256_mul_ps(a, b); }
inline Number TimesPlus(Number a, Number b, Number c) { return _mm256_fmadd_ps(a, b, c); }
inline Number ToNumbers(Sum sum) { return _mm256_cvtepi32_ps(sum); }
inline Sum EverywhereInt(int32_t number) { return _mm256_set1_epi32(number); }
inline void KeepInRegister(Sum& sum) { asm("" : "+x"(sum)); }

// The product of wide values takes their zero off itself.
template <typename Shape>
constexpr bool kHasZero = Shape::kZero != 0 && !Shape::kWide;

template <typename Shape, int kOfVectors, int kRows, int kCount>
[[gnu::always_inline]] inline void AddSteps(const uint8_t* const (&q)[kOfVectors], const int8_t* x,
                                            Sum (&sum)[kOfVectors][kRows]) {
  const auto load = [&](int v, int k) {
    return _mm256_load_si256(reinterpret_cast<const __m256i*>(q[v] + k * kLine));
  };
  const auto four = [&](int i, int k) {
    return _mm256_set1_epi32(FourBytes(x + i * RowsOfX::kValues + 4 * k));
  };
  const __m256i ones = _mm256_set1_epi16(1);
  if constexpr (Shape::kWide) {
    Unrolled<kCount>([&](auto k) TENON_BODY {
      __m256i w[kOfVectors], size[kOfVectors];
      Unrolled<kOfVectors>([&](auto v) TENON_BODY {
        w[v] = _mm256_xor_si256(load(v, k), _mm256_set1_epi8(static_cast<char>(128)));
        size[v] = _mm256_abs_epi8(w[v]);
      });
      Unrolled<kRows>([&](auto i) TENON_BODY {
        const __m256i numbers = four(i, k);
        Unrolled<kOfVectors>([&](auto v) TENON_BODY {
          const __m256i pairs = _mm256_maddubs_epi16(size[v], _mm256_sign_epi8(numbers, w[v]));
          sum[v][i] = _mm256_add_epi32(sum[v][i], _mm256_madd_epi16(pairs, ones));
          KeepInRegister(sum[v][i]);
        });
      });
    });
  } else {
    constexpr int kSteps = std::min(kCount, 32767 / (2 * 127 * Shape::kMaxValue));
    Unrolled<kCount / kSteps>([&](auto stretch) TENON_BODY {
      __m256i pairs[kOfVectors][kRows];
      Unrolled<kSteps>([&](auto step) TENON_BODY {
        constexpr int k = stretch * kSteps + step;
        __m256i w[kOfVectors];
        Unrolled<kOfVectors>([&](auto v) TENON_BODY { w[v] = load(v, k); });
        Unrolled<kRows>([&](auto i) TENON_BODY {
          const __m256i numbers = four(i, k);
          Unrolled<kOfVectors>([&](auto v) TENON_BODY {
            const __m256i products = _mm256_maddubs_epi16(w[v], numbers);
            pairs[v][i] = step == 0 ? products : _mm256_add_epi16(pairs[v][i], products);
            KeepInRegister(pairs[v][i]);
          });
        });
      });
      Unrolled<kOfVectors>([&](auto v) TENON_BODY {
        Unrolled<kRows>([&](auto i) TENON_BODY {
          sum[v][i] = _mm256_add_epi32(sum[v][i], _mm256_madd_epi16(pairs[v][i], ones));
        });
      });
    });
  }
}

#else

using Sum [[gnu::vector_size(kLine), gnu::may_alias]] = int32_t;
using Number [[gnu::vector_size(kLine), gnu::may_alias]] = float;
constexpr int kLanes = 16;
constexpr int kVectors = 1;
constexpr int kTileRowsOfX = 4;
constexpr int kRowsThatWait = 3;

inline Number LoadNumbers(const float* at) {
  Number numbers;
  std::memcpy(&numbers, at, sizeof numbers);
  return numbers;
}
inline void StoreNumbers(float* at, const Number& numbers) {
  std::memcpy(at, &numbers, sizeof numbers);
}
inline Number Everywhere(float number) { return Number{} + number; }
inline Number Times(const Number& a, const Number& b) { return a * b; }
inline Number TimesPlus(const Number& a, const Number& b, const Number& c) { return a * b + c; }
inline Number ToNumbers(const Sum& sum) { return __builtin_convertvector(sum, Number); }
inline Sum EverywhereInt(int32_t number) { return Sum{} + number; }

template <typename Shape>
constexpr bool kHasZero = Shape::kZero != 0;

template <typename Shape, int kOfVectors, int kRows, int kCount>
inline void AddSteps(const uint8_t* const (&q)[kOfVectors], const int8_t* x,
                     Sum (&sum)[kOfVectors][kRows]) {
  for (int k = 0; k < kCount; ++k) {
    for (int i = 0; i < kRows; ++i) {
      for (int lane = 0; lane < kLanes; ++lane) {
        for (int b = 0; b < 4; ++b)
          sum[0][i][lane] += q[0][k * kLine + 4 * lane + b] * x[i * RowsOfX::kValues + 4 * k + b];
      }
    }
  }
}

#endif

// y[i][kLanes * v ...] += the rows of the tile times rows i < kRows of x; = for the first chunk.
template <typename Shape, int kOfVectors, int kRows>
inline void MultiplyRows(const TileRows (&tile)[kOfVectors], int groups, const RowsOfX& x,
                         bool first, float* y, int y_stride) {
  constexpr int kParts = Shape::kParts;
  constexpr int kCount = kQuads / kParts;
  Number acc[kOfVectors][kRows];
  Unrolled<kOfVectors>([&](auto v) TENON_BODY {
    Unrolled<kRows>([&](auto i) TENON_BODY {
      acc[v][i] =
          first ? Everywhere(0) : LoadNumbers(y + static_cast<size_t>(i) * y_stride + v * kLanes);
    });
  });
  for (int g = 0; g < groups; ++g) {
    const int8_t* values = x.values(g);
    const float* x_scales = x.scales(g);
    Unrolled<kParts>([&](auto part) TENON_BODY {
      const uint8_t* q[kOfVectors];
      for (int v = 0; v < kOfVectors; ++v) q[v] = tile[v].q + (g * kQuads + part * kCount) * kLine;
      Sum sum[kOfVectors][kRows];
      const int32_t* totals = x.template totals<kParts>(g, part);
      Unrolled<kRows>([&](auto i) TENON_BODY {
        const Sum begin =
            EverywhereInt(kHasZero<Shape> ? -Shape::kZero * totals[i * RowsOfX::kSums] : 0);
        Unrolled<kOfVectors>([&](auto v) TENON_BODY { sum[v][i] = begin; });
      });
      AddSteps<Shape, kOfVectors, kRows, kCount>(q, values + part * kCount * 4, sum);
      const size_t at = static_cast<size_t>(g * kParts + part) * kLineRows;
      const float* x_sums = x.template sums<kParts>(g, part);
      Unrolled<kOfVectors>([&](auto v) TENON_BODY {
        const Number scale = LoadNumbers(tile[v].scale + at);
        Unrolled<kRows>([&](auto i) TENON_BODY {
          const Number factor = Times(scale, Everywhere(x_scales[i * RowsOfX::kScales]));
          acc[v][i] = TimesPlus(ToNumbers(sum[v][i]), factor, acc[v][i]);
        });
        if constexpr (Shape::kHasOffset) {
          const Number offset = LoadNumbers(tile[v].offset + at);
          Unrolled<kRows>([&](auto i) TENON_BODY {
            acc[v][i] = TimesPlus(offset, Everywhere(x_sums[i * RowsOfX::kSums]), acc[v][i]);
          });
        }
      });
    });
  }
  Unrolled<kOfVectors>([&](auto v) TENON_BODY {
    Unrolled<kRows>([&](auto i) TENON_BODY {
      StoreNumbers(y + static_cast<size_t>(i) * y_stride + v * kLanes, acc[v][i]);
    });
  });
}

// The last m rows of x, fewer than kTileRowsOfX.
template <typename Shape, int kOfVectors, int kRows = kTileRowsOfX - 1>
inline void MultiplyLastRows(const TileRows (&tile)[kOfVectors], int groups, const RowsOfX& x,
                             int m, bool first, float* y, int y_stride) {
  if constexpr (kRows > 0) {
    if (m == kRows)
      return MultiplyRows<Shape, kOfVectors, kRows>(tile, groups, x, first, y, y_stride);
    MultiplyLastRows<Shape, kOfVectors, kRows - 1>(tile, groups, x, m, first, y, y_stride);
  }
}

// The same for all m rows of x.
template <typename Shape, int kOfVectors>
void MultiplyTile(const TileRows (&tile)[kOfVectors], int groups, const RowsOfX& x, int m,
                  bool first, float* y, int y_stride, Ahead& ahead) {
  int i = 0;
  for (; i + kTileRowsOfX <= m;
       i += kTileRowsOfX, y += static_cast<size_t>(kTileRowsOfX) * y_stride) {
    ahead.AskForShare();
    MultiplyRows<Shape, kOfVectors, kTileRowsOfX>(tile, groups, x.From(i), first, y, y_stride);
  }
  if (i == m) return;
  ahead.AskForShare();
  MultiplyLastRows<Shape, kOfVectors>(tile, groups, x.From(i), m - i, first, y, y_stride);
}

// y[.][0 ...] += a chunk of a panel times x.
template <typename Format>
void MultiplyChunk(const ChunkAt& at, const RowsOfX& x, int m, float* y, int y_stride) {
  using Shape = ShapeOf<Format>;
  Tile tiles[kHalves];
  TileRows rows[kHalves];
  for (int half = 0; half < kHalves; ++half) {
    Tile& tile = tiles[half];
    DecodeRows<Format>(at.chunk + half * BytesOfRows<Format>(at.groups), at.groups, tile);
    rows[half] = {tile.q[0][0], tile.scale[0], tile.offset[0]};
  }
  constexpr int kTiles = kHalves * kLineRows / (kVectors * kLanes);
  Ahead ahead(at.next, m >= kRowsThatWait ? at.next_bytes : 0,
              kTiles * ((m + kTileRowsOfX - 1) / kTileRowsOfX));
  // Vectors of kLanes rows, kVectors of them at a time.
  const auto vector = [&](int first_lane) -> TileRows {
    const TileRows& half = rows[first_lane / kLineRows];
    const int lane = first_lane % kLineRows;
    return {half.q + 4 * lane, half.scale + lane, half.offset + lane};
  };
  for (int lane = 0; lane < kHalves * kLineRows; lane += kVectors * kLanes) {
    TileRows of[kVectors];
    for (int v = 0; v < kVectors; ++v) of[v] = vector(lane + v * kLanes);
    MultiplyTile<Shape, kVectors>(of, at.groups, x, m, at.first, y + lane, y_stride, ahead);
  }
}

template <typename Format>
void Multiply(const PanelMatrix& w, const ActivationRows& x, BlockMatmul::Rows rows, float* y,
              int y_stride, BlockMatmul::Into into) {
  constexpr int kBytesOfRow = kGroups * kGroup;
  EachChunk<Format>(
      w, {rows.count, kBytesOfRow}, y, y_stride, into,
      [&](const ChunkAt& at, float* out, int stride) {
        MultiplyChunk<Format>(at, {x, at.number, rows.first}, rows.count, out, stride);
      });
}

inline void FillKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]) {
  for (int i = 0; i < kBlockFormats; ++i) {
    kernels[i] = WithFormat(static_cast<BlockFormat>(i), [](auto format) -> BlockMatmul::Kernel {
      return Multiply<decltype(format)>;
    });
  }
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE
