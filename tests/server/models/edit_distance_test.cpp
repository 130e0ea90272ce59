#include "server/models/edit_distance.h"

#include <random>
#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(EditDistance, CountsInsertedRemovedAndReplacedCharacters) {
  EXPECT_EQ(EditDistance<char>("", ""), 0U);
  EXPECT_EQ(EditDistance<char>("abc", ""), 3U);
  EXPECT_EQ(EditDistance<char>("kitten", "sitting"), 3U);
  EXPECT_EQ(EditDistance<char>("seed", "sead"), 1U);
  EXPECT_EQ(EditDistance<char>("é", "e"), 2U) << "bytes";
  EXPECT_EQ(EditDistance<char32_t>(U"é", U"e"), 1U);
}

// The definition itself: the best of the three edits at the first characters.
size_t NaiveDistance(std::u32string_view a, std::u32string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  if (a[0] == b[0]) return NaiveDistance(a.substr(1), b.substr(1));
  return 1 + std::min({NaiveDistance(a.substr(1), b), NaiveDistance(a, b.substr(1)),
                       NaiveDistance(a.substr(1), b.substr(1))});
}

TEST(EditDistance, IsThatOfTheNaiveDefinition) {
  std::mt19937 random(1);
  const auto text = [&random] {
    std::u32string made(random() % 8, U'a');
    for (char32_t& c : made) c = U"abc"[random() % 3];
    return made;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::u32string a = text(), b = text();
    EXPECT_EQ(EditDistance<char32_t>(a, b), NaiveDistance(a, b)) << "pair " << i << " of seed 1";
  }
}

}  // namespace
}  // namespace tenon::server
