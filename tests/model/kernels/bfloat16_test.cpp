#include "model/kernels/bfloat16.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace tenon::model {
namespace {

float Rounded(float value) {
  BFloat16 stored;
  Round(value, stored);
  return ToFloat(stored);
}

TEST(BFloat16, KeepsValuesOfSevenBitsOfMantissa) {
  for (const float value : {0.0f, 1.0f, -1.5f, 1.0078125f, 0x1p-120f, 255.0f}) {
    EXPECT_EQ(Rounded(value), value);
  }
  EXPECT_TRUE(std::isinf(Rounded(std::numeric_limits<float>::infinity())));
}

TEST(BFloat16, RoundsToTheNearestAndTiesToEven) {
  constexpr float kStep = 1.0f / 128;  // between neighbours in [1, 2)
  EXPECT_EQ(Rounded(1.01f), 1 + kStep);
  EXPECT_EQ(Rounded(1 + kStep / 2), 1.0f);
  EXPECT_EQ(Rounded(1 + 3 * kStep / 2), 1 + 2 * kStep);
  EXPECT_EQ(Rounded(-1 - 3 * kStep / 2), -1 - 2 * kStep);
  EXPECT_TRUE(std::isinf(Rounded(std::numeric_limits<float>::max())));
}

}  // namespace
}  // namespace tenon::model
