#include "server/request/visible_text.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(VisibleText, LeavesBlanksAndLineEndsOut) {
  EXPECT_EQ(VisibleText(" f( a,\tb )\r\n"), "f(a,b)");
  EXPECT_EQ(VisibleText(" \n"), "");
}

TEST(VisibleText, IsDistinctWhereNeitherBeginsWithTheOther) {
  EXPECT_TRUE(AreDistinct("max(a)", "min(a)"));
  EXPECT_TRUE(AreDistinct("f(a)", "f(b)"));
  EXPECT_FALSE(AreDistinct("f(a, b)", "f( a,b )"));
  EXPECT_FALSE(AreDistinct("f(a)", "f(a) + 1"));
  EXPECT_FALSE(AreDistinct("f(a) + 1", "f(a)"));
  EXPECT_FALSE(AreDistinct(" ", "f(a)")) << "nothing is the beginning of everything";
}

}  // namespace
}  // namespace tenon::server
