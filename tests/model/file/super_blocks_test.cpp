// Super-blocks computed by hand from the formulas of dequantize.h: a value near the beginning, one
// far into the block, and their neighbours.
#include "model/file/super_blocks.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>
#include <vector>

#include "model/file/dequantize.h"

namespace tenon::model {
namespace {

// The values of a super-block of zeros but for the bytes that are given.
std::vector<float> Read(TensorType type,
                        std::initializer_list<std::pair<size_t, int>> offsets_and_bytes) {
  std::vector<std::byte> block(LayoutOf(type).block_bytes);
  for (const auto& [offset, byte] : offsets_and_bytes)
    block.at(offset) = static_cast<std::byte>(byte);
  GgufTensor tensor;
  tensor.type = type;
  tensor.dims = {256};
  tensor.data = block;
  std::vector<float> out(256);
  DequantizeRows(tensor, 0, out);
  return out;
}

// A half, little-endian: 0x4000 is 2, 0x3800 is 0.5.
TEST(SuperBlocks, TwoBitsHaveScalesAndMinimaOfFour) {
  const auto out = Read(TensorType::kQ2_K, {{81, 0x40},           // d = 2
                                            {83, 0x38},           // m = 0.5
                                            {0, 0x43},            // s[0] = 3, t[0] = 4
                                            {13, 0x21},           // s[13] = 1, t[13] = 2
                                            {16, 2},              // q[0] = 2
                                            {16 + 48, 3 << 4}});  // q[208] = 3
  EXPECT_EQ(out[0], 2.0f * 3 * 2 - 0.5f * 4);
  EXPECT_EQ(out[1], -2);
  EXPECT_EQ(out[16], 0);
  EXPECT_EQ(out[208], 2.0f * 1 * 3 - 0.5f * 2);
  EXPECT_EQ(out[209], -1);
}

TEST(SuperBlocks, ThirdBitsAndScalesOfSixBitsAreApart) {
  const auto out = Read(TensorType::kQ3_K, {{109, 0x40},        // d = 2
                                            {96, 1},            // s[0] = 33: low four bits
                                            {96 + 8, 2},        // s[0]: high two
                                            {96 + 5, 0xe0},     // s[13] = 30: low four bits
                                            {96 + 9, 1 << 6},   // s[13]: high two
                                            {32, 3},            // q[0] = 7: low two bits
                                            {0, 1},             // q[0]: high bit
                                            {32 + 48, 2 << 4},  // q[208] = 6: low two bits
                                            {16, 1 << 6}});     // q[208]: high bit
  EXPECT_EQ(out[0], 2.0f * 1 * 3);
  EXPECT_EQ(out[1], 2.0f * 1 * -4);
  EXPECT_EQ(out[16], 2.0f * -32 * -4);
  EXPECT_EQ(out[208], 2.0f * -2 * 2);
  EXPECT_EQ(out[209], 2.0f * -2 * -4);
}

TEST(SuperBlocks, FourBitsHaveScalesAndMinimaOfSix) {
  const auto out = Read(TensorType::kQ4_K, {{1, 0x40},    // d = 2
                                            {3, 0x38},    // m = 0.5
                                            {4, 3},       // s[0] = 3
                                            {8, 4},       // t[0] = 4
                                            {13, 0x65},   // s[5] = 53, t[5] = 38: low four bits
                                            {5, 3 << 6},  // s[5]: high two
                                            {9, 2 << 6},  // t[5]: high two
                                            {16, 7},      // q[0] = 7
                                            {16 + 64, 9 << 4}});  // q[160] = 9
  EXPECT_EQ(out[0], 2.0f * 3 * 7 - 0.5f * 4);
  EXPECT_EQ(out[1], -2);
  EXPECT_EQ(out[32], 0);
  EXPECT_EQ(out[160], 2.0f * 53 * 9 - 0.5f * 38);
  EXPECT_EQ(out[161], -19);
  EXPECT_EQ(out[192], 0);
}

TEST(SuperBlocks, FifthBitsOfASubBlockAreOneBitOfEachByte) {
  const auto out = Read(TensorType::kQ5_K, {{1, 0x40},
                                            {3, 0x38},
                                            {4, 3},
                                            {8, 4},
                                            {13, 0x65},
                                            {5, 3 << 6},
                                            {9, 2 << 6},
                                            {16, 0x21},           // fifth bits of q[0] and q[160]
                                            {48, 7},              // q[0] = 16 + 7
                                            {48 + 64, 9 << 4}});  // q[160] = 16 + 9
  EXPECT_EQ(out[0], 2.0f * 3 * 23 - 0.5f * 4);
  EXPECT_EQ(out[1], -2);
  EXPECT_EQ(out[160], 2.0f * 53 * 25 - 0.5f * 38);
  EXPECT_EQ(out[161], -19);
}

TEST(SuperBlocks, SixBitsHaveSignedScales) {
  const auto out = Read(TensorType::kQ6_K, {{209, 0x38},           // d = 0.5
                                            {192, -3},             // s[0] = -3
                                            {192 + 13, 5},         // s[13] = 5
                                            {0, 9},                // q[0] = 41: low four bits
                                            {128, 2},              // q[0]: high two
                                            {80, 6 << 4},          // q[208] = 54: low four bits
                                            {128 + 48, 3 << 4}});  // q[208]: high two
  EXPECT_EQ(out[0], 0.5f * -3 * 9);
  EXPECT_EQ(out[1], 0.5f * -3 * -32);
  EXPECT_EQ(out[16], 0);
  EXPECT_EQ(out[208], 0.5f * 5 * 22);
  EXPECT_EQ(out[209], 0.5f * 5 * -32);
}

TEST(SuperBlocks, UnevenValuesHaveScalesOfSixBits) {
  const auto out = Read(TensorType::kIQ4_XS, {{1, 0x40},         // d = 2
                                              {2, 2},            // s[0] = 33: high two bits
                                              {3, 1 << 2},       // s[5] = 30: high two bits
                                              {4, 1},            // s[0]: low four
                                              {6, 0xe0},         // s[5]: low four
                                              {8, 0x8f},         // q[0] = 15, q[16] = 8
                                              {8 + 80, 0x70}});  // q[160] = 0, q[176] = 7
  EXPECT_EQ(out[0], 2.0f * 1 * 113);
  EXPECT_EQ(out[16], 2.0f * 1 * 1);
  EXPECT_EQ(out[1], 2.0f * 1 * -127);
  EXPECT_EQ(out[32], 2.0f * -32 * -127);
  EXPECT_EQ(out[160], 2.0f * -2 * -127);
  EXPECT_EQ(out[176], 2.0f * -2 * -10);
}

}  // namespace
}  // namespace tenon::model
