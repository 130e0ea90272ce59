// The sizes at which a middle might end, since a piece writes text that stands right of the cursor.
#include "server/decode/right_text.h"

#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

RightText Before(std::string right_line, std::string next_line = {}) {
  CursorText cursor;
  cursor.right_line = std::move(right_line);
  cursor.next_text = std::move(next_line);
  return RightText(std::make_shared<const CursorText>(std::move(cursor)));
}

using Sizes = std::vector<size_t>;

TEST(RightText, EndsTheMiddleBeforeOrInsideAPiece) {
  const RightText bracket = Before(")");
  EXPECT_EQ(bracket.EndsBefore({"name", ")"}, false), Sizes{4});
  EXPECT_EQ(bracket.EndsBefore({"name", "s)"}, false), Sizes{5});
  EXPECT_EQ(bracket.EndsBefore({"name", "))"}, false), (Sizes{4, 5}));
  EXPECT_EQ(bracket.EndsBefore({"name", " +"}, false), Sizes{});
}

TEST(RightText, IsCompletedWhereTheHealedTextEnds) {
  EXPECT_EQ(Before(")").EndsBefore({"", "name)", 3}, false), Sizes{1});
  EXPECT_EQ(Before(")").EndsBefore({"", "name", 4}, false), Sizes{});
}

TEST(RightText, IsTheRestOfTheCursorsWord) {
  CursorText cursor{.left_line = "ST", .right_line = "P"};
  EXPECT_EQ(RightText(std::make_shared<const CursorText>(cursor)).EndsBefore({"OP", ";"}, true),
            Sizes{1});
  cursor.left_line = "a = ";
  EXPECT_EQ(RightText(std::make_shared<const CursorText>(cursor)).EndsBefore({"OP", ";"}, true),
            Sizes{})
      << "the word begins at the cursor";
}

TEST(RightText, HasTheArgumentsOfTheCursorsWord) {
  CursorText cursor{.left_line = "strings.Tr", .right_line = "(s)"};
  const RightText call(std::make_shared<const CursorText>(cursor));
  EXPECT_EQ(call.EndsBefore({"", "im(strings"}, true), Sizes{2});
  EXPECT_EQ(call.EndsBefore({"im", "(s"}, true), (Sizes{2, 2}));
  EXPECT_EQ(call.EndsBefore({"im", "Space(t)"}, true), Sizes{7});
  EXPECT_EQ(call.EndsBefore({"im(s", "(t"}, true), Sizes{}) << "another call";
  cursor.left_line = "connect";
  cursor.right_line = "";
  EXPECT_EQ(RightText(std::make_shared<const CursorText>(cursor)).EndsBefore({"", "(a"}, true),
            Sizes{});
  cursor.left_line = "x = ";
  cursor.right_line = "(s)";
  EXPECT_EQ(RightText(std::make_shared<const CursorText>(cursor)).EndsBefore({"", "f(t"}, true),
            Sizes{})
      << "no word has begun";
}

TEST(RightText, IsNoBeginningOfALongerWord) {
  EXPECT_EQ(Before("a").EndsBefore({"b", ".add"}, false), Sizes{}) << "`add` is another word";
  EXPECT_EQ(Before("a").EndsBefore({"b", ".a("}, false), Sizes{2});
  EXPECT_FALSE(WritesInto("add", "a"));
  EXPECT_TRUE(WritesInto("a", "add")) << "its first token, maybe";
  EXPECT_TRUE(WritesInto(")b", ")"));
}

TEST(RightText, IsAWholeWord) {
  const RightText word = Before(" if a");
  EXPECT_EQ(word.EndsBefore({"b", " if"}, false), Sizes{1});
  const RightText direct = Before("else");
  EXPECT_EQ(direct.EndsBefore({"", "b;else"}, false), Sizes{2});
  EXPECT_EQ(direct.EndsBefore({"", "b;el"}, false), Sizes{});
  EXPECT_EQ(direct.EndsBefore({"", "belse"}, false), Sizes{});
}

// In `so|me` the model may write `somewhat`.
TEST(RightText, IsNotWrittenByTwoLettersThatFit) {
  const RightText word = Before("me");
  EXPECT_EQ(word.EndsBefore({"so", "me"}, false), Sizes{2});
  EXPECT_EQ(word.EndsBefore({"so", "me"}, true), Sizes{});
}

TEST(RightText, IsTheRestOfAWordWithTheSignAfterIt) {
  const RightText rest = Before("me, b");
  EXPECT_TRUE(rest.ends_word());
  EXPECT_EQ(rest.EndsBefore({"time", ","}, false), Sizes{2});
  EXPECT_EQ(rest.EndBeforeRestOfWord("time"), 2u);
  EXPECT_EQ(rest.EndBeforeRestOfWord("tick"), std::nullopt);
  EXPECT_EQ(Before(", b").EndBeforeRestOfWord("time"), std::nullopt);
}

TEST(RightText, IsTheNextLineAfterOtherTextOfItsLine) {
  const RightText next = Before("", "order by b;");
  EXPECT_EQ(next.EndsBefore({"where a", " order by b;"}, false), Sizes{7});
  EXPECT_EQ(next.EndBeforeNextLine({"where a order by b;", ""}), 7u);
  EXPECT_EQ(next.EndBeforeNextLine({"order by", " b;"}), std::nullopt) << "a line of its own";
  EXPECT_EQ(next.EndBeforeNextLine({"reorder by", " b;"}), std::nullopt) << "in a word";
  EXPECT_EQ(Before("", "end;").EndBeforeNextLine({"a", " end;"}), std::nullopt) << "by chance";
  EXPECT_EQ(Before(")", "order by b;").EndBeforeNextLine({"a", " order by b;"}), std::nullopt);
}

// `close_all` may become `close_all_files`.
TEST(RightText, IsTheNextLineOnlyWhereItsLastWordHasEnded) {
  const RightText next = Before("", "and close_all");
  EXPECT_EQ(next.EndBeforeNextLine({"if a", " and close_all"}), std::nullopt);
  EXPECT_EQ(next.EndBeforeNextLine({"if a and close_all", ":"}), 4u);
  EXPECT_EQ(next.EndBeforeNextLine({"if a and close_all", ""}), 4u);
}

TEST(RightText, HasABracketBeforeWhichACommaIsTooMany) {
  const RightText bracket = Before("", "}");
  EXPECT_EQ(bracket.EndBeforeComma({"\"a\": 1,", ""}), 6u);
  EXPECT_EQ(bracket.EndBeforeComma({"\"a\": 1, ", "\n}"}), 6u);
  EXPECT_EQ(bracket.EndBeforeComma({"\"a\": 1,", "]"}), std::nullopt);
  EXPECT_EQ(bracket.EndBeforeComma({"\"a\": 1", ""}), std::nullopt);
}

TEST(RightText, MayBeWrittenByAPieceAlone) {
  EXPECT_TRUE(MayWriteInto("s)", ")"));
  EXPECT_TRUE(MayWriteInto("me,", "me, b"));
  EXPECT_FALSE(MayWriteInto("s]", ")"));
  EXPECT_FALSE(MayWriteInto("s)", ""));
}

}  // namespace
}  // namespace tenon::server
