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
    const float scale = rows.scales(1)[i / 32];
    EXPECT_NEAR(static_cast<float>(rows.values(1)[i]) * scale, x[i], scale / 2 + 1e-7f) << i;
  }
  EXPECT_GT(rows.scales(1)[0], 100 * rows.scales(1)[1]) << "each group has a scale of its own";
}

TEST(QuantizedRows, KeepTheSumsOfGroupsAndTheirHalves) {
  QuantizedRows rows;
  rows.Resize(1, 320);  // a chunk and a quarter
  std::vector<float> x(320);
  for (int i = 0; i < 320; ++i) x[i] = static_cast<float>(i % 7) - 2.0f;
  rows.Quantize(0, x.data());
  for (int g = 0; g < 10; ++g) {
    const float* sums = rows.sums(0) + g / 8 * 24 + g % 8;
    int first = 0, second = 0;
    for (int i = 0; i < 16; ++i) {
      first += rows.values(0)[g * 32 + i];
      second += rows.values(0)[g * 32 + 16 + i];
    }
    EXPECT_FLOAT_EQ(sums[0], rows.scales(0)[g] * static_cast<float>(first + second)) << g;
    EXPECT_FLOAT_EQ(sums[8], rows.scales(0)[g] * static_cast<float>(first)) << g;
    EXPECT_FLOAT_EQ(sums[16], rows.scales(0)[g] * static_cast<float>(second)) << g;
  }
}

TEST(QuantizedRows, AreZeroWhereTheRowIsZeroOrHasEnded) {
  QuantizedRows rows;
  rows.Resize(1, 256);
  rows.Quantize(0, std::vector<float>(256, 5.0f).data());
  rows.Resize(1, 32);
  rows.Quantize(0, std::vector<float>(32, 0.0f).data());
  for (int i = 0; i < 256; ++i) EXPECT_EQ(rows.values(0)[i], 0);
  for (int g = 0; g < 8; ++g) EXPECT_EQ(rows.scales(0)[g], 0);
  for (int i = 0; i < 24; ++i) EXPECT_EQ(rows.sums(0)[i], 0);
}

}  // namespace
}  // namespace tenon::model
