#include "server/files/read_line.h"

#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(ReadLine, GivesLinesWithoutTheirEnds) {
  std::istringstream in("one\n\nlast");
  EXPECT_EQ(ReadLine(in)->text, "one");
  EXPECT_EQ(ReadLine(in)->text, "");
  EXPECT_EQ(ReadLine(in)->text, "last");
  EXPECT_FALSE(ReadLine(in));
}

TEST(ReadLine, StopsInALineThatIsTooLong) {
  std::istringstream in("1234\n12345\n");
  EXPECT_FALSE(ReadLine(in, 4)->too_long);
  const auto line = ReadLine(in, 4);
  EXPECT_TRUE(line->too_long);
  EXPECT_EQ(line->text, "12345");
}

TEST(ReadLine, NotesAStreamThatCannotBeRead) {
  std::ifstream in("/");  // it can be opened, and not read
  ASSERT_TRUE(in.is_open());
  EXPECT_FALSE(ReadLine(in));
  EXPECT_TRUE(in.bad());
}

}  // namespace
}  // namespace tenon::server
