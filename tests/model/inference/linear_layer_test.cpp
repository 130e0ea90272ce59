#include "model/inference/linear_layer.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::model {
namespace {

// Q8_0 of `rows` rows of 32 zeros.
struct ZeroMatrix {
  explicit ZeroMatrix(uint64_t rows) : bytes(rows * 34) {
    tensor = {"token_embd.weight", TensorType::kQ8_0, {32, rows}, bytes};
  }
  std::vector<std::byte> bytes;
  GgufTensor tensor;
};

// Are the rows of matrix 0 dealt from the first to the last, each once?
void ExpectEachRowOnce(const LinearLayer& layer, int rows) {
  int next = 0;
  for (int piece = 0; piece < layer.pieces(); ++piece) {
    for (const MatrixRows& stretch : layer.rows_of(piece)) {
      ASSERT_EQ(stretch.first, next) << "piece " << piece;
      ASSERT_GT(stretch.count, 0) << "piece " << piece;
      next += stretch.count;
    }
  }
  EXPECT_EQ(next, rows);
}

TEST(LinearLayer, DealsEachRowOfAVeryLargeVocabularyOnce) {
  constexpr int kRows = 400'001;  // an odd number: any row may be the last one of a piece
  const ZeroMatrix matrix(kRows);
  WeightMemory memory;
  const LinearLayer layer =
      MakeLinearLayer({&matrix.tensor}, Dealing::kOneAfterTheOther, BlocksOf::kStoredBlocks, 32, 2,
                      Operand::kFloat32, memory);
  EXPECT_GT(layer.pieces(), 5'000);
  ExpectEachRowOnce(layer, kRows);
}

TEST(LinearLayer, DealsFewRowsToAsManyPieces) {
  const ZeroMatrix matrix(3);
  WeightMemory memory;
  const LinearLayer layer = MakeLinearLayer({&matrix.tensor}, Dealing::kOneAfterTheOther,
                                            BlocksOf::kNothing, 32, 8, Operand::kFloat32, memory);
  EXPECT_EQ(layer.pieces(), 3);
  ExpectEachRowOnce(layer, 3);
}

}  // namespace
}  // namespace tenon::model
