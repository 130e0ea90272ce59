#include "server/request/lines.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Lines, BeginAfterALineEnd) {
  EXPECT_EQ(LineBeginAt("a\nb\rcd", 1), 0U);
  EXPECT_EQ(LineBeginAt("a\nb\rcd", 3), 2U);
  EXPECT_EQ(LineBeginAt("a\nb\rcd", 6), 4U);
}

TEST(Lines, KeepTheirLineEnds) {
  EXPECT_EQ(LinesIn("a\n\nb"), (std::vector<std::string_view>{"a\n", "\n", "b"}));
}

TEST(Lines, TheFirstThatIsNotBlankEndsBeforeItsLineEnd) {
  EXPECT_EQ(EndOfFirstLine("\n  a = 1\r\nb"), 8U);
  EXPECT_EQ(EndOfFirstLine("a = 1"), std::string_view::npos);
  EXPECT_EQ(EndOfFirstLine(" \n\t"), std::string_view::npos);
}

}  // namespace
}  // namespace tenon::server
