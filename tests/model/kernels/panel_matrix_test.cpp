#include "model/kernels/panel_matrix.h"

#include <gtest/gtest.h>

#include <vector>

namespace tenon::model {
namespace {

TEST(PanelMatrix, HasThirtyTwoRowsSideBySide) {
  // Two rows of 32 values in Q4_0: a scale, then half bytes: value i and value i + 16 in byte i.
  constexpr int kBlock = 18;
  std::vector<uint8_t> blocks(2 * kBlock);
  for (int r = 0; r < 2; ++r) {
    blocks[r * kBlock] = static_cast<uint8_t>(0x10 + r);
    for (int i = 0; i < 16; ++i)
      blocks[r * kBlock + 2 + i] = static_cast<uint8_t>(((i + r) % 16) | (15 - i) << 4);
  }
  const BlockMatrix matrix{BlockFormat::kQ4_0, 2, 32, kBlock,
                           reinterpret_cast<const std::byte*>(blocks.data())};
  constexpr int kHalf = 64 + 4 * 64;  // scales, and four lines
  ASSERT_EQ(PanelBytes(BlockFormat::kQ4_0, 2, 32), 2u * kHalf);
  alignas(PanelMatrix::kAlignment) uint8_t out[2 * kHalf];
  const PanelMatrix panels = PackPanels(matrix, 0, 2, out);
  EXPECT_EQ(panels.rows, 2);
  EXPECT_EQ(panels.columns, 32);
  for (int r = 0; r < 16; ++r) {
    EXPECT_EQ(out[2 * r], r < 2 ? 0x10 + r : 0) << "the scale of row " << r;
    for (int column = 0; column < 16; ++column) {
      const uint8_t byte = out[64 + column / 4 * 64 + 4 * r + column % 4];
      EXPECT_EQ(byte, r < 2 ? blocks[r * kBlock + 2 + column] : 0) << r << ", " << column;
    }
  }
  for (int i = 0; i < kHalf; ++i) EXPECT_EQ(out[kHalf + i], 0) << "rows 16 to 31, byte " << i;
}

TEST(PanelMatrix, TakesTheBytesOfItsFormat) {
  for (int i = 0; i < kBlockFormats; ++i) {
    const auto format = static_cast<BlockFormat>(i);
    constexpr int kRows = 64, kColumns = 1024;
    const BlockSize size = SizeOf(format);
    const double in_file = 1.0 * kRows * kColumns / size.values * size.bytes;
    const double in_panels = static_cast<double>(PanelBytes(format, kRows, kColumns));
    EXPECT_GE(in_panels, in_file) << "format " << i;
    EXPECT_LE(in_panels, (format == BlockFormat::kQ2_K ? 1.2 : 1.06) * in_file) << "format " << i;
  }
}

TEST(PanelMatrix, ALayoutHasOneNumber) {
  const uint64_t layout = PanelLayout();
  EXPECT_NE(layout, 0U);
  EXPECT_EQ(PanelLayout(), layout) << "no byte of a panel is left as it was found";
}

TEST(PanelMatrix, BeginsAtTheRowThatIsAskedFor) {
  constexpr int kBlock = 34;  // Q8_0: a scale and 32 bytes
  std::vector<uint8_t> blocks(5 * kBlock);
  for (int r = 0; r < 5; ++r) blocks[r * kBlock + 2] = static_cast<uint8_t>(10 * r);
  const BlockMatrix matrix{BlockFormat::kQ8_0, 5, 32, kBlock,
                           reinterpret_cast<const std::byte*>(blocks.data())};
  alignas(PanelMatrix::kAlignment) uint8_t out[2 * (64 + 8 * 64)];
  ASSERT_EQ(PanelBytes(BlockFormat::kQ8_0, 2, 32), sizeof out);
  PackPanels(matrix, 3, 2, out);
  EXPECT_EQ(out[64], 30 + 128);
  EXPECT_EQ(out[64 + 4], 40 + 128);
}

}  // namespace
}  // namespace tenon::model
