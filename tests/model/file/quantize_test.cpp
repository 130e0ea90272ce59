#include "model/file/quantize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "model/file/dequantize.h"
#include "tests/oracle/seed.h"

namespace tenon::model {
namespace {

std::vector<float> ThereAndBack(const std::vector<float>& values) {
  std::vector<std::byte> blocks(values.size() / kQ8Values * kQ8Bytes);
  QuantizeToQ8_0(values, blocks.data());
  GgufTensor tensor{"t", TensorType::kQ8_0, {values.size()}, blocks};
  std::vector<float> back(values.size());
  DequantizeRows(tensor, 0, back);
  return back;
}

TEST(Quantize, ValuesComeBackWithinHalfAStep) {
  std::mt19937 random(oracle::TestSeed());
  for (const float size : {1e-6f, 0.02f, 1.0f, 300.0f, 60000.0f}) {
    std::vector<float> values(256);
    for (float& value : values) value = size * std::uniform_real_distribution<float>(-1, 1)(random);
    const std::vector<float> back = ThereAndBack(values);
    for (size_t block = 0; block < values.size(); block += kQ8Values) {
      float largest = 0;
      for (size_t i = block; i < block + kQ8Values; ++i)
        largest = std::max(largest, std::fabs(values[i]));
      // The scale is a half: it is off by 2^-11 of itself, or by 2^-25.
      const float step = largest / 127, off = std::max(step * 0x1p-11f, 0x1p-25f);
      for (size_t i = block; i < block + kQ8Values; ++i)
        EXPECT_NEAR(back[i], values[i], step / 2 + off * 128) << values[i];
    }
  }
}

TEST(Quantize, ZerosStayZerosAndTheHugeStaysFinite) {
  EXPECT_EQ(ThereAndBack(std::vector<float>(32)), std::vector<float>(32));
  const std::vector<float> huge = ThereAndBack(std::vector<float>(32, -3e38f));
  EXPECT_EQ(huge, std::vector<float>(32, -127.0f * 65504));
}

}  // namespace
}  // namespace tenon::model
