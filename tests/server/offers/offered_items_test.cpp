#include "server/offers/offered_items.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(OfferedItems, AnItemIsAcceptedByTheEditThatBringsItsText) {
  OfferedItems offered;
  offered.Offer("a", 4, "max(a)", false);
  EXPECT_EQ(offered.OnEdit("a", "x = max(b)", 6), 0U);
  EXPECT_EQ(offered.OnEdit("b", "x = max(a)", 6), 0U);
  EXPECT_EQ(offered.OnEdit("a", "x = max(a)\n", 6), 1U);
  EXPECT_EQ(offered.OnEdit("a", "x = max(a) \n", 6), 0U) << "it counts once";
}

TEST(OfferedItems, TextThatTheUserTypesIsNotAccepted) {
  OfferedItems offered;
  offered.Offer("a", 0, "max", false);
  EXPECT_EQ(offered.OnEdit("a", "m", 1), 0U);
  EXPECT_EQ(offered.OnEdit("a", "ma", 1), 0U);
  EXPECT_EQ(offered.OnEdit("a", "max", 1), 0U);
  offered.Offer("a", 3, ")", false);
  EXPECT_EQ(offered.OnEdit("a", "max)", 1), 1U) << "one key is all of the item";
}

TEST(OfferedItems, TheRestOfAnItemIsThatItem) {
  OfferedItems offered;
  const int64_t number = offered.Offer("a", 0, "max(a)", false);
  EXPECT_EQ(offered.Offer("a", 3, "(a)", true), number);
  EXPECT_EQ(offered.OnEdit("a", "max(a)", 3), 1U);
  EXPECT_FALSE(offered.OnCommand(number).accepts);
}

TEST(OfferedItems, TheRestOfOneOfSeveralIsThatOne) {
  OfferedItems offered;
  const int64_t first = offered.Offer("a", 0, "max(a)", false);
  const int64_t second = offered.Offer("a", 0, "min(b)", false);
  EXPECT_EQ(offered.Offer("a", 1, "ax(a)", true), first);
  EXPECT_EQ(offered.Offer("a", 1, "in(b)", true), second);
}

TEST(OfferedItems, TheCommandOfAnItemGivesTheSignThatIsOwedOnce) {
  OfferedItems offered;
  const OwedSign owed{"a", {3, ","}, "[ 1"};
  const int64_t number = offered.Offer("a", 6, "max", false, owed);
  const int64_t other = offered.Offer("a", 6, "min", false);
  EXPECT_EQ(offered.Offer("a", 7, "ax", true, owed), number);
  EXPECT_FALSE(offered.OnCommand(other).owed);
  EXPECT_EQ(offered.OnEdit("a", "[ 1\n  max", 2), 1U) << "its text arrives before its command";
  const auto taken = offered.OnCommand(number).owed;
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->sign, (MissingSign{3, ","}));
  EXPECT_EQ(taken->line, "[ 1");
  EXPECT_FALSE(offered.OnCommand(number).owed);
}

TEST(OfferedItems, TheCommandOfAnItemAcceptsItOnce) {
  OfferedItems offered;
  const int64_t number = offered.Offer("a", 0, "max", false);
  EXPECT_TRUE(offered.OnCommand(number).accepts);
  EXPECT_FALSE(offered.OnCommand(number).accepts);
  EXPECT_FALSE(offered.OnCommand(number + 1).accepts);
  EXPECT_EQ(offered.OnEdit("a", "max", 3), 0U);
}

TEST(OfferedItems, OnlyTheLastItemsOfADocumentAreKept) {
  OfferedItems offered;
  for (size_t i = 0; i < OfferedItems::kKept + 1; ++i) offered.Offer("a", i, "xy", false);
  EXPECT_FALSE(offered.OnCommand(1).accepts);
  EXPECT_TRUE(offered.OnCommand(2).accepts);
  offered.Forget("a");
  EXPECT_FALSE(offered.OnCommand(3).accepts);
}

}  // namespace
}  // namespace tenon::server
