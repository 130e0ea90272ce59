#include "server/region/closers_above.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// The text with its closers and the cursor `|`; empty where none is missing.
std::string Closed(std::string text, std::string_view terminator = "") {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  auto closed = WithClosersAbove(text, cursor, terminator);
  return closed ? closed->text.insert(closed->cursor, "|") : "";
}

TEST(ClosersAbove, StandBeforeALineThatIsNoDeeper) {
  EXPECT_EQ(Closed("class A {\n  b() {\n    c();\n\n  d(e) {\n    |\n  }\n}\n"),
            "class A {\n  b() {\n    c();\n\n}\n  d(e) {\n    |\n  }\n}\n");
  EXPECT_EQ(Closed("a {\nb {\n  c {\n  d {\n    |"), "a {\n}\nb {\n  c {\n}\n  d {\n    |");
  EXPECT_EQ(Closed("a({\n  b: 1,\n\nc();\n|\n", ";"), "a({\n  b: 1,\n\n});\nc();\n|\n");
}

TEST(ClosersAbove, AreAtTheEndOfALineButForThoseOfBlocks) {
  EXPECT_EQ(Closed("a = f([1,\ndef g():\n    |\n"), "a = f([1,])\ndef g():\n    |\n");
  EXPECT_EQ(Closed("a = {\n    1: 2,\ndef g():\n    |\n"),
            "a = {\n    1: 2,\n}\ndef g():\n    |\n");
  EXPECT_EQ(Closed("  f(a\n  g(b);\n  |\n", ";"), "  f(a);\n  g(b);\n  |\n");
}

TEST(ClosersAbove, AreNotMissingWhereLinesAreDeeperOrCloseThem) {
  EXPECT_EQ(Closed("class A {\n  d(e) {\n    |\n  }\n}\n"), "");
  EXPECT_EQ(Closed("if (a) {\n  b();\n} else {\n  |\n}\n"), "");
  EXPECT_EQ(Closed("f(a,\n    b) {\n  c();\n  |\n}\n"), "") << "the statement begins further left";
  EXPECT_EQ(Closed("switch (a) {\ncase 1:\n  |\n}\n"), "") << "a label is as deep as its head";
  EXPECT_EQ(Closed("f() {\n# c\n  b();\n  |\n}\n"), "") << "a comment";
  EXPECT_EQ(Closed("if (a) {\n  b();\n\n|\n"), "") << "the gap's own";
}

TEST(ClosersAbove, EndTheirLinesAsTheFileDoes) {
  EXPECT_EQ(Closed("a {\r\nb {\r\n  |\r\n}\r\n"), "a {\r\n}\r\nb {\r\n  |\r\n}\r\n");
}

}  // namespace
}  // namespace tenon::server
