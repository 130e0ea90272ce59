#include "model/file/dequantize.h"
#include "tests/source_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <set>

namespace tenon::model {
namespace {

constexpr uint16_t kHalfOfTwo = 0x4000;
constexpr uint16_t kHalfOfMinusOne = 0xbc00;

std::vector<std::byte> Bytes(std::initializer_list<uint16_t> halves, const std::vector<int>& rest) {
  std::vector<std::byte> bytes;
  for (const uint16_t half : halves) {
    bytes.push_back(static_cast<std::byte>(half & 255));
    bytes.push_back(static_cast<std::byte>(half >> 8));
  }
  for (const int value : rest) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

std::vector<float> Read(TensorType type, std::vector<uint64_t> dims,
                        const std::vector<std::byte>& data, uint64_t first_row, size_t count) {
  GgufTensor tensor;
  tensor.type = type;
  tensor.dims = std::move(dims);
  tensor.data = data;
  std::vector<float> out(count);
  DequantizeRows(tensor, first_row, out);
  return out;
}

TEST(Dequantize, HalvesAreExact) {
  const std::pair<uint16_t, float> cases[] = {
      {0x0000, 0.0f},     {0x8000, -0.0f},         {0x3c00, 1.0f},
      {0xc500, -5.0f},    {0x7bff, 65504.0f},      {0x0400, 0x1p-14f},
      {0x0001, 0x1p-24f}, {0x83ff, -0x1.ff8p-15f}, {0x7c00, INFINITY}};
  for (const auto& [half, value] : cases) {
    EXPECT_EQ(HalfToFloat(half), value) << half;
    EXPECT_EQ(std::signbit(HalfToFloat(half)), std::signbit(value)) << half;
  }
  EXPECT_TRUE(std::isnan(HalfToFloat(0x7e00)));
}

TEST(Dequantize, EightBitsAreSigned) {
  std::vector<int> quants(32);
  for (int i = 0; i < 32; ++i) quants[i] = i % 2 ? -i : i;
  const auto out = Read(TensorType::kQ8_0, {32}, Bytes({kHalfOfTwo}, quants), 0, 32);
  for (int i = 0; i < 32; ++i) EXPECT_EQ(out[i], 2.0f * static_cast<float>(quants[i]));
}

TEST(Dequantize, FourBitsLieInHalvesOfABlock) {
  std::vector<int> pairs(16);
  for (int i = 0; i < 16; ++i) pairs[i] = i | (15 - i) << 4;
  const auto centred = Read(TensorType::kQ4_0, {32}, Bytes({kHalfOfTwo}, pairs), 0, 32);
  const auto shifted =
      Read(TensorType::kQ4_1, {32}, Bytes({kHalfOfTwo, kHalfOfMinusOne}, pairs), 0, 32);
  for (int i = 0; i < 32; ++i) {
    const auto quant = static_cast<float>(i < 16 ? i : 31 - i);
    EXPECT_EQ(centred[i], 2 * (quant - 8));
    EXPECT_EQ(shifted[i], 2 * quant - 1);
  }
}

TEST(Dequantize, FifthBitsLieInFourBytes) {
  // Values 0 and 16 have the fifth bit; their low four are 1 and 2.
  std::vector<int> bytes(20);
  bytes[0] = 1;
  bytes[2] = 1;
  bytes[4] = 0x21;
  const auto centred = Read(TensorType::kQ5_0, {32}, Bytes({kHalfOfTwo}, bytes), 0, 32);
  const auto shifted =
      Read(TensorType::kQ5_1, {32}, Bytes({kHalfOfTwo, kHalfOfMinusOne}, bytes), 0, 32);
  for (int i = 0; i < 32; ++i) {
    const auto quant = static_cast<float>(i == 0 ? 17 : i == 16 ? 18 : 0);
    EXPECT_EQ(centred[i], 2 * (quant - 16)) << i;
    EXPECT_EQ(shifted[i], 2 * quant - 1) << i;
  }
}

TEST(Dequantize, UnevenValuesAreLookedUp) {
  std::vector<int> pairs(16);
  for (int i = 0; i < 16; ++i) pairs[i] = i | (15 - i) << 4;
  const auto out = Read(TensorType::kIQ4_NL, {32}, Bytes({kHalfOfTwo}, pairs), 0, 32);
  const int uneven[] = {-127, -104, -83, -65, -49, -35, -22, -10, 1, 13, 25, 38, 53, 69, 89, 113};
  for (int i = 0; i < 32; ++i)
    EXPECT_EQ(out[i], static_cast<float>(2 * uneven[i < 16 ? i : 31 - i])) << i;
}

TEST(Dequantize, ReadsTheRowsAskedFor) {
  EXPECT_THAT(Read(TensorType::kBF16, {2, 3},
                   Bytes({0x3f80, 0x4000, 0x4040, 0x4080, 0x40a0, 0x40c0}, {}), 1, 4),
              ::testing::ElementsAre(3, 4, 5, 6));
  EXPECT_THAT(Read(TensorType::kF16, {2, 2}, Bytes({0x3c00, 0x4000, 0xbc00, 0xc000}, {}), 1, 2),
              ::testing::ElementsAre(-1, -2));
  std::vector<std::byte> floats(12);
  const float values[] = {1.5f, -2.5f, 3.5f};
  std::memcpy(floats.data(), values, 12);
  EXPECT_THAT(Read(TensorType::kF32, {1, 3}, floats, 1, 2), ::testing::ElementsAre(-2.5f, 3.5f));
}

// The next number of a file of golden values.
uint32_t TakeU32(std::span<const std::byte>& bytes) {
  uint32_t value = 0;
  std::memcpy(&value, bytes.data(), 4);
  bytes = bytes.subspan(4);
  return value;
}

TEST(Dequantize, EveryQuantizedTypeEqualsTheGoldenValues) {
  std::ifstream in(SourcePath("tests/model/golden/blocks.bin"), std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(in), {}};
  auto bytes = std::as_bytes(std::span(file));
  std::set<TensorType> types;
  while (bytes.size() >= 12) {
    const auto type = TensorTypeOf(TakeU32(bytes));
    const uint64_t count = TakeU32(bytes);
    const uint64_t size = TakeU32(bytes);
    ASSERT_TRUE(type.has_value());
    const TensorLayout layout = LayoutOf(*type);
    SCOPED_TRACE(layout.name);
    ASSERT_EQ(size, count * layout.block_bytes);
    const uint64_t elements = count * layout.block_elements;
    ASSERT_GE(bytes.size(), size + elements * sizeof(float));
    std::vector<float> golden(elements);
    std::memcpy(golden.data(), bytes.data() + size, elements * sizeof(float));
    const std::vector<std::byte> blocks(bytes.begin(),
                                        bytes.begin() + static_cast<std::ptrdiff_t>(size));
    // Rows of two blocks, all but the first: the rows asked for begin where they should.
    const uint64_t columns = 2 * layout.block_elements;
    EXPECT_THAT(Read(*type, {columns, count / 2}, blocks, 1, elements - columns),
                ::testing::ElementsAreArray(golden.begin() + static_cast<std::ptrdiff_t>(columns),
                                            golden.end()));
    EXPECT_EQ(Read(*type, {elements}, blocks, 0, elements), golden);
    types.insert(*type);
    bytes = bytes.subspan(size + elements * sizeof(float));
  }
  EXPECT_EQ(bytes.size(), 0u);
  EXPECT_EQ(types.size(), 12u) << "quantized types with golden values";
}

TEST(Dequantize, FindsTheFirstRowWithANumberThatIsNone) {
  std::mt19937 random(5);
  size_t found = 0, none = 0;
  for (uint32_t number = 0; number < 64; ++number) {
    const auto type = TensorTypeOf(number);
    if (!type) continue;
    for (int round = 0; round < 60; ++round) {
      constexpr uint64_t kRows = 6;
      const uint64_t columns = LayoutOf(*type).block_elements;
      GgufTensor tensor;
      tensor.type = *type;
      tensor.dims = {columns, kRows};
      std::vector<std::byte> data(kRows * LayoutOf(*type).block_bytes);
      for (std::byte& byte : data) byte = static_cast<std::byte>(random());
      tensor.data = data;
      std::vector<float> row(columns);
      std::optional<uint64_t> wanted;
      for (uint64_t r = 0; r < kRows && !wanted; ++r) {
        DequantizeRows(tensor, r, row);
        if (!std::all_of(row.begin(), row.end(), [](float x) { return std::isfinite(x); }))
          wanted = r;
      }
      EXPECT_EQ(FindRowNotFinite(tensor), wanted) << LayoutOf(*type).name;
      ++(wanted ? found : none);
    }
  }
  EXPECT_GT(found, 50u);
  EXPECT_GT(none, 50u);
}

}  // namespace
}  // namespace tenon::model
