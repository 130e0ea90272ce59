// The rest of a word that a middle repeats: with the sign after it, and at the middle's end.
#include "server/request/rest_of_word.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

constexpr size_t kNone = std::string_view::npos;

TEST(RestOfWord, IsTheWordThatTheRightContextBeginsWith) {
  EXPECT_EQ(RestOfWordBytes("me, b"), 2u);
  EXPECT_EQ(RestOfWordBytes("né = 1"), 3u);
  EXPECT_EQ(RestOfWordBytes(", b"), 0u);
  EXPECT_EQ(RestOfWordBytes(""), 0u);
}

TEST(RestOfWord, IsRepeatedWithTheSignAfterIt) {
  EXPECT_EQ(FindRestOfWord("time,", "me, b", 0), 2u);
  EXPECT_EQ(FindRestOfWord("time, a", "me, b", 0), 2u);
  EXPECT_EQ(FindRestOfWord("time.", "me, b", 0), kNone) << "another sign";
  EXPECT_EQ(FindRestOfWord("timer,", "me, b", 0), kNone) << "a longer word";
  EXPECT_EQ(FindRestOfWord("a, me,", "me, b", 0), kNone) << "a word of its own";
  EXPECT_EQ(FindRestOfWord("a, me, time,", "me, b", 0), 9u);
  EXPECT_EQ(FindRestOfWord("me,", "me, b", 0), kNone) << "all of it";
  EXPECT_EQ(FindRestOfWord("time", "me", 0), kNone) << "there is no sign";
  EXPECT_EQ(FindRestOfWord("time,", ", b", 0), kNone) << "no word is cut";
}

TEST(RestOfWord, IsRepeatedByTheFirstWordWhereItEndsTheLine) {
  EXPECT_EQ(FindRestOfFirstWord("time;", "me", 0), 2u);
  EXPECT_EQ(FindRestOfFirstWord("time; me;", "me", 0), 2u);
  EXPECT_EQ(FindRestOfFirstWord("time", "me", 0), kNone) << "it may go on";
  EXPECT_EQ(FindRestOfFirstWord("times;", "me", 0), kNone) << "another word";
  EXPECT_EQ(FindRestOfFirstWord("a.time;", "me", 0), kNone) << "the second word";
  EXPECT_EQ(FindRestOfFirstWord("time;", "me;", 0), kNone) << "the line goes on";
  EXPECT_EQ(FindRestOfFirstWord("time;", "me", 5), kNone) << "the sign is not new";
  EXPECT_EQ(FindRestOfFirstWord("me;", "me", 0), kNone) << "nothing is missing";
}

TEST(RestOfWord, IsLookedForWhereItsSignIsNew) {
  EXPECT_EQ(FindRestOfWord("time, ", "me, b", 4), 2u);
  EXPECT_EQ(FindRestOfWord("time, ", "me, b", 5), kNone);
  EXPECT_EQ(FindRestOfWord("time, frame,", "me, b", 6), 9u);
}

TEST(RestOfWord, MayEndAMiddle) {
  EXPECT_EQ(FindRestOfWordAtEnd("time", "me, b"), 2u);
  EXPECT_EQ(FindRestOfWordAtEnd("a.time", "me"), 4u);
  EXPECT_EQ(FindRestOfWordAtEnd("a.me", "me"), kNone) << "a word of its own";
  EXPECT_EQ(FindRestOfWordAtEnd("times", "me"), kNone);
  EXPECT_EQ(FindRestOfWordAtEnd("100", "0)"), kNone) << "a number may go on with the same digit";
  EXPECT_EQ(FindRestOfWordAtEnd("time", ", b"), kNone);
}

// What the search finds is written by pieces that may write it.
TEST(RestOfWord, IsEndedByAPieceThatMayEndIt) {
  const std::string right = "me, b";
  for (const std::string middle : {"time,", "time, a", "frame,b"}) {
    for (size_t cut = 0; cut < middle.find(',') + 1; ++cut)
      EXPECT_TRUE(MayEndRestOfWord(middle.substr(cut), right)) << middle.substr(cut);
  }
  EXPECT_FALSE(MayEndRestOfWord("time", right));
  EXPECT_FALSE(MayEndRestOfWord("x,", right));
  EXPECT_FALSE(MayEndRestOfWord(",", ", b"));
  for (const char* piece : {"time;", "me;", "e;", ";"}) EXPECT_TRUE(MayEndRestOfWord(piece, "me"));
  for (const char* piece : {"times;", "me", "a;"}) EXPECT_FALSE(MayEndRestOfWord(piece, "me"));
}

}  // namespace
}  // namespace tenon::server
