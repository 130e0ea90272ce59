#include "server/region/outline_levels.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

std::vector<OutlineLevel> Of(std::string text) {
  const size_t cursor = text.find('|');
  text.erase(cursor, 1);
  return OutlineLevels(text, cursor, cursor, "xx");
}

TEST(OutlineLevels, AreTheHeadsByIndentation) {
  const auto levels =
      Of("x = (1,\nclass C:\n  def f():\n    a()\n    return |\n  def g(): pass\ny\n");
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].skeletons[0].text, "xx\n");
  EXPECT_EQ(levels[1].skeletons[0].text, "class C:\n  xx\n");
  EXPECT_EQ(levels[2].skeletons[0].text, "class C:\n  def f():\n    xx\n");
  const OutlineSkeleton& skeleton = levels[2].skeletons[0];
  EXPECT_EQ(skeleton.text.substr(skeleton.hole - 1, 2), "xx");
}

TEST(OutlineLevels, CloseTheBracketsThatHeadsOpen) {
  const auto levels = Of("func f() {\n\tg(a, func() {\n\t\tx|\n\t})\n}\n");
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[2].skeletons[0].text, "func f() {\n\tg(a, func() {\n\t\txx\n})}");
}

TEST(OutlineLevels, TakeTheHeadBeforeALineThatClosesABracket) {
  const auto levels = Of("if a {\n\tb\n} else {\n\tc|\n}\n");
  ASSERT_EQ(levels.size(), 2u);  // no region begins at `} else {`
  EXPECT_EQ(levels[1].skeletons[0].text, "if a {\n} else {\n\txx\n}");
}

TEST(OutlineLevels, HaveASecondSkeletonWithTheHeadsThatBelongTogether) {
  const auto levels = Of("try:\n  a\nexcept E:\n  b|\n");
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[1].skeletons[0].text, "except E:\n  xx\n");
  EXPECT_EQ(levels[1].skeletons[1].text, "try:\n    xx\nexcept E:\n  xx\n");
}

TEST(OutlineLevels, HaveASkeletonWithHalfTypedHeadsMended) {
  const auto mended = [](const std::string& head) {
    return Of(head + "\n  a|\n").at(1).skeletons.back().text;
  };
  for (const char* head : {"def f(a:", "def f(a)", "def f(a"})
    EXPECT_EQ(Of(std::string(head) + "\n  b|\n").at(1).skeletons.at(2).text, "def f(a):\n  xx\n");
  EXPECT_EQ(mended("if (f(a {"), "if (f(a)) {\n  xx\n}");
  EXPECT_EQ(Of("def f(a):\n  b|\n").at(1).skeletons.size(), 3u);  // the last is that of the file
}

TEST(OutlineLevels, EndAtLinesWithTheSameIndentationAndWithTheBlock) {
  const std::string text = "f:\n  a|\n  b\n    c\n  d\ng\n";
  const auto levels = Of(text);
  ASSERT_EQ(levels.size(), 2u);
  // Offsets of the text without the cursor: `  b`, `  d`, `g`.
  EXPECT_EQ(levels[1].ends, (std::vector<size_t>{7, 17, 21}));
  EXPECT_EQ(levels[0].ends, (std::vector<size_t>{21, 23}));
}

TEST(OutlineLevels, EndBehindTheBracketsThatTheirLinesOpen) {
  const auto levels = Of("f(\n  a,|\n)\nif b {\n}\nc\n");
  ASSERT_EQ(levels.size(), 2u);
  // Offsets of the text without the cursor: `if b {`, `c`, the end.
  EXPECT_EQ(levels[0].ends, (std::vector<size_t>{10, 19, 21}));
  EXPECT_EQ(levels[1].ends, (std::vector<size_t>{8}));
}

TEST(OutlineLevels, DoNotReadACommentOfSeveralLinesAsHeads) {
  const std::string text = "x\n  /* a\n b\n  */\n  y\nz\n";
  const auto levels = OutlineLevels(text, text.find("/*"), text.find("*/") + 2, "xx");
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[1].begins, (std::vector<size_t>{2}));
  EXPECT_EQ(levels[1].ends, (std::vector<size_t>{text.find("  y"), text.find("z")}));
}

TEST(OutlineLevels, GiveABlankLineTheIndentationOfItsSurroundings) {
  const auto levels = Of("f:\n  a\n|\n  b\n");
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[1].skeletons[0].text, "f:\n  xx\n");
}

TEST(OutlineLevels, TakeTheConstructOfALabelWithTheSameIndentation) {
  const auto levels = Of("func f() {\n\tswitch a {\n\tcase 1:\n\t\tx|\n\t}\n}\n");
  ASSERT_EQ(levels.size(), 4u);
  EXPECT_EQ(levels[3].skeletons[0].text, "func f() {\n\tswitch a {\n\tcase 1:\n\t\txx\n}}");
  EXPECT_EQ(Of("f(\n  a)\nif b:\n  c|\n").size(), 2u);
}

TEST(OutlineLevels, DoNotReadMarkersOfConflictsAsHeads) {
  const auto levels = Of("{\n  a: {\n<<<<<<< HEAD\n=======\n>>>>>>> b\n    x|\n  }\n}\n");
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[2].skeletons[0].text, "{\n  a: {\n    xx\n}}");
}

TEST(OutlineLevels, AreBoundedInDeepText) {
  std::string deep;
  for (size_t i = 0; i < 300; ++i) deep += std::string(i, ' ') + "a:\n";
  EXPECT_LE(OutlineLevels(deep, deep.size(), deep.size(), "xx").size(), 25u);
}

}  // namespace
}  // namespace tenon::server
