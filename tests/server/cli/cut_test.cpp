#include "server/cli/cut.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Cut, IsAPlaceOrAStretch) {
  const auto place = CutFrom("4");
  ASSERT_TRUE(place);
  EXPECT_EQ(place->begin, 4u);
  EXPECT_EQ(place->end, 4u);
  const auto stretch = CutFrom("4-15");
  ASSERT_TRUE(stretch);
  EXPECT_EQ(stretch->begin, 4u);
  EXPECT_EQ(stretch->end, 15u);
  for (const char* wrong : {"", "x", "-", "1-", "-1", "1-x", " 1", "1 ", "99999999999999999999"})
    EXPECT_FALSE(CutFrom(wrong)) << wrong;
}

TEST(Cut, LeavesTheContextsOnBothSides) {
  const auto contexts = TakeOut({4, 5}, "[1, 2]");
  ASSERT_TRUE(contexts);
  EXPECT_EQ(contexts->left, "[1, ");
  EXPECT_EQ(contexts->right, "]");
  EXPECT_EQ(TakeOut({6, 6}, "[1, 2]")->right, "");
  EXPECT_EQ(TakeOut({2, 7}, "[1, 2]").error(),
            "2-7 lies after the end of the text, which has 6 bytes");
  EXPECT_EQ(TakeOut({7, 7}, "[1, 2]").error(),
            "7 lies after the end of the text, which has 6 bytes");
  EXPECT_EQ(TakeOut({3, 2}, "[1, 2]").error(), "3-2 ends before it begins");
}

}  // namespace
}  // namespace tenon::server
