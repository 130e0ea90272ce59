#include "server/region/outline_heads.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// The lines of the heads around the `|` of a text.
std::vector<std::string> Heads(std::string text) {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  std::vector<std::string> heads;
  for (const OutlineLine& head : HeadsAround(LineAt(text, cursor)))
    heads.emplace_back(head.whole());
  return heads;
}

TEST(OutlineHeads, AreTheLinesAboveWithLessIndentation) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(Heads("class C {\n  int b;\n  if (a) {\n    c();\n    |\n"),
            (Lines{"class C {", "  if (a) {"}));
  EXPECT_EQ(Heads("a;\n|b;\n"), Lines{});
  EXPECT_EQ(Heads("f(\n  a\n|)\n"), Lines{"f("}) << "its bracket is closed in the cursor's line";
}

TEST(OutlineHeads, AreNoComments) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(Heads("class C {\n// a\n  if (b) {\n    c|\n"), (Lines{"class C {", "  if (b) {"}));
  EXPECT_EQ(Heads("class C:\n    def f():\n# a = 1\n        b|\n"),
            (Lines{"class C:", "    def f():"}));
  EXPECT_EQ(Heads("class C {\n  #a() {\n    b|\n"), (Lines{"class C {", "  #a() {"}));
}

TEST(OutlineHeads, MayHaveSeveralLines) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(Heads("class A\n    extends B {\n  b|\n"), Lines{"class A\n    extends B {"});
  EXPECT_EQ(Heads("class A\n    extends B\n{\n  b|\n"), Lines{"class A\n    extends B\n{"});
}

TEST(OutlineHeads, TellWhichBracketTheCursorsLineOpens) {
  const std::string text = "x = {\n  \n    a: 1,\n      b\n<<<<<<< HEAD\n    c: 2\n  },\n}\n";
  const auto bracket = BracketOfGap(text, 8, 8);
  ASSERT_TRUE(bracket);
  EXPECT_EQ(bracket->closer, text.find("},"));
  EXPECT_EQ(bracket->closer_line, text.find("  },"));
  EXPECT_EQ(bracket->ends,
            (std::vector<size_t>{text.find("    a"), text.find("<<<"), text.find("    c")}));
  EXPECT_FALSE(BracketOfGap("x = {\n  \n}\n", 8, 8));
  // Two brackets.
  const auto two = BracketOfGap("x = {\n  \n      a\n    },\n  },\n}\n", 8, 8);
  ASSERT_TRUE(two);
  EXPECT_TRUE(two->ends.empty());
}

// A look at all lines from the broken one on, at each of the lines below it, would take minutes.
TEST(OutlineHeads, TellTheEndsBeforeABrokenLineOfALongList) {
  std::string text = "x = {\n  \n    a: [,\n";
  for (int i = 0; i < 200'000; ++i) text += "    b: 1,\n";
  const auto bracket = BracketOfGap(text + "  },\n}\n", 8, 8);
  ASSERT_TRUE(bracket);
  EXPECT_EQ(bracket->ends, std::vector<size_t>{text.find("    a")});
}

TEST(OutlineHeads, TellWhereTheBlockOfTheCursorsLineMayEnd) {
  using Ends = std::vector<size_t>;
  const std::string text = "if x.\n    a = 1\n      + 2\n    b = (\n    c()\nd\n";
  EXPECT_EQ(EndsInBlockOfGap(text, 5, 5), (Ends{text.find("    a"), text.find("    b")}));
  EXPECT_EQ(EndsInBlockOfGap("if x.\nd\n", 5, 5), Ends{});
  EXPECT_EQ(EndsInBlockOfGap("f(a,\n  b,\n  c)\nd\n", 4, 4), Ends{}) << "the bracket of `f`";
  EXPECT_EQ(EndsInBlockOfGap("f {\n  b\n}\n", 3, 3), Ends{}) << "BracketOfGap";
}

TEST(OutlineHeads, KnowTheLinesThatOpenABracketAroundTheCursor) {
  const std::string text = "type A<\n  B,\n  \n  C\n> = D\n";
  const auto heads = OpenHeads(text, 14, 14);
  ASSERT_EQ(heads.size(), 1u);
  EXPECT_EQ(heads[0].begin, 0u);
  EXPECT_EQ(heads[0].closer, text.find("> ="));
  EXPECT_TRUE(OpenHeads("a <<\n  b\n", 7, 7).empty());
  // `):` ends as a label does.
  const auto of_python = OpenHeads("def f(\n  a,\n  b,\n):\n", 10, 10);
  ASSERT_EQ(of_python.size(), 1u);
  EXPECT_EQ(of_python[0].closer, 17u);
}

TEST(OutlineHeads, TellTheFirstLineThatOpensABracketAndHasNoInside) {
  const std::string text = "a (\nb {\n  c\n}\nd [\n]\nswitch e {\ncase 1:\n}\nf(\ng\n";
  EXPECT_EQ(FirstHollowLine(text, 0, text.size()), text.find("f("));
  EXPECT_EQ(FirstHollowLine(text, 0, text.find("f(") + 1), text.find("f("));
  EXPECT_EQ(FirstHollowLine(text, 0, text.find("f(")), text.size()) << "none before it";
  EXPECT_EQ(FirstHollowLine("a\nb\nc {\n", 0, 8), 4u);
  EXPECT_EQ(FirstHollowLine("a\nb\n", 0, 4), 4u);
}

}  // namespace
}  // namespace tenon::server
