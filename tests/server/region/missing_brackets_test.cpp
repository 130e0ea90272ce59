#include "server/region/missing_brackets.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/region/at_cursor.h"

namespace tenon::server {
namespace {

// The text with its brackets and the cursor `|`; empty where none is missing.
std::string Mended(std::string text, std::string_view terminator = "") {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  auto mended = WithMissingBrackets(text, cursor, terminator);
  return mended ? mended->text.insert(mended->cursor, "|") : "";
}

TEST(MissingBrackets, CloseBeforeALineThatIsNoDeeper) {
  EXPECT_EQ(Mended("class A {\n  b() {\n    c();\n\n  d(e) {\n    |\n  }\n}\n"),
            "class A {\n  b() {\n    c();\n\n}\n  d(e) {\n    |\n  }\n}\n");
  EXPECT_EQ(Mended("a {\nb {\n  c {\n  d {\n    |"), "a {\n}\nb {\n  c {\n}\n  d {\n    |");
  EXPECT_EQ(Mended("a({\n  b: 1,\n\nc();\n|\n", ";"), "a({\n  b: 1,\n\n});\nc();\n|\n");
}

TEST(MissingBrackets, CloseAtTheEndOfALineButForThoseOfBlocks) {
  EXPECT_EQ(Mended("a = f([1,\ndef g():\n    |\n"), "a = f([1,])\ndef g():\n    |\n");
  EXPECT_EQ(Mended("a = {\n    1: 2,\ndef g():\n    |\n"),
            "a = {\n    1: 2,\n}\ndef g():\n    |\n");
  EXPECT_EQ(Mended("  f(a\n  g(b);\n  |\n", ";"), "  f(a);\n  g(b);\n  |\n");
}

TEST(MissingBrackets, AreNotMissingWhereLinesAreDeeperOrCloseThem) {
  EXPECT_EQ(Mended("class A {\n  d(e) {\n    |\n  }\n}\n"), "");
  EXPECT_EQ(Mended("if (a) {\n  b();\n} else {\n  |\n}\n"), "");
  EXPECT_EQ(Mended("f(a,\n    b) {\n  c();\n  |\n}\n"), "") << "the statement begins further left";
  EXPECT_EQ(Mended("switch (a) {\ncase 1:\n  |\n}\n"), "") << "a label is as deep as its head";
  EXPECT_EQ(Mended("f() {\n# c\n  b();\n  |\n}\n"), "") << "a comment";
  EXPECT_EQ(Mended("switch (a) {\n// b\ncase 1:\n  |\n}\n"), "") << "one before a label";
  EXPECT_EQ(Mended("f() {\n  // g();\n    a();\n    |\n  }\n}\n"), "") << "one is no head";
  EXPECT_EQ(Mended("if (a) {\n  b();\n\n|\n"), "") << "the gap's own";
  EXPECT_EQ(Mended("insert into a values (\n'b',\n'c'\n|\n"), "") << "elements as deep as the head";
}

TEST(MissingBrackets, AreNoneInComments) {
  for (const char* comment :
       {"// (a {", "/* (a {\n * b */", "# (a {", "-- (a {", "// don't (a', b"})
    EXPECT_EQ(Mended(std::string("f() {\n  ") + comment + "\n  b();\n  |\n}\n"), "") << comment;
  EXPECT_EQ(Mended("f() {\n  /*\na\n*/\n  b();\n  |\n}\n"), "") << "its lines are no code";
  EXPECT_EQ(Mended("class A\n  \"\"\"(\na {\n\"\"\"\n  b();\n  |\n"), "") << "a docstring";
  EXPECT_EQ(Mended("a = /(?<!')'(/g;\nb = [/\\(/, c / (d)];\nreturn /[`(]/;\ne(/[/({]/);\n|\n"), "")
      << "regular expressions";
  EXPECT_EQ(Mended("f(a / b) / g(c);\nh();\n|\n"), "") << "divisions";
  EXPECT_EQ(Mended("# a\nb = f(c // d)\ne()\n|\n"), "") << "in Python";
  EXPECT_EQ(Mended("f() {\n  a = `(\nb {\n`;\n  c();\n  |\n}\n"), "") << "a template";
  EXPECT_EQ(Mended("f() {\n  a = `\\`\n  g(`b`)\n  |\n}\n"), "") << "a raw string";
  EXPECT_EQ(Mended("f() {\n  a = `b;\n  c();\n  |\n}\n"), "") << "one without its end";
  EXPECT_EQ(Mended("f(a #(b {\n  |\n"), "") << "the cursor's own";
  EXPECT_EQ(Mended("f(a #b(\nc();\n|\n"), "f(a #b())\nc();\n|\n") << "a name";
  EXPECT_EQ(Mended("f(http://a(\nc();\n|\n"), "f(http://a())\nc();\n|\n") << "no comment";
}

TEST(MissingBrackets, AreNotThoseAroundLinesOfAnotherBracket) {
  EXPECT_EQ(Mended("f() {\n  g(\n\"a\",\nb);\n  |\n}\n"), "");
  EXPECT_EQ(Mended("f() {\n  g(h(\na),\n[\nb]\n);\n  |\n}\n"), "");
  EXPECT_EQ(Mended("  f(\n      a) {\n    b();\n  |\n}\n"), "") << "the statement begins with f";
  EXPECT_EQ(Mended("  f(\n      a)\n      throws B {\n    c();\n  |\n}\n"), "");
  EXPECT_EQ(Mended("class A<\n        B>\n    extends C {\n\n  d();\n  |\n"), "");
  EXPECT_EQ(Mended("f() {\n  g(\na,\nb);\n  c();\n  |\n}\n"), "") << "a is no head";
  EXPECT_EQ(Mended("f() {\n  g(a);\nb();\n|\n"), "f() {\n  g(a);\n}\nb();\n|\n");
}

TEST(MissingBrackets, AreNotThoseOfFlatBlocks) {
  EXPECT_EQ(Mended("(() => {\nvar a;\n|\nvar b;\n})();\n"), "");
  EXPECT_EQ(Mended("(() => {\nif (a) {\n  b();\n\n|\nvar c;\n})();\n"), "") << "the cursor's own";
  EXPECT_EQ(Mended("(() => {\nf(() => {\n  a();\n\nc();\n|\nvar b;\n})();\n"),
            "(() => {\nf(() => {\n  a();\n\n})\nc();\n|\nvar b;\n})();\n")
      << "the inner one is not";
  EXPECT_EQ(Mended("(() => {\nvar a;\n|\n})();\n"), "(() => {\n})\nvar a;\n|\n})();\n")
      << "nothing below is as deep";
}

// A look back for the line's begin at each bracket would take minutes.
TEST(MissingBrackets, AreFoundInAFileOfOneLongLine) {
  std::string text;
  for (int i = 0; i < 100'000; ++i) text += "f(g[1],(h(2)));/* b */";
  EXPECT_EQ(Mended(text + "\n  a();\n  |\n"), "");
}

// So would a look for the line of each bracket without a partner.
TEST(MissingBrackets, AreThoseOfALineWithManyOfThem) {
  constexpr size_t kBrackets = 200'000;
  std::string line;
  for (size_t i = 0; i < kBrackets; ++i) line += "data(";
  EXPECT_EQ(Mended(line + "\na();\n|\n"), line + std::string(kBrackets, ')') + "\na();\n|\n");
}

// And a look for the end of each regular expression, in a line where none has one.
TEST(MissingBrackets, AreNotThoseOfPatternsWithoutAnEnd) {
  std::string line;
  for (int i = 0; i < 300'000; ++i) line += "=/[";
  EXPECT_EQ(Mended(line + "\n  a();\n  |\n"), "");
}

TEST(MissingBrackets, OpenTheBlockOfAHeadThatACloserEnds) {
  EXPECT_EQ(Mended("interface A \n  b: string;\n  |\n}\n"),
            "interface A { \n  b: string;\n  |\n}\n");
  EXPECT_EQ(Mended("class A {\n  f()\n    b();\n    |\n    c();\n  }\n}\n"),
            "class A {\n  f() {\n    b();\n    |\n    c();\n  }\n}\n");
  EXPECT_EQ(Mended("if (a)\n  |\nelse {\n}\n"), "") << "a statement alone";
  EXPECT_EQ(Mended("a: <\n  b\n>() {\n  |\n}\n"), "") << "type parameters";
  EXPECT_EQ(Mended("f(a,\n  |\n}\n"), "") << "it opens another one";
  EXPECT_EQ(Mended("if a:\n  |\n"), "");
}

TEST(MissingBrackets, AreHalfTypedWhereTheCursorsLineBeginsAStatement) {
  EXPECT_EQ(Mended("  f(g.\n  h(|);\n", ";"), "  f(g.);\n  h(|);\n");
  EXPECT_EQ(Mended("if (f(g.\nh(|)\n"), "if (f(g.))\nh(|)\n");
  EXPECT_EQ(Mended("f(g.\n  h(|)\n"), "") << "it is deeper";
  EXPECT_EQ(Mended("f(g.\n|\n"), "") << "it is blank, and the line above goes on";
  EXPECT_EQ(Mended("  f(g\n  |\n"), "  f(g)\n  |\n") << "it is blank, and the line above may end";
  EXPECT_EQ(Mended("  f(g\n    |\n"), "");
  EXPECT_EQ(Mended("f(g.\n&& h(|)\n"), "") << "it goes on";
  EXPECT_EQ(Mended("f(a,\nb|,\nc)\n"), "") << "an element as deep as the head";
  EXPECT_EQ(Mended("f(g.\nh a, |\n"), "f(g.)\nh a, |\n");
  EXPECT_EQ(Mended("f(\nh(|)\n"), "") << "the bracket ends its line";
  EXPECT_EQ(Mended("a { b\nc|\n"), "") << "a block";
}

TEST(MissingBrackets, AreHalfTypedAboveAStatementButNotAboveABlankLine) {
  EXPECT_TRUE(At("f(g.\nh(|)\n", ComesAfterHalfTyped));
  EXPECT_TRUE(At("f(g.\nh(|)\n", LacksBrackets));
  EXPECT_FALSE(At("f(g\n|\n", ComesAfterHalfTyped));
  EXPECT_FALSE(At("f(g\n|\n", LacksBrackets));
  EXPECT_TRUE(At("f(g\nh();\n|\n", LacksBrackets));
  EXPECT_FALSE(At("f(g\nh();\n|\n", ComesAfterHalfTyped)) << "another line comes between";
  EXPECT_FALSE(At("f(\nh(|)\n", ComesAfterHalfTyped)) << "the bracket ends its line";
  EXPECT_FALSE(At("a { b\nc|\n", ComesAfterHalfTyped)) << "a block";
  EXPECT_FALSE(At("f(g.\n  h(|)\n", ComesAfterHalfTyped)) << "it is deeper";
  EXPECT_FALSE(At("(0,\nf)(g.|\n", ComesAfterHalfTyped)) << "it closes the bracket";
}

TEST(MissingBrackets, CloseBeforeTheSignThatEndsTheirLine) {
  EXPECT_EQ(Mended("def f(a, [b:\n    c()\n\n|\n"), "def f(a, [b]):\n    c()\n\n|\n");
  EXPECT_EQ(Mended("if (a {\n  b();\n}\nc();\n|\n"), "if (a) {\n  b();\n}\nc();\n|\n");
  EXPECT_EQ(Mended("f(a;\nb();\n|\n", ";"), "f(a);\nb();\n|\n");
  EXPECT_EQ(Mended("f(a, {\n  b: 1,\n}\nc();\n|\n"), "f(a, {\n  b: 1,\n})\nc();\n|\n") << "a value";
  EXPECT_EQ(Mended("f(A{\n  b: 1,\n}\nc()\n|\n"), "f(A{\n  b: 1,\n})\nc()\n|\n");
  EXPECT_EQ(Mended("x = f(a:\nc()\n|\n"), "x = f(a:)\nc()\n|\n") << "no line is deeper";
}

TEST(MissingBrackets, AreThoseThatACloserOfAnOuterBlockPassesOver) {
  EXPECT_EQ(Mended("f() {\n  g(a\n}\nh();\n|\n"), "f() {\n  g(a)\n}\nh();\n|\n");
  EXPECT_EQ(Mended("f(a {\n  g(b;\n}\n\nh();\n|\n"), "f(a) {\n  g(b);\n}\n\nh();\n|\n");
  EXPECT_EQ(Mended("f() {\n  g(a\n  }\n|\n"), "") << "not as deep as f";
  const auto passes_over = [](size_t brackets) {
    const std::string text = "f() {\n  g" + std::string(brackets, '(') + "a\n}\n|\n";
    return !Mended(text).empty();
  };
  EXPECT_TRUE(passes_over(32));
  EXPECT_FALSE(passes_over(33)) << "no search for a partner takes long";
  EXPECT_EQ(Mended("[(a]\nb\n|\n"), "[(a])]\nb\n|\n") << "it begins no line";
}

TEST(MissingBrackets, AreNotClosedInAComment) {
  EXPECT_EQ(Mended("def f():\n    g(a\n\n# b\n|\n"), "def f():\n    g(a)\n\n# b\n|\n");
}

TEST(MissingBrackets, EndTheirLinesAsTheFileDoes) {
  EXPECT_EQ(Mended("a {\r\nb {\r\n  |\r\n}\r\n"), "a {\r\n}\r\nb {\r\n  |\r\n}\r\n");
}

}  // namespace
}  // namespace tenon::server
