// Which pieces begin a middle, and whose first choice says that none is needed.
#include "server/decode/first_pieces.h"

#include <string_view>

#include <gtest/gtest.h>

#include "server/decode/gap_text.h"
#include "tests/server/decode/written.h"

namespace tenon::server {
namespace {

constexpr std::string_view kGrammar = R"toy(
start: s+
s: "a" ["(" ")"] NEWLINE | "if" ":" NEWLINE INDENT s+ DEDENT
NEWLINE: /\n/
%ignore /[ ]+/
%declare INDENT DEDENT
%layout newline=NEWLINE indent=INDENT dedent=DEDENT brackets="()"
)toy";

// Below a block, in a blank line that ends `left`.
GapText Below(std::string_view left, CursorText cursor = {.indented_less = true}) {
  const auto language = Language::Compile(kGrammar, "indented.lark");
  EXPECT_TRUE(language) << language.error().message;
  GapOptions options;
  options.count = [](std::string_view bytes) { return static_cast<uint32_t>(bytes.size()); };
  cursor.left_line = left.substr(left.rfind('\n') + 1);
  return GapText(Budget(Gap::Open(*language, left, "\n", std::move(options)), 64), Goal::kJoin,
                 cursor);
}

TEST(CursorsColumn, IsTheMiddlesWhereALineMayBeginInIt) {
  GapText text = Below("if:\n  if:\n    a\n  ");
  EXPECT_FALSE(text.Try("  a"));
  EXPECT_TRUE(text.Try("a"));
}

TEST(CursorsColumn, IsNotWhereTheLanguageLetsNoLineBegin) {
  GapText text = Below("if:\n    a\n  ");
  EXPECT_TRUE(text.Try("  a"));
  EXPECT_FALSE(text.Try("a"));
}

// A vocabulary whose token of blanks leaves one for the code: `⏎       ` and ` a`.
TEST(CursorsColumn, IsReachedByTheTokensThatReachIt) {
  const CursorText cursor{.healed = "        ", .healed_stops = {7}};
  GapText text = Below("if:\n        a\n        ", cursor);
  EXPECT_FALSE(text.Try("    "));
  EXPECT_FALSE(text.Try("        "));
  EXPECT_TRUE(text.Try("        a")) << "a token that goes on";
  ASSERT_TRUE(text.Try("       "));
  EXPECT_EQ(text.Judge("       ").verdict, Judgement::Verdict::kAccepted);
  EXPECT_TRUE(text.Try(" "));
  EXPECT_TRUE(text.Try(" a"));
}

TEST(CursorsColumn, IsNotThatOfAWriterWhoBeginsFurtherLeft) {
  const CursorText cursor{.healed = "        ", .healed_stops = {7}};
  GapText text = Below("if:\n        a\n        ", cursor);
  text.FirstChoiceRefused("        ");
  EXPECT_FALSE(text.first_pieces().unneeded()) << "a line further right";
  GapText less = Below("if:\n        a\n        ", cursor);
  less.FirstChoiceRefused("    ");
  EXPECT_TRUE(less.first_pieces().unneeded());
}

// `{⏎  a;⏎  |` at the end of a file, whose block is to be closed further left.
TEST(CursorsColumn, IsThatOfAMissingBracketWhereTheWriterBeginsFurtherLeft) {
  const auto language = Language::Compile(
      "start: s*\ns: \"a\" \";\" | \"{\" s* \"}\"\n%ignore /[ \\n]+/\n", "blocks.lark");
  ASSERT_TRUE(language);
  const auto text_of = [&](std::string_view left, std::string_view right = "\n") {
    GapOptions options;
    options.count = [](std::string_view bytes) { return static_cast<uint32_t>(bytes.size()); };
    return GapText(Budget(Gap::Open(*language, left, right, std::move(options)), 64), Goal::kJoin,
                   {.healed = "    ", .healed_stops = {3}});
  };
  GapText text = text_of("{\n    a;\n    ");
  text.FirstChoiceRefused(" ");
  EXPECT_FALSE(text.first_pieces().unneeded());
  EXPECT_FALSE(text.Try("    a"));
  EXPECT_TRUE(text.Try("    }"));
  GapText head = text_of("{\n    a;\n    ", "\n    a;\n  }\n}\n");
  head.FirstChoiceRefused(" ");
  EXPECT_TRUE(head.Try("    {")) << "an opening one is missing";
  GapText other = text_of("{\n    a;\n    ");
  other.FirstChoiceRefused("    ");
  EXPECT_TRUE(other.Try("    a")) << "no line further left";
}

bool Refuse(const WrittenMiddle& middle, std::string_view piece) {
  return FirstPieces(middle).Refuse(middle, *middle.Next(piece));
}

TEST(FirstPieces, DoNotCloseRightsBracketWhereNothingIsMissing) {
  const WrittenMiddle whole = After("f(", "", ");");
  EXPECT_TRUE(Refuse(whole, ")"));
  EXPECT_TRUE(Refuse(whole, ");"));
  EXPECT_TRUE(Refuse(After("{", "", "\n}"), "\n}")) << "in a later line";
  EXPECT_FALSE(Refuse(whole, "a)"));
  EXPECT_FALSE(Refuse(After("f(a", "b", ");"), ")")) << "the middle has begun";
  EXPECT_FALSE(Refuse(After("f(a +", "", ");"), ")")) << "a middle is needed";
}

TEST(FirstPieces, SayThatNoMiddleIsNeeded) {
  const auto unneeded = [](const WrittenMiddle& middle, std::string_view choice) {
    FirstPieces pieces(middle);
    pieces.HearRefused(middle, choice);
    return pieces.unneeded();
  };
  const WrittenMiddle whole = After("f(", "", ");");
  EXPECT_TRUE(unneeded(whole, "")) << "the middle's end";
  EXPECT_TRUE(unneeded(whole, ")"));
  EXPECT_TRUE(unneeded(whole, ");\na")) << "R and more";
  EXPECT_FALSE(unneeded(whole, "]"));
  EXPECT_FALSE(unneeded(After("f(a +", "", ");"), "")) << "a value is missing";
  EXPECT_FALSE(unneeded(After("f(a", "b", ");"), "")) << "the middle has begun";
  CursorText block{.left_line = "  ", .next_text = "}", .empty_block = EmptyBlock{}};
  EXPECT_FALSE(unneeded(Begun("{\n  ", "\n}", block), "")) << "a block wants lines";
}

TEST(FirstPieces, AFileBeginsWithNoCommentAboveItsCode) {
  const auto language = Language::Compile(
      "start: WORD+\nWORD: /[a-z]+/\nSPACE: /[ \\n]+/\nCOMMENT: /#[^\\n]*/\n"
      "%ignore SPACE\n%ignore COMMENT\n",
      "commented.lark");
  const auto at_beginning = [&language](bool begins_file) {
    return GapText(Budget(Gap::Open(*language, "", "\ncode"), 20), Goal::kJoin,
                   {.next_text = "code", .begins_file = begins_file});
  };
  GapText text = at_beginning(true);
  EXPECT_FALSE(text.Try("# of"));
  EXPECT_FALSE(text.Try("\n # of"));
  EXPECT_FALSE(text.Try("  of")) << "nor with blanks";
  EXPECT_FALSE(text.Try("\n")) << "nor with a blank line";
  EXPECT_TRUE(text.Try("of"));
  ASSERT_TRUE(text.Accept("of\n"));
  EXPECT_TRUE(text.Try("# of")) << "below code";
  EXPECT_TRUE(at_beginning(false).Try("# of"));
}

}  // namespace
}  // namespace tenon::server
