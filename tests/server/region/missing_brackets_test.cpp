#include "server/region/missing_brackets.h"

#include <string>

#include <gtest/gtest.h>

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
  EXPECT_EQ(Mended("if (a) {\n  b();\n\n|\n"), "") << "the gap's own";
  EXPECT_EQ(Mended("insert into a values (\n'b',\n'c'\n|\n"), "") << "elements as deep as the head";
}

TEST(MissingBrackets, OpenTheBlockOfAHeadThatACloserEnds) {
  EXPECT_EQ(Mended("interface A \n  b: string;\n  |\n}\n"),
            "interface A { \n  b: string;\n  |\n}\n");
  EXPECT_EQ(Mended("class A {\n  f()\n    b();\n    |\n    c();\n  }\n}\n"),
            "class A {\n  f() {\n    b();\n    |\n    c();\n  }\n}\n");
  EXPECT_EQ(Mended("if (a)\n  |\nelse {\n}\n"), "") << "a statement alone";
  EXPECT_EQ(Mended("f(a,\n  |\n}\n"), "") << "it opens another one";
  EXPECT_EQ(Mended("if a:\n  |\n"), "");
}

TEST(MissingBrackets, AreHalfTypedWhereTheCursorsLineBeginsAStatement) {
  EXPECT_EQ(Mended("  f(g.\n  h(|);\n", ";"), "  f(g.);\n  h(|);\n");
  EXPECT_EQ(Mended("if (f(g.\nh(|)\n"), "if (f(g.))\nh(|)\n");
  EXPECT_EQ(Mended("f(g.\n  h(|)\n"), "") << "it is deeper";
  EXPECT_EQ(Mended("f(g.\n|\n"), "") << "it is blank";
  EXPECT_EQ(Mended("f(g.\n&& h(|)\n"), "") << "it goes on";
  EXPECT_EQ(Mended("f(a,\nb|,\nc)\n"), "") << "an element as deep as the head";
  EXPECT_EQ(Mended("f(\nh(|)\n"), "") << "the bracket ends its line";
  EXPECT_EQ(Mended("a { b\nc|\n"), "") << "a block";
}

TEST(MissingBrackets, EndTheirLinesAsTheFileDoes) {
  EXPECT_EQ(Mended("a {\r\nb {\r\n  |\r\n}\r\n"), "a {\r\n}\r\nb {\r\n  |\r\n}\r\n");
}

}  // namespace
}  // namespace tenon::server
