// Which pieces may not come after the writer's first choice was refused.
#include "server/decode/first_choice.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/server/decode/written.h"

namespace tenon::server {
namespace {

FirstChoice Refused(const WrittenMiddle& middle, std::string_view bytes, bool lacks_room = false) {
  FirstChoice choice;
  EXPECT_TRUE(choice.Hear());
  choice.SetRefused(middle, bytes, lacks_room);
  return choice;
}

TEST(FirstChoice, EndsAWordInWhichNoPieceGoesOn) {
  const WrittenMiddle middle = After("", "where", " a;");
  const FirstChoice choice = Refused(middle, " state");
  EXPECT_TRUE(choice.word_ended());
  EXPECT_TRUE(choice.Refuses(middle, "d"));
  EXPECT_FALSE(choice.Refuses(middle, "("));
  EXPECT_FALSE(Refused(middle, "s").word_ended()) << "it goes on in the word";
  EXPECT_FALSE(Refused(After("", "a;", ""), "]").word_ended()) << "no word";
}

TEST(FirstChoice, EndsALineAfterAColon) {
  const WrittenMiddle middle = After("", "case a:", "\nb;");
  const FirstChoice choice = Refused(middle, "");
  EXPECT_TRUE(choice.line_ended());
  EXPECT_TRUE(choice.Refuses(middle, " b"));
  EXPECT_TRUE(choice.Refuses(middle, "  "));
  EXPECT_TRUE(choice.Refuses(middle, "}")) << "the block's lines are to come";
  EXPECT_FALSE(choice.Refuses(middle, "\n  b"));
  EXPECT_FALSE(Refused(middle, "]").line_ended()) << "a piece, and not the middle's end";
}

TEST(FirstChoice, EndsALineOfABlockOfTheMiddle) {
  const WrittenMiddle middle = After("", "{\n  a;", "\n");
  const FirstChoice choice = Refused(middle, "");
  EXPECT_TRUE(choice.line_ended());
  EXPECT_TRUE(choice.Refuses(middle, " b"));
  EXPECT_FALSE(choice.Refuses(middle, " }"));
  EXPECT_FALSE(choice.Refuses(middle, "\n"));
  EXPECT_FALSE(Refused(After("", "{\n  a +", "\n"), "").line_ended()) << "in a statement";
  EXPECT_FALSE(Refused(After("", "a;", "}"), "").line_ended()) << "no block of its own";
}

TEST(FirstChoice, HoldsPiecesBackUntilTheyAreLetGoOn) {
  const WrittenMiddle middle = After("", "a;", "");
  FirstChoice choice = Refused(middle, "b", true);
  EXPECT_TRUE(choice.lacks_room());
  EXPECT_TRUE(choice.HoldsBack());
  choice.LetGoOn();
  EXPECT_FALSE(choice.HoldsBack());
  EXPECT_FALSE(choice.Hear()) << "another one of this place is not the first";
}

}  // namespace
}  // namespace tenon::server
