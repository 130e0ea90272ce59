#include "model/file/tensor_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "model/file/gguf.h"
#include "tests/model/gguf_writer.h"

namespace tenon::model {
namespace {

using ::testing::HasSubstr;

struct Row {
  uint32_t number;
  std::string name;
  uint64_t elements, bytes;
};

// As ggml.h and ggml-common.h number and measure them.
const Row kRows[] = {{0, "F32", 1, 4},       {1, "F16", 1, 2},         {2, "Q4_0", 32, 18},
                     {3, "Q4_1", 32, 20},    {6, "Q5_0", 32, 22},      {7, "Q5_1", 32, 24},
                     {8, "Q8_0", 32, 34},    {10, "Q2_K", 256, 84},    {11, "Q3_K", 256, 110},
                     {12, "Q4_K", 256, 144}, {13, "Q5_K", 256, 176},   {14, "Q6_K", 256, 210},
                     {20, "IQ4_NL", 32, 18}, {23, "IQ4_XS", 256, 136}, {30, "BF16", 1, 2}};

TEST(TensorType, HasTheNumbersAndSizesOfTheFormat) {
  for (const Row& row : kRows) {
    const auto type = TensorTypeOf(row.number);
    ASSERT_TRUE(type.has_value()) << row.name;
    EXPECT_EQ(static_cast<uint32_t>(*type), row.number);
    const TensorLayout layout = LayoutOf(*type);
    EXPECT_EQ(layout.name, row.name);
    EXPECT_EQ(layout.block_elements, row.elements) << row.name;
    EXPECT_EQ(layout.block_bytes, row.bytes) << row.name;
  }
  size_t known = 0;
  for (uint32_t number = 0; number < 1000; ++number) known += TensorTypeOf(number).has_value();
  EXPECT_EQ(known, std::size(kRows));
  EXPECT_EQ(TensorTypeOf(~0u), std::nullopt);
}

std::string ErrorOf(const Row& row, uint64_t columns, uint64_t data_bytes) {
  const auto bytes = GgufWriter()
                         .Tensor("w", {columns, 2}, row.number, std::vector<std::byte>(data_bytes))
                         .Bytes();
  const auto file = GgufFile::Parse(bytes, "x.gguf");
  return file ? "" : file.error().message;
}

TEST(TensorType, RowsAreWholeBlocks) {
  for (const Row& row : kRows) {
    SCOPED_TRACE(row.name);
    EXPECT_EQ(ErrorOf(row, row.elements * 3, row.bytes * 6), "");
    EXPECT_THAT(ErrorOf(row, row.elements * 3, row.bytes * 6 - 1),
                HasSubstr("tensor w needs " + std::to_string(row.bytes * 6) + " bytes"));
    if (row.elements == 1) continue;
    const std::string blocks = "do not divide into blocks of " + std::to_string(row.elements) +
                               " " + row.name + "; the file is damaged";
    for (const uint64_t columns : {row.elements * 3 - 1, row.elements * 3 + 1, row.elements / 2})
      EXPECT_THAT(ErrorOf(row, columns, row.bytes * 8), HasSubstr(blocks)) << columns;
  }
}

}  // namespace
}  // namespace tenon::model
