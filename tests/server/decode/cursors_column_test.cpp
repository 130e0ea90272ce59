// Where a middle begins in the cursor's column, and where the language lets no line begin there.
#include <string_view>

#include <gtest/gtest.h>

#include "server/decode/gap_text.h"

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
  EXPECT_FALSE(text.unneeded()) << "a line further right";
  GapText less = Below("if:\n        a\n        ", cursor);
  less.FirstChoiceRefused("    ");
  EXPECT_TRUE(less.unneeded());
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
  EXPECT_FALSE(text.unneeded());
  EXPECT_FALSE(text.Try("    a"));
  EXPECT_TRUE(text.Try("    }"));
  GapText head = text_of("{\n    a;\n    ", "\n    a;\n  }\n}\n");
  head.FirstChoiceRefused(" ");
  EXPECT_TRUE(head.Try("    {")) << "an opening one is missing";
  GapText other = text_of("{\n    a;\n    ");
  other.FirstChoiceRefused("    ");
  EXPECT_TRUE(other.Try("    a")) << "no line further left";
}

}  // namespace
}  // namespace tenon::server
