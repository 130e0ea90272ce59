#include "server/request/repetition.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Repetition, IsWhereTheNextLinesAreWrittenASecondTime) {
  EXPECT_TRUE(RepeatsWhatFollows("x\n  ", "a.close()", "\n  a.close()\n"));
  EXPECT_TRUE(RepeatsWhatFollows("x\n  ", "a.close()", "\n\n\n    a.close( )\n")) << "blanks";
  EXPECT_TRUE(RepeatsWhatFollows("x\n  ", "a\n  b", "\n  a\n  b\n  c\n"));
  EXPECT_TRUE(RepeatsWhatFollows("x\r\n  ", "a\r\n  b", "\r\n  a\r\n  b\r\n"));
  EXPECT_FALSE(RepeatsWhatFollows("x\n  ", "a.flush()", "\n  a.close()\n"));
  EXPECT_FALSE(RepeatsWhatFollows("x\n  ", "a\n  c", "\n  a\n  b\n"));
  EXPECT_FALSE(RepeatsWhatFollows("x\n  ", "a\n  b", "\n  a")) << "more than what follows";
  EXPECT_FALSE(RepeatsWhatFollows("x\n  ", "a", "")) << "nothing follows";
  EXPECT_TRUE(RepeatsWhatFollows("x\n  ", "a: 1,", "\n  a: 1\n  b: 2\n")) << "it lacks its comma";
  EXPECT_TRUE(RepeatsWhatFollows("x\n  ", "a()", "\n  a();\n"));
  EXPECT_FALSE(RepeatsWhatFollows("x\n  ", "a.", "\n  a\n")) << "the line goes on";
}

TEST(Repetition, ComparesTheWholeLineOfTheCursor) {
  EXPECT_TRUE(RepeatsWhatFollows("  ret", "urn x", "\n  return x\n"));
  EXPECT_FALSE(RepeatsWhatFollows("  a = ", "x", "\n  x\n"));
  EXPECT_TRUE(RepeatsWhatFollows("  f(", "x", ")\n  f(x)\n")) << "the bracket is the line's, too";
  EXPECT_TRUE(RepeatsWhatFollows("if a:", "\n  b", "\n  b\n")) << "a line of its own";
}

TEST(Repetition, IsWhereACommentWritesTheNextLine) {
  EXPECT_TRUE(RepeatsWhatFollows("def f():\n  # ", "setup(a)", "\n  setup(a)\n"));
  EXPECT_TRUE(RepeatsWhatFollows("  /* ", "a.close();", " */\n  a.close();\n"));
  EXPECT_TRUE(RepeatsWhatFollows("  {/* ", "<A />", " */}\n  <A />\n"));
  EXPECT_TRUE(RepeatsWhatFollows("// ", "a", "\n// a\n")) << "another comment";
  EXPECT_FALSE(RepeatsWhatFollows("  # ", "sets up", "\n  setup(a)\n"));
}

TEST(Repetition, IsWhereTheLinesAboveAreWrittenASecondTime) {
  EXPECT_TRUE(RepeatsWhatPrecedes("a\n  b.add(c)\n  ", "b.add(c)"));
  EXPECT_TRUE(RepeatsWhatPrecedes("a\n  b\n\n    c\n", "b\nc\n")) << "blanks";
  EXPECT_FALSE(RepeatsWhatPrecedes("a\n  b.add(c)\n  ", "b.add(d)"));
  EXPECT_FALSE(RepeatsWhatPrecedes("a\n  b\n", "a"));
  EXPECT_FALSE(RepeatsWhatPrecedes("a\n", "b\na")) << "more than stands above";
  EXPECT_FALSE(RepeatsWhatPrecedes("0,\n0,\n", "0,")) << "rows of a table";
  EXPECT_FALSE(RepeatsWhatPrecedes("  }\n", "}")) << "brackets alone";
}

TEST(Repetition, IsNoneOfBracketsAlone) {
  EXPECT_FALSE(RepeatsWhatFollows("  {\n    ", "}", "\n  }\n"));
  EXPECT_FALSE(RepeatsWhatFollows("", "});", "\n});\n"));
}

TEST(Repetition, IsWhereTheRestOfTheLineIsWrittenASecondTime) {
  EXPECT_TRUE(RepeatsWhatFollows("total = ", "price * tax", "price * tax\n"));
  EXPECT_TRUE(RepeatsWhatFollows("total = ", "price*tax + ", "price * tax\n"));
  EXPECT_FALSE(RepeatsWhatFollows("total = ", "price", " * tax\n"));
  EXPECT_TRUE(RepeatsWhatFollows("total = ", "price if", "price\n"));
  EXPECT_FALSE(RepeatsWhatFollows("total = ", "prices[0] + ", "price\n")) << "another word";
  EXPECT_FALSE(RepeatsWhatFollows("@Ov", "errid", "e\nvoid f()\n")) << "another letter";
  EXPECT_TRUE(RepeatsWhatFollows("@Overrid", "e", "e\nvoid f()\n"));
}

TEST(Repetition, BeginsWhereLinesComeAgain) {
  EXPECT_EQ(BytesBeforeRepetition("a\nb\n a\n b"), 3u);
  EXPECT_EQ(BytesBeforeRepetition("x\na\n\nb\na\nb\n"), 6u) << "blank lines count for nothing";
  EXPECT_EQ(BytesBeforeRepetition("a\nb\nc\nd\na\nb\nc\nd"), 7u);
  EXPECT_EQ(BytesBeforeRepetition("a\na"), std::nullopt) << "a line may come twice";
  EXPECT_EQ(BytesBeforeRepetition("a\na\na"), 1u);
  EXPECT_EQ(BytesBeforeRepetition("}\n}\n}"), std::nullopt) << "no word";
  EXPECT_EQ(BytesBeforeRepetition("a\nb\na\nc"), std::nullopt);
  EXPECT_EQ(BytesBeforeRepetition(""), std::nullopt);
}

TEST(Repetition, WithinALineIsAStutter) {
  const auto times = [](size_t count, const std::string& stretch) {
    std::string text;
    for (size_t i = 0; i < count; ++i) text += stretch;
    return text;
  };
  EXPECT_EQ(BytesBeforeStutter("f(1" + times(11, ", 0")), 6u);
  EXPECT_EQ(BytesBeforeStutter("f(1" + times(10, ", 0")), std::nullopt) << "so many may be meant";
  EXPECT_EQ(BytesBeforeStutter("a\ny" + times(4, " or user.x")), 13u);
  EXPECT_EQ(BytesBeforeStutter("x" + times(3, " or user.is_active")), std::nullopt);
  EXPECT_EQ(BytesBeforeStutter(times(40, "-")), std::nullopt) << "no word";
  EXPECT_EQ(BytesBeforeStutter(times(40, "z")), std::nullopt) << "in a word";
  EXPECT_EQ(BytesBeforeStutter(times(3, " or user.is\n")), std::nullopt);
  EXPECT_EQ(BytesBeforeStutter(""), std::nullopt);
}

}  // namespace
}  // namespace tenon::server
