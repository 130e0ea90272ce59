#include "server/eval/similarity.h"

#include <algorithm>
#include <random>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// The definition itself: the best of the three edits at the first characters.
size_t NaiveDistance(std::u32string_view a, std::u32string_view b) {
  if (a.empty() || b.empty()) return a.size() + b.size();
  if (a[0] == b[0]) return NaiveDistance(a.substr(1), b.substr(1));
  return 1 + std::min({NaiveDistance(a.substr(1), b), NaiveDistance(a, b.substr(1)),
                       NaiveDistance(a.substr(1), b.substr(1))});
}

TEST(Similarity, IsThatOfTheNaiveDefinition) {
  std::mt19937 random(1);
  const auto text = [&random] {
    std::u32string made(random() % 8, U'a');
    for (char32_t& c : made) c = U"abc"[random() % 3];
    return made;
  };
  for (int i = 0; i < 2000; ++i) {
    const std::u32string a = text(), b = text();
    EXPECT_EQ(EditDistance(a, b), NaiveDistance(a, b)) << "pair " << i << " of seed 1";
  }
}

TEST(Similarity, IsAShareOfTheLongerText) {
  EXPECT_DOUBLE_EQ(EditSimilarity("game", "name"), 0.75);
  EXPECT_DOUBLE_EQ(EditSimilarity("", ""), 1);
  EXPECT_DOUBLE_EQ(EditSimilarity("abc", ""), 0);
  EXPECT_DOUBLE_EQ(EditSimilarity("ab", "abcd"), 0.5);
}

TEST(Similarity, CountsCharactersAndNotBytes) {
  EXPECT_DOUBLE_EQ(EditSimilarity("é", "e"), 0);
  EXPECT_DOUBLE_EQ(EditSimilarity("né", "ne"), 0.5);
  EXPECT_EQ(CharactersOf("aé€𝄞"), U"aé€𝄞");
}

TEST(Similarity, TakesStrayBytesOneByOne) {
  EXPECT_EQ(CharactersOf("\xC3").size(), 1U);
  EXPECT_EQ(CharactersOf("\x80\xC3(\xF0\x9D").size(), 5U);
  EXPECT_EQ(CharactersOf("\x80"), CharactersOf("\x80"));
  EXPECT_NE(CharactersOf("\x80"), CharactersOf("\x81"));
}

}  // namespace
}  // namespace tenon::server
