#include "server/context/by_place.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(ByPlace, HoldsAValueAsLongAsTheTextRightOfTheCursorStays) {
  ByPlace<int> values;
  EXPECT_EQ(values.Find("a.py", "\nrest\n"), nullptr);
  EXPECT_EQ(values.Keep("a.py", "\nrest\n", 7), 7);
  ASSERT_NE(values.Find("a.py", "\nrest\n"), nullptr);
  EXPECT_EQ(*values.Find("a.py", "\nrest\n"), 7);
  EXPECT_EQ(values.Find("b.py", "\nrest\n"), nullptr);
  EXPECT_EQ(values.Find("a.py", "\nother\n"), nullptr);
}

TEST(ByPlace, DropsTheOneThatWasAskedForLongestAgo) {
  ByPlace<size_t> values;
  for (size_t i = 0; i < values.kMaxPlaces; ++i) values.Keep("a.py", std::to_string(i), i);
  EXPECT_NE(values.Find("a.py", "0"), nullptr);
  values.Keep("a.py", "one more", 9);
  EXPECT_NE(values.Find("a.py", "0"), nullptr);
  EXPECT_EQ(values.Find("a.py", "1"), nullptr);
}

}  // namespace
}  // namespace tenon::server
