#include "model/file/byte_cursor.h"

#include <vector>

#include <gtest/gtest.h>

namespace tenon::model {
namespace {

std::vector<std::byte> BytesOf(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(ByteCursor, ReadsNumbersAndTextsInTheirOrder) {
  const std::string path = "m.gguf";
  const auto bytes = BytesOf({2, 0, 0, 0, 3, 0, 0, 0, 0, 0, 0, 0, 'a', 'b', 'c', 0xff});
  ByteCursor in(bytes, path);
  EXPECT_EQ(in.Read<uint32_t>("a number"), 2U);
  EXPECT_EQ(in.ReadString("a text"), "abc");
  EXPECT_EQ(in.offset(), 15U);
  EXPECT_EQ(in.left(), 1U);
  EXPECT_EQ(in.Read<int8_t>("a number"), -1);
  EXPECT_TRUE(in.ok());
}

TEST(ByteCursor, KeepsTheFirstFailureAndReadsNothingAfterIt) {
  const std::string path = "m.gguf";
  const auto bytes = BytesOf({2, 0, 0, 0});
  ByteCursor in(bytes, path);
  EXPECT_EQ(in.Read<uint32_t>("the version"), 2U);
  EXPECT_EQ(in.Read<uint8_t>("a flag"), 0);
  in.Fail(0, "another failure");
  EXPECT_EQ(in.ReadString("a text"), "");
  ASSERT_FALSE(in.ok());
  EXPECT_EQ(in.TakeError().message,
            "m.gguf: at byte 4: the file ends within a flag; the file is damaged, fetch it again");
}

TEST(ByteCursor, ATextIsNoLongerThanTheBytesThatAreLeft) {
  const std::string path = "m.gguf";
  const auto bytes = BytesOf({9, 0, 0, 0, 0, 0, 0, 0, 'a'});
  ByteCursor in(bytes, path);
  EXPECT_EQ(in.ReadString("a key"), "");
  EXPECT_EQ(in.TakeError().message,
            "m.gguf: at byte 0: a key claims 9 bytes, 1 are left; the file is damaged, fetch it "
            "again");
}

}  // namespace
}  // namespace tenon::model
