// Products of many rows of x by matrix registers (matrix_registers.h), in bfloat16.
//
// Integers would have to be scaled after each group of 32 columns, which takes longer than the
// products (docs/tried.md). So the weights of a chunk are scaled once, and rounded to bfloat16.
// Then sixteen rows of x after the other are multiplied with all of them; the sums stay in two
// registers.
//
//            W 0-15   W 16-31
//   x 0-15   sums 0   sums 1      group after group: one register of x, two of W
//
// The error of a weight is at most 0.4 %, as that of a number of x; bytes have an error of 0.4 % of
// the largest number of a group.
#include <immintrin.h>

#define TENON_KERNEL_NAMESPACE amx_kernels
#include "model/kernels/block_matmul.h"
#include "model/kernels/matrix_registers.h"
#include "model/kernels/panel_walk.h"

namespace tenon::model {
namespace amx_kernels {
namespace {

constexpr int kLines = MatrixRegisters::kLines, kLineBytes = MatrixRegisters::kLineBytes;
static_assert(kLines == kLineRows && kLines == ActivationRows::kRowsAtOnce);
static_assert(kLineBytes == kGroup * sizeof(BFloat16), "a line has the columns of a group");

// The weights of a chunk of sixteen rows of W: a register for each group.
struct Weights {
  alignas(kLineBytes) uint8_t registers[kGroups][kLines][kLineBytes];
};

// Two vectors of floats as pairs: a float of `even` and one of `odd` in each lane.
inline __m512i Pairs(__m512 even, __m512 odd) {
  alignas(kLineBytes) static constexpr uint16_t kInTurn[32] = {
      0, 16, 1, 17, 2,  18, 3,  19, 4,  20, 5,  21, 6,  22, 7,  23,
      8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31};
  const auto both = std::bit_cast<__m512i>(_mm512_cvtne2ps_pbh(odd, even));
  return _mm512_permutexvar_epi16(_mm512_load_si512(kInTurn), both);
}

// The quads of sixteen rows, scaled.
template <typename Format>
void ScaleRows(const uint8_t* rows, int groups, Weights& out) {
  constexpr int kParts = Format::Scales::kParts;
  Tile tile;
  DecodeRows<Format>(rows, groups, tile);
  const __m512i low_byte = _mm512_set1_epi32(255);
  const __m512 zero = _mm512_set1_ps(Format::kZero);
  for (int quad = 0; quad < groups * kQuads; ++quad) {
    const int part = quad * kParts / kQuads;
    const __m512 scale = _mm512_load_ps(tile.scale[part]);
    __m512 offset = _mm512_setzero_ps();
    if constexpr (Format::Scales::kHasOffset) offset = _mm512_load_ps(tile.offset[part]);
    offset = _mm512_fnmadd_ps(scale, zero, offset);
    const __m512i bytes = _mm512_load_si512(tile.q[0][0] + quad * kLine);
    const auto scaled = [&](__m512i values) {
      return _mm512_fmadd_ps(_mm512_cvtepi32_ps(values), scale, offset);
    };
    const auto byte = [&](int i) {
      return scaled(_mm512_and_si512(_mm512_srli_epi32(bytes, 8 * i), low_byte));
    };
    uint8_t* lines = out.registers[0][2 * quad];
    _mm512_store_si512(lines, Pairs(scaled(_mm512_and_si512(bytes, low_byte)), byte(1)));
    _mm512_store_si512(lines + kLineBytes, Pairs(byte(2), scaled(_mm512_srli_epi32(bytes, 24))));
  }
}

// y[i][0 .. 31] += the products of sixteen rows of x; = where they are the first.
void MultiplyRows(const Weights (&w)[kHalves], int groups, const BFloat16* x, bool first, float* y,
                  int y_stride) {
  static_assert(kHalves == 2, "numbers of registers have to be literals");
  constexpr int kXStride = kGroups * kLineBytes;
  const long y_bytes = long{y_stride} * static_cast<long>(sizeof(float));
  if (first) {
    _tile_zero(0);
    _tile_zero(1);
  } else {
    _tile_loadd(0, y, y_bytes);
    _tile_loadd(1, y + kLineRows, y_bytes);
  }
  for (int g = 0; g < groups; ++g) {
    _tile_loadd(2, x + g * kGroup, kXStride);
    _tile_loadd(3, w[0].registers[g], kLineBytes);
    _tile_dpbf16ps(0, 2, 3);
    _tile_loadd(4, w[1].registers[g], kLineBytes);
    _tile_dpbf16ps(1, 2, 4);
  }
  _tile_stored(0, y, y_bytes);
  _tile_stored(1, y + kLineRows, y_bytes);
}

// The same of the last rows, fewer than sixteen.
void MultiplyLastRows(const Weights (&w)[kHalves], int groups, const BFloat16* x, int rows,
                      bool first, float* y, int y_stride) {
  constexpr int kRows = PanelMatrix::kRows;
  alignas(kLineBytes) float sums[kLines][kRows] = {};
  const auto copy = [&](const auto& use) {
    for (int i = 0; i < rows; ++i) use(sums[i], y + static_cast<size_t>(i) * y_stride);
  };
  copy([&](float* of, const float* out) { std::copy_n(out, first ? 0 : kRows, of); });
  asm volatile("" : : : "memory");
  MultiplyRows(w, groups, x, first, sums[0], kRows);
  copy([](const float* of, float* out) { std::copy_n(of, kRows, out); });
}

// y[.][0 .. 31] += a chunk of a panel times rows of x.
template <typename Format>
void MultiplyChunk(const ChunkAt& at, const BFloat16* x, int rows, float* y, int y_stride) {
  Weights weights[kHalves];
  for (int half = 0; half < kHalves; ++half)
    ScaleRows<Format>(at.chunk + half * BytesOfRows<Format>(at.groups), at.groups, weights[half]);
  // g++ does not know that registers are loaded from memory.
  asm volatile("" : : : "memory");
  Ahead ahead(at.next, at.next_bytes, (rows + kLines - 1) / kLines);
  const auto x_of = [x](int i) { return x + static_cast<size_t>(i) * kGroups * kGroup; };
  const auto y_of = [=](int i) { return y + static_cast<size_t>(i) * y_stride; };
  int i = 0;
  for (; i + kLines <= rows; i += kLines) {
    ahead.AskForShare();
    MultiplyRows(weights, at.groups, x_of(i), at.first, y_of(i), y_stride);
  }
  if (i == rows) return;
  ahead.AskForShare();
  MultiplyLastRows(weights, at.groups, x_of(i), rows - i, at.first, y_of(i), y_stride);
}

template <typename Format>
void Multiply(const PanelMatrix& w, const ActivationRows& x, BlockMatmul::Rows rows, float* y,
              int y_stride, BlockMatmul::Into into) {
  constexpr int kBytesOfChunk = kGroups * kLineBytes;
  const MatrixRegisters registers;
  EachChunk<Format>(w, {rows.count, kBytesOfChunk}, y, y_stride, into,
                    [&](const ChunkAt& at, float* out, int stride) {
                      MultiplyChunk<Format>(at, x.numbers(at.number, rows.first), rows.count, out,
                                            stride);
                    });
}

}  // namespace
}  // namespace amx_kernels

void FillAmxKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]) {
  for (int i = 0; i < kBlockFormats; ++i) {
    kernels[i] = amx_kernels::WithFormat(
        static_cast<BlockFormat>(i),
        [](auto format) -> BlockMatmul::Kernel { return amx_kernels::Multiply<decltype(format)>; });
  }
}

}  // namespace tenon::model
