#include "model/kernels/quantized_rows.h"

#include <gtest/gtest.h>

#include <cmath>
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
    const float scale = rows.scales(i / 32)[1];
    EXPECT_NEAR(static_cast<float>(rows.values(i / 32)[32 + i % 32]) * scale, x[i],
                scale / 2 + 1e-7f)
        << i;
  }
  EXPECT_GT(rows.scales(0)[1], 100 * rows.scales(1)[1]) << "each group has a scale of its own";
}

TEST(QuantizedRows, KeepTheSumsOfGroupsAndTheirHalves) {
  constexpr int kRows = 3, kRow = 1;
  QuantizedRows rows;
  rows.Resize(kRows, 320);
  std::vector<float> x(320);
  for (int i = 0; i < 320; ++i) x[i] = static_cast<float>(i % 7) - 2.0f;
  rows.Quantize(kRow, x.data());
  for (int g = 0; g < 10; ++g) {
    int first = 0, second = 0;
    for (int i = 0; i < 16; ++i) {
      first += rows.values(g)[32 * kRow + i];
      second += rows.values(g)[32 * kRow + 16 + i];
    }
    const int expected[] = {first + second, first, second};
    for (int part = 0; part < 3; ++part) {
      const int at = part * kRows + kRow;
      EXPECT_EQ(rows.totals(g)[at], expected[part]) << g;
      EXPECT_FLOAT_EQ(rows.sums(g)[at], rows.scales(g)[kRow] * static_cast<float>(expected[part]));
    }
  }
}

TEST(QuantizedRows, AreZeroWhereTheRowIsZero) {
  QuantizedRows rows;
  rows.Resize(1, 256);
  rows.Quantize(0, std::vector<float>(256, 5.0f).data());
  rows.Resize(1, 32);
  rows.Quantize(0, std::vector<float>(32, 0.0f).data());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(rows.values(0)[i], 0);
  EXPECT_EQ(rows.scales(0)[0], 0);
  for (int part = 0; part < 3; ++part) EXPECT_EQ(rows.sums(0)[part], 0);
}

}  // namespace
}  // namespace tenon::model
