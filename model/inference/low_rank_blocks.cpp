#include "model/inference/low_rank_blocks.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>

#include "model/file/file.h"

namespace tenon::model {
namespace {

constexpr int kGroup = ActivationRows::kGroup;
constexpr int kBlockBytes = kQ8Bytes;
static_assert(kGroup == kQ8Values);

int RoundUp(int value) { return (value + kGroup - 1) / kGroup * kGroup; }

// Rows of floats as the blocks of a file in Q8_0.
class Blocks {
 public:
  Blocks(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        bytes_(static_cast<size_t>(rows) * columns / kGroup * kBlockBytes) {}

  // values: [columns]
  void Write(int row, const float* values) {
    QuantizeToQ8_0({values, static_cast<size_t>(columns_)},
                   bytes_.data() + static_cast<size_t>(row) * columns_ / kGroup * kBlockBytes);
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

void LowRankBlocks::Narrow(const BlockMatmul& matmul, int change, const ActivationRows& x,
                           int first, int count, float* inner) const {
  const Change& of = changes_[change];
  std::fill_n(inner, static_cast<size_t>(count) * of.padded_rank, 0.0f);
  matmul.Multiply(of.a, x, {first, count}, inner, of.padded_rank);
  for (int i = 0; i < count * of.padded_rank; ++i) inner[i] *= of.factor;
}

}  // namespace tenon::model
