#include "model/kernels/activation_rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tenon::model {
namespace {

TEST(ActivationRows, RoundToTheNearestOf255StepsOfTheGroup) {
  ActivationRows rows;
  rows.Resize(2, 64);
  std::vector<float> x(64);
  for (int i = 0; i < 64; ++i) x[i] = std::sin(static_cast<float>(i)) * (i < 32 ? 3.0f : 0.01f);
  rows.Write(1, x.data());
  for (int i = 0; i < 64; ++i) {
    const float scale = rows.scales(0, 1)[i / 32];
    EXPECT_NEAR(static_cast<float>(rows.values(0, 1)[i]) * scale, x[i], scale / 2 + 1e-7f) << i;
  }
  EXPECT_GT(rows.scales(0, 1)[0], 100 * rows.scales(0, 1)[1])
      << "each group has a scale of its own";
}

TEST(ActivationRows, KeepTheSumsOfGroupsAndTheirHalves) {
  constexpr int kRows = 3, kRow = 1;
  ActivationRows rows;
  rows.Resize(kRows, 320);
  std::vector<float> x(320);
  for (int i = 0; i < 320; ++i) x[i] = static_cast<float>(i % 7) - 2.0f;
  rows.Write(kRow, x.data());
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

TEST(ActivationRows, AreZeroWhereTheRowIsZero) {
  ActivationRows rows;
  rows.Resize(1, 256);
  rows.Write(0, std::vector<float>(256, 5.0f).data());
  rows.Resize(1, 32);
  rows.Write(0, std::vector<float>(32, 0.0f).data());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(rows.values(0, 0)[i], 0);
  EXPECT_EQ(rows.scales(0, 0)[0], 0);
  for (int part = 0; part < 3; ++part) EXPECT_EQ(rows.sums(0, 0)[8 * part], 0);
}

// Without it the numbers are infinite, and processors differ in the integers of infinite numbers.
TEST(ActivationRows, AreZeroWhereNumbersAreTooSmallToScale) {
  ActivationRows rows;
  rows.Resize(1, 32);
  std::vector<float> x(32, 1e-40f);  // 127 divided by it is infinite
  x[3] = 0;
  rows.Write(0, x.data());
  for (int i = 0; i < 32; ++i) EXPECT_EQ(rows.values(0, 0)[i], 0) << i;
  for (int part = 0; part < 3; ++part) EXPECT_EQ(rows.totals(0, 0)[8 * part], 0);
}

TEST(ActivationRows, OfBFloat16AreTheNearestNumbers) {
  constexpr int kRows = 3, kColumns = 320;
  ActivationRows rows;
  rows.Resize(kRows, kColumns, ActivationForm::kBFloat16);
  std::vector<float> x(kColumns);
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < kColumns; ++i) x[i] = std::sin(static_cast<float>(row * kColumns + i));
    rows.Write(row, x.data());
  }
  for (int row = 0; row < kRows; ++row) {
    for (int i = 0; i < kColumns; ++i) {
      BFloat16 expected;
      Round(std::sin(static_cast<float>(row * kColumns + i)), expected);
      EXPECT_EQ(rows.numbers(i / 256, row)[i % 256].bits, expected.bits) << row << " " << i;
    }
  }
  EXPECT_EQ(rows.numbers(1, 2) - rows.numbers(1, 1), 256);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(rows.numbers(1, 1)) % 64, 0u);
}

TEST(ActivationRows, HaveTheFormThatTheyWereLastResizedTo) {
  ActivationRows rows;
  rows.Resize(1, 32, ActivationForm::kBFloat16);
  EXPECT_EQ(rows.form(), ActivationForm::kBFloat16);
  rows.Resize(1, 32);
  EXPECT_EQ(rows.form(), ActivationForm::kBytes);
  rows.Write(0, std::vector<float>(32, 2.0f).data());
  EXPECT_EQ(rows.values(0, 0)[5], 127);
}

}  // namespace
}  // namespace tenon::model
