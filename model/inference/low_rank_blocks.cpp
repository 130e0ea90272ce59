#include "model/inference/low_rank_blocks.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "model/file/file.h"

namespace tenon::model {
namespace {

constexpr int kGroup = QuantizedRows::kGroup;
constexpr int kLargest = 127;
constexpr int kBlockBytes = 2 + kGroup;  // of Q8_0

int RoundUp(int value) { return (value + kGroup - 1) / kGroup * kGroup; }

// The bits of the half nearest to a number that is not negative and below 65,504.
uint16_t HalfBits(float value) {
  int exponent;
  const float fraction = std::frexp(value, &exponent);  // value = fraction * 2^exponent
  constexpr int kSmallestExponent = -13;                // of a half that is not subnormal
  const int bits = 11 - std::max(0, kSmallestExponent - exponent);
  if (value == 0 || bits < 0) return 0;
  const auto mantissa = static_cast<uint32_t>(std::lround(std::ldexp(fraction, bits)));
  // Rounding up to 2^11 carries into the exponent, as it should.
  if (exponent < kSmallestExponent) return static_cast<uint16_t>(mantissa);
  return static_cast<uint16_t>((static_cast<uint32_t>(exponent - kSmallestExponent) << 10) +
                               mantissa);
}

// Rows of floats as the blocks of a file in Q8_0.
class Blocks {
 public:
  Blocks(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        bytes_(static_cast<size_t>(rows) * columns / kGroup * kBlockBytes) {}

  // values: [columns]
  void Write(int row, const float* values) {
    std::byte* out = bytes_.data() + static_cast<size_t>(row) * columns_ / kGroup * kBlockBytes;
    for (int g = 0; g < columns_; g += kGroup, out += kBlockBytes) {
      float largest = 0;
      for (int i = 0; i < kGroup; ++i) largest = std::max(largest, std::fabs(values[g + i]));
      const uint16_t bits = HalfBits(largest / kLargest);
      std::memcpy(out, &bits, sizeof bits);
      const float scale = HalfToFloat(bits);
      for (int i = 0; i < kGroup; ++i) {
        const float q = scale > 0 ? std::round(values[g + i] / scale) : 0;
        out[2 + i] = static_cast<std::byte>(
            static_cast<int8_t>(std::clamp(q, -1.0f * kLargest, 1.0f * kLargest)));
      }
    }
  }

  PanelMatrix Pack(WeightMemory& memory) const {
    const BlockMatrix matrix{BlockFormat::kQ8_0, rows_, columns_,
                             static_cast<size_t>(columns_) / kGroup * kBlockBytes, bytes_.data()};
    return PackPanels(matrix, 0, rows_,
                      memory.Take(PanelBytes(BlockFormat::kQ8_0, rows_, columns_)));
  }

 private:
  int rows_;
  int columns_;
  std::vector<std::byte> bytes_;
};

// The power of two at or above the largest size of some numbers; 1 where all are zero.
float PowerOfTwoAbove(const std::vector<float>& values) {
  float largest = 0;
  for (const float value : values) largest = std::max(largest, std::fabs(value));
  return largest > 0 ? std::exp2(std::ceil(std::log2(largest))) : 1;
}

}  // namespace

LowRankBlocks::LowRankBlocks(const std::vector<MatrixChange>& changes, int columns,
                             const std::vector<std::vector<MatrixRows>>& pieces,
                             WeightMemory& memory)
    : pieces_(pieces.size()) {
  for (const MatrixChange& change : changes) {
    Blocks a(change.rank, columns);
    for (int r = 0; r < change.rank; ++r)
      a.Write(r, change.a.data() + static_cast<size_t>(r) * columns);
    const float factor = PowerOfTwoAbove(change.b);
    changes_.push_back({a.Pack(memory), RoundUp(change.rank), factor});
    for (size_t piece = 0; piece < pieces.size(); ++piece) {
      int at = 0;
      for (const MatrixRows& rows : pieces[piece]) {
        if (rows.matrix == change.matrix) {
          Blocks b(rows.count, RoundUp(change.rank));
          std::vector<float> row(RoundUp(change.rank));
          for (int r = 0; r < rows.count; ++r) {
            const size_t first = static_cast<size_t>(rows.first + r) * change.rank;
            assert(first + change.rank <= change.b.size() && "the change has its matrix's rows");
            for (int i = 0; i < change.rank; ++i) row[i] = change.b[first + i] / factor;
            b.Write(r, row.data());
          }
          pieces_[piece].push_back({at, this->changes() - 1, b.Pack(memory)});
        }
        at += rows.count;
      }
    }
  }
}

void LowRankBlocks::Narrow(const BlockMatmul& matmul, int change, const QuantizedRows& x, int first,
                           int count, float* inner) const {
  const Change& of = changes_[change];
  std::fill_n(inner, static_cast<size_t>(count) * of.padded_rank, 0.0f);
  matmul.Multiply(of.a, x, {first, count}, inner, of.padded_rank);
  for (int i = 0; i < count * of.padded_rank; ++i) inner[i] *= of.factor;
}

}  // namespace tenon::model
