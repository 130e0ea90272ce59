#include "model/kernels/matmul.h"

#include <gtest/gtest.h>

#include <numeric>
#include <type_traits>
#include <vector>

#include "model/kernels/bfloat16.h"

namespace tenon::model {
namespace {

// Small whole numbers: exact in bfloat16, and so are their products' sums in float.
template <typename T>
std::vector<T> Numbers(size_t n, int seed) {
  std::vector<T> numbers(n);
  for (size_t i = 0; i < n; ++i)
    Round(static_cast<float>((static_cast<int>(i) * 7 + seed) % 9 - 4), numbers[i]);
  return numbers;
}

template <typename T>
constexpr Operand kOperandOf = std::is_same_v<T, float> ? Operand::kFloat32 : Operand::kBFloat16;

// y[m, r] = sum over k of x[m, k] * w[r, k], for all shards.
template <typename T>
void ExpectLinear(int m, int columns, const std::vector<int>& shard_rows) {
  const int rows = std::accumulate(shard_rows.begin(), shard_rows.end(), 0);
  const auto x = Numbers<T>(static_cast<size_t>(m) * columns, 1),
             w = Numbers<T>(static_cast<size_t>(rows) * columns, 2);
  const PackedWeights packed(columns, shard_rows, kOperandOf<T>, [&](int row, float* out) {
    for (int k = 0; k < columns; ++k) out[k] = ToFloat(w[row * columns + k]);
  });
  ASSERT_EQ(packed.shards(), static_cast<int>(shard_rows.size()));
  MatmulRunner runner(1, kOperandOf<T>);
  int first_row = 0;
  for (int shard = 0; shard < packed.shards(); ++shard) {
    const int length = packed.shard_rows(shard);
    const Product* product = runner.PrepareLinear(packed, shard, m);
    EXPECT_EQ(runner.PrepareLinear(packed, shard, m), product)
        << "a product of the same shape is made once";
    std::vector<float> y(static_cast<size_t>(m) * length);
    runner.Linear(product, 0, x.data(), packed, shard, y.data());
    for (int i = 0; i < m; ++i) {
      for (int r = 0; r < length; ++r) {
        float expected = 0;
        for (int k = 0; k < columns; ++k)
          expected += ToFloat(x[i * columns + k]) * ToFloat(w[(first_row + r) * columns + k]);
        ASSERT_EQ(y[i * length + r], expected) << "row " << i << ", output " << first_row + r;
      }
    }
    first_row += length;
  }
}

template <typename T>
void ExpectAttention(int queries, int keys, int depth) {
  const auto q = Numbers<T>(static_cast<size_t>(queries) * depth, 3),
             k = Numbers<T>(static_cast<size_t>(keys) * depth, 4);
  const auto p = Numbers<T>(static_cast<size_t>(queries) * keys, 5);
  MatmulRunner runner(2, kOperandOf<T>);
  std::vector<float> scores(static_cast<size_t>(queries) * keys),
      sums(static_cast<size_t>(queries) * depth);
  runner.Multiply(runner.PrepareScores(queries, keys, depth), 0, q.data(), k.data(), scores.data());
  runner.Multiply(runner.PrepareWeighted(queries, keys, depth), 1, p.data(), k.data(), sums.data());
  for (int a = 0; a < queries; ++a) {
    std::vector<float> weighted(depth);
    for (int b = 0; b < keys; ++b) {
      float score = 0;
      for (int d = 0; d < depth; ++d) {
        score += ToFloat(q[a * depth + d]) * ToFloat(k[b * depth + d]);
        weighted[d] += ToFloat(p[a * keys + b]) * ToFloat(k[b * depth + d]);
      }
      ASSERT_EQ(scores[a * keys + b], score);
    }
    for (int d = 0; d < depth; ++d) ASSERT_EQ(sums[a * depth + d], weighted[d]);
  }
}

template <typename T>
void ExpectEverything() {
  KeepOpenMpInThisThread();
  for (const int m : {1, 5, 64}) {
    ExpectLinear<T>(m, 12, {8});
    ExpectLinear<T>(m, 32, {16, 16, 32});
    ExpectLinear<T>(m, 7, {3, 5});
  }
  ExpectAttention<T>(4, 64, 8);
  ExpectAttention<T>(33, 10, 5);
}

TEST(MatmulRunner, GivesTheProductsOfFloats) { ExpectEverything<float>(); }

TEST(MatmulRunner, GivesTheProductsOfBFloat16) {
  if (!HasFastBFloat16()) GTEST_SKIP() << "this processor does not multiply bfloat16";
  ExpectEverything<BFloat16>();
}

TEST(PackedWeights, AsksForEachRowOnceAndInOrder) {
  std::vector<int> asked;
  const PackedWeights packed(4, {2, 1, 3}, Operand::kFloat32, [&](int row, float* out) {
    asked.push_back(row);
    for (int k = 0; k < 4; ++k) out[k] = 1;
  });
  EXPECT_EQ(asked, (std::vector<int>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(packed.columns(), 4);
  EXPECT_EQ(packed.shards(), 3);
  EXPECT_EQ(packed.shard_rows(2), 3);
}

}  // namespace
}  // namespace tenon::model
