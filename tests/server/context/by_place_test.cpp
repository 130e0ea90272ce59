#include "server/context/by_place.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

constexpr size_t kReach = 10;

TEST(ByPlace, HoldsAValueAsLongAsTheTextRightOfTheCursorStays) {
  ByPlace<int> values;
  EXPECT_EQ(values.Find({"a.py", "\nrest\n"}), nullptr);
  EXPECT_EQ(values.Keep({"a.py", "\nrest\n"}, kReach, 7), 7);
  ASSERT_NE(values.Find({"a.py", "\nrest\n"}), nullptr);
  EXPECT_EQ(*values.Find({"a.py", "\nrest\n"}), 7);
  EXPECT_EQ(values.Find({"b.py", "\nrest\n"}), nullptr);
  EXPECT_EQ(values.Find({"a.py", "\nother\n"}), nullptr);
}

TEST(ByPlace, ReachesALittleWayWhereNothingWasChosenAtTheEndOfAFile) {
  using Places = ByPlace<int>;
  EXPECT_EQ(Places::ReachOf({"a.py", "\n"}, true), Places::kReachOfNothingBytes);
  EXPECT_EQ(Places::ReachOf({"a.py", "\nrest\n"}, true), Places::kReachBytes);
  EXPECT_EQ(Places::ReachOf({"a.py", "\n"}, false), Places::kReachBytes);
}

TEST(ByPlace, HoldsAValueWithinItsReach) {
  ByPlace<int> values;
  values.Keep({"a.py", "", 100}, kReach, 7);
  EXPECT_NE(values.Find({"a.py", "", 90}), nullptr);
  EXPECT_NE(values.Find({"a.py", "", 110}), nullptr);
  EXPECT_EQ(values.Find({"a.py", "", 89}), nullptr);
  EXPECT_EQ(values.Find({"a.py", "", 111}), nullptr);
  values.Keep({"a.py", "", 111}, kReach, 8);
  EXPECT_EQ(*values.Find({"a.py", "", 105}), 8) << "in the place of the older one";
}

TEST(ByPlace, DropsTheOneThatWasAskedForLongestAgo) {
  ByPlace<size_t> values;
  for (size_t i = 0; i < values.kMaxPlaces; ++i)
    values.Keep({"a.py", std::to_string(i)}, kReach, i);
  EXPECT_NE(values.Find({"a.py", "0"}), nullptr);
  values.Keep({"a.py", "one more"}, kReach, 9);
  EXPECT_NE(values.Find({"a.py", "0"}), nullptr);
  EXPECT_EQ(values.Find({"a.py", "1"}), nullptr);
}

}  // namespace
}  // namespace tenon::server
