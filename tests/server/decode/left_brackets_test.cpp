// How many brackets left of the cursor a middle may close.
#include "server/decode/left_brackets.h"

#include <string_view>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// Statements, calls and blocks, one of them `} else {`.
constexpr std::string_view kGrammar =
    "start: s*\ns: x \";\" | block (\"else\" block)?\nblock: \"{\" s* \"}\"\n"
    "x: \"a\" | \"f\" \"(\" (x (\",\" x)*)? \")\" | \"fn\" \"(\" \")\" block\n"
    "%ignore /[ \\n]+/\n";

Gap Open(std::string_view left, std::string_view right) {
  return Gap::Open(*Language::Compile(kGrammar, "calls.lark"), left, right);
}

// Of the last line of `left` and the first one of `right`.
CursorText At(std::string_view left_line, std::string_view right_line, std::string_view next = {},
              size_t next_columns = 0) {
  CursorText cursor;
  cursor.left_line = left_line;
  cursor.right_line = right_line;
  cursor.next_text = next;
  cursor.next_columns = next_columns;
  return cursor;
}

TEST(LeftBrackets, OfACallThatRightClosesAreClosedInNoMiddleOfSeveralLines) {
  const LeftBrackets call(At("f(", ", a);"), Open("f(", ", a);"), Goal::kJoin);
  EXPECT_TRUE(call.limited());
  EXPECT_TRUE(call.Exceeds("fn() {\n})"));
  EXPECT_FALSE(call.Exceeds("fn() {\n}"));
  EXPECT_TRUE(LeftBrackets(At("f(", ", a);"), Open("f(", ", a);"), Goal::kLine).limited());
}

TEST(LeftBrackets, BeyondThoseThatRightClosesMayBeClosed) {
  const LeftBrackets inner(At("f(f(", "a);"), Open("f(f(", "a);"), Goal::kJoin);
  EXPECT_FALSE(inner.Exceeds("\na),"));
  EXPECT_TRUE(inner.Exceeds("\na));f("));
  EXPECT_FALSE(inner.Exceeds("a));f(")) << "in the first line";
}

// Before `, a);` the writer of `a), f(a)` has meant `a`.
TEST(LeftBrackets, ThatTheMiddleClosesInRightsPlaceEndIt) {
  const LeftBrackets call(At("f(", ", a);"), Open("f(", ", a);"), Goal::kJoin);
  EXPECT_EQ(call.EndBeforeRights("a ), f(a)"), 1u);
  EXPECT_EQ(call.EndBeforeRights("f(a)"), std::nullopt);
  const LeftBrackets inner(At("f(f(", "a);"), Open("f(f(", "a);"), Goal::kJoin);
  EXPECT_EQ(inner.EndBeforeRights("a)"), std::nullopt);
  EXPECT_EQ(inner.EndBeforeRights("a));"), 2u);
  const LeftBrackets whole(At("  a;", ""), Open("{\n  a;", "\n}"), Goal::kJoin);
  EXPECT_EQ(whole.EndBeforeRights("} else {"), std::nullopt);
}

TEST(LeftBrackets, OfAWholeTextAreClosedInItsFirstLineAlone) {
  const LeftBrackets whole(At("  a;", ""), Open("{\n  a;", "\n}"), Goal::kJoin);
  EXPECT_FALSE(whole.Exceeds("} else {"));
  EXPECT_TRUE(whole.Exceeds("a;\n} else {"));
  EXPECT_FALSE(LeftBrackets(At("  a;", ""), Open("{\n  a;", "\n}"), Goal::kLine).limited());
}

TEST(LeftBrackets, ThatTheNextLineClosesStayOpenInAWholeText) {
  const LeftBrackets whole(At("  a;", "", "}"), Open("{\n  a;", "\n}"), Goal::kJoin);
  EXPECT_TRUE(whole.Exceeds("} {"));
  const LeftBrackets other(At("  a;", "", "a;"), Open("{\n  a;", "\na;}"), Goal::kJoin);
  EXPECT_FALSE(other.Exceeds("} else {"));
}

TEST(LeftBrackets, BelowADeeperLineAreClosedInTheFirstLineAlone) {
  const LeftBrackets deeper(At("  f(", "", "}"), Open("{\n  f(", "\n}"), Goal::kJoin);
  EXPECT_TRUE(deeper.Exceeds("a);\n}{"));
  EXPECT_FALSE(deeper.Exceeds("a); } {"));
  EXPECT_FALSE(deeper.Exceeds("\n    a\n  );")) << "the line's own bracket";
  EXPECT_TRUE(deeper.Exceeds("\n    a\n  );\n}{"));
  EXPECT_FALSE(LeftBrackets(At("f(", "", "}"), Open("{\nf(", "\n}"), Goal::kJoin).limited());
}

TEST(LeftBrackets, OfStandInsAreNeverClosed) {
  CursorText cursor = At("a;", "");
  cursor.most_closing = 1;
  const LeftBrackets region(cursor, Open("{{a;", "a"), Goal::kJoin);
  EXPECT_FALSE(region.Exceeds("}"));
  EXPECT_TRUE(region.Exceeds("}}"));
}

}  // namespace
}  // namespace tenon::server
