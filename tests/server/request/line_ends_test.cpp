#include "server/request/line_ends.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(LineEnds, AreThoseOfTheFirstLine) {
  EXPECT_EQ(LineEndOf("a\nb\r\n"), "\n");
  EXPECT_EQ(LineEndOf("a\r\nb\n"), "\r\n");
  EXPECT_EQ(LineEndOf("a\rb\n"), "\r");
  EXPECT_EQ(LineEndOf("a"), "\n");
}

TEST(LineEnds, ReplaceEachOther) {
  EXPECT_EQ(WithLineEnds("a\nb\r\nc\rd", "\r\n"), "a\r\nb\r\nc\r\nd");
  EXPECT_EQ(WithLineEnds("a\r\n\r\n", "\n"), "a\n\n");
  EXPECT_EQ(WithLineEnds("\r\r", "\n"), "\n\n");
}

}  // namespace
}  // namespace tenon::server
