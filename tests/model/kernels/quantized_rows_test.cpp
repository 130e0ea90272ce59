#include "model/kernels/quantized_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace tenon::model {
namespace {

TEST(QuantizedRows, RoundToTheNearestOf255StepsOfTheGroup) {
  QuantizedRows rows;
  rows.Resize(2, 64);
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i) x[i] = std::sin(static_cast<float>(i)) * (i < 32 ? 3.0f : 0.01f);
  rows.Quantize(1, x.data());
  for (int i = 0; i < 64; ++i) {
    const float scale = rows.scales(0, 1)[i / 32];
    EXPECT_NEAR(static_cast<float>(rows.values(0, 1)[i]) * scale, x[i], scale / 2 + 1e-7f) << i;
  }
  EXPECT_GT(rows.scales(0, 1)[0], 100 * rows.scales(0, 1)[1])
      << "each group has a scale of its own";
}

TEST(QuantizedRows, KeepTheSumsOfGroupsAndTheirHalves) {
  constexpr int kRows = 3, kRow = 1;
  QuantizedRows rows;
  rows.Resize(kRows, 320);
  std::vector<float> x(320);
  for (int i = 0; i < 320; ++i) x[i] = static_cast<float>(i % 7) - 2.0f;
  rows.Quantize(kRow, x.data());
  for (int g = 0; g < 10; ++g) {
    const int chunk = g / 8, at = g % 8;
    const int8_t* values = rows.values(chunk, kRow) + 32 * at;
    const int first = std::accumulate(values, values + 16, 0);
    const int second = std::accumulate(values + 16, values + 32, 0);
    const int expected[] = {first + second, first, second};
    for (int part = 0; part < 3; ++part) {
      EXPECT_EQ(rows.totals(chunk, kRow)[8 * part + at], expected[part]) << g;
      EXPECT_FLOAT_EQ(rows.sums(chunk, kRow)[8 * part + at],
                      rows.scales(chunk, kRow)[at] * static_cast<float>(expected[part]));
    }
  }
}

TEST(QuantizedRows, AreZeroWhereTheRowIsZero) {
  QuantizedRows rows;
  rows.Resize(1, 256);
  rows.Quantize(0, std::vector<float>(256, 5.0f).data());
  rows.Resize(1, 32);
  rows.Quantize(0, std::vector<float>(32, 0.0f).data());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(rows.values(0, 0)[i], 0);
  EXPECT_EQ(rows.scales(0, 0)[0], 0);
  for (int part = 0; part < 3; ++part) EXPECT_EQ(rows.sums(0, 0)[8 * part], 0);
}

}  // namespace
}  // namespace tenon::model
