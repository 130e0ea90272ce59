#include "server/region/region.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// Does `middle` at the `|` of a file take a bracket from the stand-ins around it, or leave one to
// them? The region is the whole file; `tail_bytes` of `after` are the file's own.
bool Moves(const std::string& before, std::string file, const std::string& after,
           std::string_view middle, size_t tail_bytes = 0) {
  const size_t cursor = file.find('|');
  file.erase(cursor, 1);
  return MovesBrackets(Region{0, file.size(), before, after, tail_bytes}, file, cursor, middle);
}

TEST(Region, TellsWhichMiddlesLeaveBracketsToStandIns) {
  const std::string file = R"({
  "a": 1|
  "b": 2
)";
  EXPECT_TRUE(Moves("", file, "}", "}, {"));
  EXPECT_TRUE(Moves("", file, "}", "], [[1],"));
  EXPECT_FALSE(Moves("", file, "}", ","));
  EXPECT_FALSE(Moves("", file, "}", R"(, "c": {"d": [1]},)"));
  EXPECT_FALSE(Moves("", file, "}", R"(, "c": "{",)"));
  // The line that closes what the gap opens is the file's own.
  EXPECT_FALSE(Moves("", file, "}}", R"(, "c": {)", 1));
  EXPECT_TRUE(Moves("", file, "}}", R"(}, {"c": {)", 1));
}

TEST(Region, ComesBehindSeamsWhereItMayMisreadTheRestOfACommentOrString) {
  const std::vector<Seam> none, rest{Seam::kRest}, both{Seam::kRest, Seam::kOpen};
  const std::string file = "a();\n b\n  c */\nd();\n";
  const auto before = [&](size_t end) {
    return SeamsBefore(Region{0, end, "", ""}, file, file.find('b'));
  };
  EXPECT_EQ(before(file.find('b')), both) << "the mark of a line may be missing, too";
  EXPECT_EQ(before(file.find("  c")), rest);
  EXPECT_EQ(before(file.find("c")), rest);
  EXPECT_EQ(before(file.find("*/")), none);
  EXPECT_EQ(SeamsBefore(Region{0, 2, "", ""}, "a\n", 0), none) << "there is no second line";
  const std::string docstring = "a()\n\n    \"\"\"\n    b()\n    c()\n";
  const auto with = [&](const char* after) {
    return SeamsBefore(Region{0, docstring.size(), "", after}, docstring, 4);
  };
  EXPECT_EQ(with("\"\"\"\n"), rest);
  EXPECT_EQ(with(""), none);
  EXPECT_EQ(with("'''"), none) << "another quote";
}

TEST(Region, ComesBehindTheOpenSeamWhereACommentLacksItsMark) {
  const auto open_first = [](std::string file, size_t more) {
    const size_t cursor = file.find('|');
    file.erase(cursor, 1);
    const std::vector<Seam> seams = SeamsBefore(Region{0, cursor + more, "", ""}, file, cursor);
    return std::count(seams.begin(), seams.end(), Seam::kOpen) == 1;
  };
  EXPECT_TRUE(open_first("// a\n| b\nc();\n", 0));
  EXPECT_TRUE(open_first("// a\n| b c\nd();\n", 2)) << "`c` is left out";
  EXPECT_TRUE(open_first("a();\n|b\n# c\n", 0));
  EXPECT_FALSE(open_first("// a\n| b\nc();\n", 2)) << "the region holds the line";
  EXPECT_FALSE(open_first("// a\nb |c\n", 0)) << "something stands before";
  EXPECT_FALSE(open_first("a();\n| b\nc();\n", 0));
  EXPECT_FALSE(open_first("// a\n|\nc();\n", 0));
}

TEST(Region, ReadsAMiddleThatBeginsInAString) {
  const std::string file = R"(a = f({
  b: "|",
  c: 1
)";
  EXPECT_TRUE(Moves("", file, "})", R"("}); g({d: ")"));
  EXPECT_FALSE(Moves("", file, "})", "}); g({"));
}

TEST(Region, TakesNoBracketFromTheStandInsBeforeIt) {
  const std::string file = R"(  1: 2,
|
  3: 4
}
)";
  EXPECT_TRUE(Moves("{0: 0,", file, "", "}\n{"));
  EXPECT_FALSE(Moves("{0: 0,", file, "", "5: {6: 7},"));
}

TEST(Region, TellsWhichTextsMoveBlocks) {
  const auto moves = [](std::string file, std::string_view closing) {
    const size_t cursor = file.find('|');
    file.erase(cursor, 1);
    return MovesBlocks(file, cursor, file.size(), closing);
  };
  EXPECT_TRUE(moves("f()\n  |\n}\n", "b(); {"));
  EXPECT_FALSE(moves("f()\n  |\n}\n", "b();"));
  EXPECT_TRUE(moves("if (a) {\n  b();\nf(|)\n", ")}(c")) << "closes a block and opens a bracket";
  EXPECT_TRUE(moves("if (a) {\n  b();\nc = 'd |e';\n", "';}}{'")) << "it begins in a string";
  EXPECT_TRUE(moves("for (a) {\n    |\n  }\n}\n", "}a=>{{"));
  EXPECT_FALSE(moves("if (a) {\n  b();\n|\n  c();\n}\n", "} else {"));
  EXPECT_FALSE(moves("a = ({\n  b,\n|\n  c();\n}\n", "})=>{")) << "parameters end";
  EXPECT_TRUE(moves("a = ({\n  b,\n|\n  c();\n}\n", "});{")) << "a statement ends";
  EXPECT_TRUE(moves("go func() {\n  |\n}\n", "}()\n{")) << "in another statement";
  EXPECT_FALSE(moves("f() {\n  |\n    c();\n  });\n}\n", "b(() => {"));
  EXPECT_FALSE(moves("f = (\n  |\n  c();\n}\n", ") => {")) << "where `(` was opened";
  EXPECT_FALSE(moves("f()\n  | }\n}\n", "{")) << "in the cursor's line";
  EXPECT_TRUE(moves("f()\n  |\n    c();\n  }\n}\n", "{ if (b) {")) << "the outer one";
  EXPECT_FALSE(moves("/*\n * a\n |\n  b();\n}\n", "*/c() {")) << "where the comment begins";
  EXPECT_TRUE(moves("/* a\nf() {\n  |\n}\n", "*/c() {")) << "code below a comment without its end";
  EXPECT_FALSE(moves("class A\n    |\n    b;\n}\n", "{")) << "the head's own";
  EXPECT_FALSE(moves("  f(a,\n      b) |\n    c();\n  }\n", "{"));
  EXPECT_FALSE(moves("  f = (a) |\n    c();\n  }\n", "=>{"));
  EXPECT_TRUE(moves("a();\n  |\n}\n", "{")) << "a statement ends above";
  std::string lines;
  for (int i = 0; i < 100; ++i) lines += " * a\n";
  EXPECT_FALSE(moves("/*\n" + lines + " |\n  b();\n}\n", "*/c() {")) << "a long one";
  EXPECT_FALSE(moves("  f(\n      a,\n      b) |\n    c();\n  }\n", "{")) << "where f begins";
  EXPECT_TRUE(moves("  /*\n   * a\n   |\n  b();\n}\n", "*/c() {"));
}

TEST(Region, ComesFirstWhereTheClosingTextIsWhatLinesAboveLack) {
  const auto first = [](std::string file, std::string_view closing) {
    const size_t cursor = file.find('|');
    file.erase(cursor, 1);
    return IsRegionFirst(file, cursor, closing);
  };
  EXPECT_TRUE(first("f(() => {\n  a();\n\nf(() => {\n  |\n});\n", "});"));
  EXPECT_FALSE(first("f(() => {\n  a();\n\nf(() => {\n  |\n});\n", "b();"));
  EXPECT_FALSE(first("f(() => {\n  a();\n});\nf(() => {\n  |\n", "});")) << "the cursor's own";
  EXPECT_FALSE(first("(() => {\nvar a = {\n  b: 1\n|\nvar c;\n})();\n", "};")) << "a flat block";
  EXPECT_TRUE(first("if (a) {\n  b();\nf(|)\n", ")}(c")) << "it moves a block";
  EXPECT_TRUE(first("f(a.\ng(|);\n", ")")) << "the line's own `)` closes that of f";
  EXPECT_FALSE(first("f(a.\ng(|);\n", "b"));
  EXPECT_FALSE(first("f(a.\ng(() => {\n  |});\n", "b")) << "the line closes its own by itself";
}

TEST(Region, MovesNoElement) {
  const std::string file = R"(  <b/>
|
  <c/>
)";
  EXPECT_TRUE(Moves("a = <a>", file, "</a>", "</a>;"));
  EXPECT_TRUE(Moves("a = <a>", file, "</a>", "<d>"));
  EXPECT_FALSE(Moves("a = <a>", file, "</a>", "<d></d>"));
  EXPECT_FALSE(Moves("class A {", file, "}", "<T> f(T a);")) << "a type parameter";
  EXPECT_TRUE(Moves("", file, "</>", "<d>")) << "a tag behind it alone";
}

}  // namespace
}  // namespace tenon::server
