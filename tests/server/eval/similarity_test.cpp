#include "server/eval/similarity.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

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
