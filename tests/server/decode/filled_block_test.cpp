// Which middles fill a block, which lines open one, and which end it.
#include "server/decode/filled_block.h"

#include <memory>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// Statements, `case a:`, and heads `if (a)` of one statement. Calls go on with an operator.
constexpr std::string_view kGrammar =
    "start: s*\ns: x \";\" | \"case\" \"a\" \":\" | \"if\" \"(\" x \")\" s (\"else\" s)?\n"
    " | \"{\" s* \"}\"\n"
    "x: \"a\" | \"f\" | x \"(\" x \")\" | x \"+\" x | x \"==\" x\n"
    "%ignore /[ \\n]+/\n";

Gap Open(std::string_view right) {
  return Gap::Open(*Language::Compile(kGrammar, "statements.lark"), "", right);
}

FilledBlock With(CursorText cursor, std::string_view right) {
  return FilledBlock(std::make_shared<const CursorText>(std::move(cursor)),
                     std::make_shared<const Gap>(Open(right)));
}

Gap After(std::string_view middle, std::string_view right) {
  Gap gap = Open(right);
  EXPECT_TRUE(gap.Accept(middle)) << middle;
  return gap;
}

TEST(FilledBlock, LiesBetweenTwoBracketsWhereTheMiddleBeginsALine) {
  CursorText cursor;
  cursor.left_line = "{";
  cursor.right_line = "}";
  const FilledBlock block = With(cursor, "}");
  EXPECT_FALSE(block.is_known());
  EXPECT_TRUE(block.IsFilledBy(" \na;"));
  EXPECT_FALSE(block.IsFilledBy("a;"));
  cursor.right_line = ";}";
  EXPECT_FALSE(With(cursor, ";}").IsFilledBy("\na"));
}

TEST(FilledBlock, IsTheOneWhoseBlankLineTheCursorStandsIn) {
  CursorText cursor;
  cursor.empty_block = EmptyBlock{};
  EXPECT_TRUE(With(cursor, "}").IsFilledBy("a;"));
}

TEST(FilledBlock, IsOpenedByAColonAndByWordsBeforeBrackets) {
  const FilledBlock none = With({}, "\na;");
  EXPECT_TRUE(none.IsOpenedBy(After("case a:", "\na;")));
  EXPECT_TRUE(none.IsOpenedBy(After("if (a)", "\na;")));
  EXPECT_FALSE(none.IsOpenedBy(After("a;", "\na;")));
}

TEST(FilledBlock, IsOpenedByTheEndOfAHead) {
  const auto language = Language::Compile(kGrammar, "statements.lark");
  const auto opened = [&](std::string_view left, std::string_view middle, CursorText at,
                          std::string_view right = "\na;") {
    Gap gap = Gap::Open(*language, left, right);
    const auto begun = std::make_shared<const Gap>(gap);
    EXPECT_TRUE(gap.Accept(middle));
    at.left_line = left;
    return FilledBlock(std::make_shared<const CursorText>(at), begun).IsOpenedBy(gap);
  };
  EXPECT_TRUE(opened("  if (", "a)", {}));
  EXPECT_FALSE(opened("{ } if (", "a)", {})) << "no words alone";
  EXPECT_FALSE(opened("  f(", "a)", {}, "\n;")) << "a call";
  CursorText before_block;
  before_block.next_text = "{ a; }";
  EXPECT_FALSE(opened("  if (", "a)", before_block));
}

TEST(FilledBlock, IsNotOpenedByACall) {
  EXPECT_FALSE(With({}, "\n;").IsOpenedBy(After("f(a)", "\n;")));
}

TEST(FilledBlock, IsRightsWhereItsLinesAreDeeper) {
  CursorText cursor;
  cursor.next_columns = 2;
  EXPECT_FALSE(With(cursor, "\n  a;").IsOpenedBy(After("if (a)", "\n  a;")));
}

TEST(FilledBlock, EndsBeforeALineThatIsIndentedLess) {
  FilledBlock block = With({}, "\na;");
  block.Open("  case a:");
  EXPECT_TRUE(block.is_known());
  EXPECT_EQ(block.EndsBefore({"  case a:\n    a;", "\n  a"}, {}), std::vector<size_t>{16});
  EXPECT_EQ(block.EndsBefore({"  case a:\n    a;\n", "  a"}, 16), std::vector<size_t>{16});
  EXPECT_TRUE(block.EndsBefore({"  case a:\n    a;", "\n    a"}, {}).empty());
  EXPECT_TRUE(block.EndsBefore({"  case a:\n    a;", "\n"}, {}).empty());
}

TEST(FilledBlock, GoesOnWithAClause) {
  FilledBlock block = With({}, "\na;");
  block.Open("if (a)");
  EXPECT_TRUE(block.EndsBefore({"if (a)\n  a;", "\nelse"}, {}).empty());
  EXPECT_FALSE(block.EndsBefore({"if (a)\n  a;", "\na"}, {}).empty());
}

}  // namespace
}  // namespace tenon::server
