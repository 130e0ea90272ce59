#include "model/inference/low_rank_blocks.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tenon::model {
namespace {

std::vector<float> Random(size_t n, float size, std::mt19937& random) {
  std::vector<float> values(n);
  for (float& value : values) value = size * (static_cast<float>(random() % 2001) / 1000.0f - 1.0f);
  return values;
}

// Two matrices of the same input; each piece has rows of both, and the changes have ranks of less
// and of more than a group of 32.
TEST(LowRankBlocks, AddTheChangeOfEachMatrixToItsRows) {
  std::mt19937 random(3);
  constexpr int kColumns = 96, kRows[] = {40, 36}, kRanks[] = {5, 34}, kRowsOfX = 70;
  // B's numbers are far below the scales that a half keeps.
  const std::vector<float> a[] = {Random(kRanks[0] * kColumns, 0.02f, random),
                                  Random(kRanks[1] * kColumns, 0.02f, random)};
  const std::vector<float> b[] = {Random(kRows[0] * kRanks[0], 3e-6f, random),
                                  Random(kRows[1] * kRanks[1], 0.5f, random)};
  const std::vector<std::vector<MatrixRows>> pieces = {{{0, 0, 33}, {1, 0, 10}},
                                                       {{1, 10, 26}, {0, 33, 7}}};
  WeightMemory memory;
  const LowRankBlocks blocks({{0, kRanks[0], a[0], b[0]}, {1, kRanks[1], a[1], b[1]}}, kColumns,
                             pieces, memory);
  ASSERT_EQ(blocks.changes(), 2);
  EXPECT_EQ(blocks.padded_rank(0), 32);
  EXPECT_EQ(blocks.padded_rank(1), 64);

  const std::vector<float> x = Random(kRowsOfX * kColumns, 1, random);
  ActivationRows of_x;
  of_x.Resize(kRowsOfX, kColumns);
  for (int i = 0; i < kRowsOfX; ++i) of_x.Write(i, x.data() + i * kColumns);
  const BlockMatmul matmul;
  ActivationRows inner[2];
  for (int c = 0; c < 2; ++c) {
    inner[c].Resize(kRowsOfX, blocks.padded_rank(c));
    // The rows of x in two stretches.
    for (const auto& [first, count] : {std::pair{0, 64}, std::pair{64, kRowsOfX - 64}}) {
      std::vector<float> floats(static_cast<size_t>(count) * blocks.padded_rank(c), NAN);
      blocks.Narrow(matmul, c, of_x, first, count, floats.data());
      for (int i = 0; i < count; ++i)
        inner[c].Write(first + i, floats.data() + i * blocks.padded_rank(c));
    }
  }
  for (size_t piece = 0; piece < pieces.size(); ++piece) {
    int at = 0;
    for (const MatrixRows& rows : pieces[piece]) {
      const int m = rows.matrix;
      for (const LowRankBlocks::Stretch& stretch : blocks.stretches(static_cast<int>(piece))) {
        if (stretch.at != at) continue;
        ASSERT_EQ(stretch.change, m);
        ASSERT_EQ(stretch.b.rows, rows.count);
        std::vector<float> y(static_cast<size_t>(kRowsOfX) * rows.count, 0.0f);
        matmul.Multiply(stretch.b, inner[m], {0, kRowsOfX}, y.data(), rows.count,
                        BlockMatmul::Into::kAdd);
        double error = 0, size = 0;
        for (int i = 0; i < kRowsOfX; ++i) {
          for (int r = 0; r < rows.count; ++r) {
            double exact = 0;
            for (int rank = 0; rank < kRanks[m]; ++rank) {
              double narrowed = 0;
              for (int k = 0; k < kColumns; ++k)
                narrowed += double{x[i * kColumns + k]} * a[m][rank * kColumns + k];
              exact += narrowed * b[m][(rows.first + r) * kRanks[m] + rank];
            }
            error += std::pow(y[i * rows.count + r] - exact, 2);
            size += exact * exact;
          }
        }
        EXPECT_LT(std::sqrt(error / size), 0.012) << "piece " << piece << ", matrix " << m;
      }
      at += rows.count;
    }
    EXPECT_EQ(blocks.stretches(static_cast<int>(piece)).size(), 2u);
  }
}

TEST(LowRankBlocks, LeaveRowsOfOtherMatricesAlone) {
  const std::vector<float> a(32, 1.0f);
  WeightMemory memory;
  const LowRankBlocks blocks({{1, 1, a, {5}}}, 32, {{{0, 0, 4}}, {{1, 0, 1}}}, memory);
  EXPECT_TRUE(blocks.stretches(0).empty());
  EXPECT_EQ(blocks.stretches(1).size(), 1u);
}

}  // namespace
}  // namespace tenon::model
