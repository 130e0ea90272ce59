#include "model/inference/low_rank_layer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tenon::model {
namespace {

using ::testing::ElementsAre;

TEST(LowRankLayer, AddsTheChangeOfEachMatrixToItsRows) {
  // Two matrices of three columns, of 2 and 3 rows; the first changes by rank 1, the second by rank
  // 2.
  const std::vector<float> a0 = {1, 2, 3}, a1 = {1, 0, 0, 0, 1, 0};
  const std::vector<MatrixChange> changes = {{0, 1, a0, {10, 20}}, {1, 2, a1, {1, 0, 0, 1, 1, 1}}};
  // Each piece has rows of both.
  const LowRankLayer layer(changes, 3, {{{0, 0, 1}, {1, 0, 2}}, {{0, 1, 1}, {1, 2, 1}}});
  ASSERT_EQ(layer.ranks(), 3);
  const std::vector<float> x = {1, 2, 3};
  std::vector<float> inner(3);
  layer.Narrow(x.data(), 0, 2, inner.data());
  layer.Narrow(x.data(), 2, 1, inner.data());
  EXPECT_THAT(inner, ElementsAre(14, 1, 2));
  std::vector<float> first = {100, 200, 300}, second = {400, 500};
  layer.Widen(0, inner.data(), first.data());
  EXPECT_THAT(first, ElementsAre(100 + 140, 200 + 1, 300 + 2));
  layer.Widen(1, inner.data(), second.data());
  EXPECT_THAT(second, ElementsAre(400 + 280, 500 + 3));
}

TEST(LowRankLayer, LeavesRowsOfOtherMatricesAlone) {
  const std::vector<float> a = {1, 1};
  const LowRankLayer layer({{1, 1, a, {5}}}, 2, {{{0, 0, 4}}, {{1, 0, 1}}});
  const float inner = 2;
  std::vector<float> y(4, 7.0f);
  layer.Widen(0, &inner, y.data());
  EXPECT_THAT(y, ElementsAre(7, 7, 7, 7));
  layer.Widen(1, &inner, y.data());
  EXPECT_THAT(y, ElementsAre(17, 7, 7, 7));
}

}  // namespace
}  // namespace tenon::model
