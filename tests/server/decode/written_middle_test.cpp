// The middle as it is written: its pieces, its words and the sizes at which it may end.
#include "server/decode/written_middle.h"

#include <string_view>

#include <gtest/gtest.h>

#include "tests/server/decode/written.h"

namespace tenon::server {
namespace {

TEST(WrittenMiddle, EndsAtASizeAtWhichTheGapIsClosed) {
  const WrittenMiddle middle = After("f(", "name", ");");
  EXPECT_EQ(TextOf(middle.EndAt("names)", 5)), "names");
  EXPECT_EQ(TextOf(middle.EndAt("names)", 6)), "(none)") << "a bracket too many";
  EXPECT_EQ(TextOf(middle.EndAt("names)", 4)), "name");
  EXPECT_EQ(TextOf(middle.EndAt("names)", 2)), "na") << "cut back";
  EXPECT_EQ(TextOf(middle.FirstEndAt({"name", "s)"}, {6, 5, 2})), "names");
  EXPECT_EQ(TextOf(middle.FirstEndAt({"name", "s)"}, {})), "(none)");
}

TEST(WrittenMiddle, EndsWithinItsTokens) {
  WrittenMiddle middle = Begun("f(", ");", {}, Goal::kJoin, 4);
  ASSERT_TRUE(middle.Accept("a"));
  EXPECT_EQ(TextOf(middle.EndAt("a+bc", 4)), "a+bc");
  EXPECT_EQ(TextOf(middle.EndAt("a+bcd", 5)), "(none)") << "four tokens, and three are left";
}

TEST(WrittenMiddle, EndsWithTextAlone) {
  const WrittenMiddle middle = After("", "", "\na;");
  EXPECT_TRUE(middle.gap().Member());
  EXPECT_FALSE(middle.MayEnd()) << "blank";
}

TEST(WrittenMiddle, BeginsByReproducingTheHealedText) {
  CursorText cursor = Between("f(nam", ");");
  cursor.healed = "nam";
  WrittenMiddle middle = Begun("f(nam", ");", cursor);
  EXPECT_FALSE(middle.Next("x"));
  const auto piece = middle.Next("name");
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->healed, 3u);
  EXPECT_EQ(piece->fresh(), "e");
  EXPECT_TRUE(middle.Accept("na"));
  EXPECT_EQ(middle.healed(), "m");
  EXPECT_EQ(middle.text(), "");
  EXPECT_FALSE(middle.MayEnd());
  EXPECT_FALSE(middle.Accept("e"));
  EXPECT_TRUE(middle.Accept("me"));
  EXPECT_EQ(middle.healed(), "");
  EXPECT_EQ(middle.text(), "e");
  EXPECT_TRUE(middle.MayEnd());
}

TEST(WrittenMiddle, BeginsAfterHealedTextThatIsGivenUp) {
  CursorText cursor = Between("f(nam", ");");
  cursor.healed = "nam";
  WrittenMiddle middle = Begun("f(nam", ");", cursor);
  middle.GiveHealedUp();
  EXPECT_TRUE(middle.Accept("e"));
}

TEST(WrittenMiddle, EndsInAWordOfItsOwnOrOfLeft) {
  EXPECT_TRUE(After("a", "", ";").EndsInWord());
  EXPECT_FALSE(After("a", " +", "b;").EndsInWord());
  const WrittenMiddle middle = After("f(", "a", ");");
  EXPECT_TRUE(middle.EndsInWord());
  EXPECT_TRUE(middle.GoesOnInWord("b "));
  EXPECT_FALSE(middle.GoesOnInWord(" b"));
  EXPECT_TRUE(middle.BeginsLastWord(" b")) << "a new word";
  EXPECT_FALSE(middle.BeginsLastWord("b")) << "the same word goes on";
  EXPECT_FALSE(middle.BeginsLastWord(" +")) << "no word";
  CursorText cursor = Between("a", ";");
  cursor.healed = "a";
  EXPECT_FALSE(Begun("a", ";", cursor).EndsInWord()) << "the word is to come again";
}

TEST(WrittenMiddle, EndsALineWithAColon) {
  EXPECT_TRUE(After("", "case a:", "\nb;").EndsLineWithColon());
  EXPECT_FALSE(After("", "case a:", " b;").EndsLineWithColon()) << "the line goes on";
  EXPECT_FALSE(After("", "case a", "\n:").EndsLineWithColon());
}

TEST(WrittenMiddle, KnowsTheRightTextThatItsGoalHasAUseFor) {
  const CursorText cursor = Between("f(", ");");
  EXPECT_EQ(Begun("f(", ");", cursor).cursor()->right_line, ");");
  EXPECT_EQ(Begun("f(", ");", cursor, Goal::kLine).cursor()->right_line, "");
  CursorText block{.left_line = "  ", .next_text = "}", .empty_block = EmptyBlock{}};
  EXPECT_EQ(Begun("{\n  ", "\n}", block).cursor()->right_line, "}") << "the next line of text";
}

// What is lost with a copy is lost to that copy alone.
TEST(WrittenMiddle, IsForkedByACopy) {
  WrittenMiddle middle = After("f(", "a", ");");
  WrittenMiddle fork = middle;
  ASSERT_TRUE(fork.Accept("b"));
  fork.KeepBlockLine(fork.gap());
  EXPECT_EQ(middle.text(), "a");
  EXPECT_TRUE(middle.block_lines().empty());
}

}  // namespace
}  // namespace tenon::server
