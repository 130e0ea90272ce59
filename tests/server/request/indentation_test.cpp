#include "server/request/indentation.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Indentation, TheBlanksOfALineAreThoseAtItsBeginning) {
  EXPECT_EQ(LeadingBlanksAt("a\n \tb c\nd", 6), " \t");
  EXPECT_EQ(LeadingBlanksAt("  a", 3), "  ");
  EXPECT_EQ(LeadingBlanksAt("a\n", 2), "");
  EXPECT_EQ(LeadingBlanksAt("\t", 1), "\t");
}

TEST(Indentation, CountsATabToTheNextEighthColumn) {
  EXPECT_EQ(IndentationColumns("x"), 0u);
  EXPECT_EQ(IndentationColumns("   x"), 3u);
  EXPECT_EQ(IndentationColumns("\tx"), 8u);
  EXPECT_EQ(IndentationColumns("  \t x"), 9u);
  EXPECT_EQ(IndentationColumns("   "), 3u);
}

TEST(Indentation, KnowsALineThatClosesABracket) {
  EXPECT_TRUE(ClosesABracket("  ) x"));
  EXPECT_TRUE(ClosesABracket("}"));
  EXPECT_FALSE(ClosesABracket("x )"));
  EXPECT_FALSE(ClosesABracket("  "));
}

TEST(Indentation, FindsTheBracketsThatAreLeftOpen) {
  EXPECT_EQ(OpenBrackets("f(a, [b], {"), (std::vector<size_t>{1, 10}));
  EXPECT_EQ(OpenBrackets(") f()"), std::vector<size_t>());
  EXPECT_EQ(OpenBrackets("f(\"(\", '[', `{`)"), std::vector<size_t>());
  // A quote without an end on its line opens no text.
  EXPECT_EQ(OpenBrackets("don't (\nx"), std::vector<size_t>{6});
}

TEST(Indentation, FindsTheBracketsThatClosedNothing) {
  EXPECT_EQ(LoneBracketsOf(")} f(a)]").closing, (std::vector<size_t>{0, 1, 7}));
  EXPECT_EQ(LoneBracketsOf(": 0) {}").closing, std::vector<size_t>{3});
  EXPECT_EQ(LoneBracketsOf("(\")\"").closing, std::vector<size_t>());
  EXPECT_EQ(LoneBracketsOf("'\\')'").closing, std::vector<size_t>()) << "an escaped quote";
  EXPECT_EQ(ClosersOf("f(a, [g{}, {"), "}])");
}

// A look for the line's end from each quote would take minutes.
TEST(Indentation, ReadsALineOfQuotesWithoutAnEndOnce) {
  constexpr size_t kQuotes = 400'000;
  std::string line = "\"";
  for (size_t i = 0; i < kQuotes; ++i) line += "\\\"(";
  EXPECT_EQ(OpenBrackets(line + "\n\")\"").size(), kQuotes);
}

TEST(Indentation, FindsTheEndOfEachQuoteInTurn) {
  const std::string_view text = "\"a \\\" 'b' \\\" c\n\"d\"";
  QuoteScanner quotes(text);
  EXPECT_EQ(quotes.EndAt(0), 0u) << "the others of its line are escaped";
  EXPECT_EQ(quotes.EndAt(4), 4u);
  EXPECT_EQ(quotes.EndAt(6), 8u) << "another kind";
  EXPECT_EQ(quotes.EndAt(11), 11u);
  EXPECT_EQ(quotes.EndAt(15), 17u) << "another line";
}

TEST(Indentation, KnowsWhatATextIsIndentedBy) {
  EXPECT_EQ(IndentationUnit("a\n\tb\n\t\tc\n  d\n"), "\t");
  EXPECT_EQ(IndentationUnit("a\n  b\n    c\n"), "  ");
  EXPECT_EQ(IndentationUnit("a\r\n    b\r\n        c"), "    ");
  EXPECT_EQ(IndentationUnit("/*\n * a\n */\nb\n   \n"), "") << "one blank, and a blank line";
}

TEST(Indentation, HasTheUnitOfTheLineInWhichATextBegins) {
  const std::string_view tabs = "a\n\tb\n", blanks = "a\n\tb\n  c\n    d\n";
  EXPECT_EQ(IndentationUnitAt(tabs, "\t"), "\t");
  EXPECT_EQ(IndentationUnitAt(blanks, "\t"), "\t");
  EXPECT_EQ(IndentationUnitAt(blanks, "  "), "  ");
  EXPECT_EQ(IndentationUnitAt(blanks, ""), "  ");
  EXPECT_EQ(IndentationUnitAt(tabs, "  "), "") << "they are left as they are";
  EXPECT_EQ(IndentationUnitAt(tabs, ""), "\t");
}

TEST(Indentation, WritesLinesAsTheTextIsIndented) {
  EXPECT_EQ(WithIndentation("if a {\n    b\n        c    d\n}", "\t"),
            "if a {\n\tb\n\t\tc    d\n}");
  EXPECT_EQ(WithIndentation("a\n      b\n  ", "\t"), "a\n\t  b\n  ") << "less than a tab stays";
  EXPECT_EQ(WithIndentation("\ta\r\n\tb\tc\r\n", "  "), "\ta\r\n  b\tc\r\n");
  EXPECT_EQ(WithIndentation("a\n\tb", ""), "a\n\tb");
}

TEST(Indentation, KnowsHowDeepBlocksAre) {
  EXPECT_EQ(BlockStep("f() {\n    a\n    g(\n        b)\n}\n"), 4u);
  EXPECT_EQ(BlockStep("if a:\n\n  b\n      c\n"), 2u) << "the last line goes on with another";
  EXPECT_EQ(BlockStep("if a:\n  b\nif c:\n    d\n"), 0u) << "not alike";
  EXPECT_EQ(BlockStep("a\n  b\n"), 0u) << "no block";
  const std::string_view text = "f() {\n  \n}\n";
  EXPECT_EQ(BlockStep(text), 0u);
  EXPECT_EQ(BlockStep(text, 8), 2u) << "the cursor's line";
  EXPECT_EQ(BlockStep("f() {\n  ", 8), 2u);
}

TEST(Indentation, WritesBlocksAsDeepAsTheTextHasThem) {
  EXPECT_EQ(WithBlockStep("  a {\n      b(\n          c,\n             d)\n      e\n  }\n", 4, 2),
            "  a {\n    b(\n      c,\n         d)\n    e\n  }\n");
  EXPECT_EQ(WithBlockStep("a:\n  b:\n    c\n\n  d", 2, 4), "a:\n    b:\n        c\n\n    d");
  EXPECT_EQ(WithBlockStep("  a {\n      b }\nc", 4, 2), "  a {\n    b }\nc");
  EXPECT_EQ(WithBlockStep("a {\n\tb\n}", 8, 2), "a {\n\tb\n}") << "tabs stay";
}

}  // namespace
}  // namespace tenon::server
