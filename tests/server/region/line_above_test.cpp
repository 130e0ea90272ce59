#include "server/region/line_above.h"

#include <string>

#include <gtest/gtest.h>

#include "tests/server/region/at_cursor.h"

namespace tenon::server {
namespace {

TEST(LineAbove, GoesOnWithABrace) {
  EXPECT_TRUE(At("class A extends B\n|{\n", GoesOnWithBrace));
  EXPECT_FALSE(At("a;\n|{\n", GoesOnWithBrace)) << "a block by itself";
  EXPECT_FALSE(At("f(a,\n|{\n", GoesOnWithBrace)) << "an item of a list";
  EXPECT_FALSE(At("if (a) |{\n", GoesOnWithBrace));
  EXPECT_FALSE(At("class A\n|b\n", GoesOnWithBrace));
}

TEST(LineAbove, IsAnAnnotation) {
  EXPECT_TRUE(At("@Override\n|int h() {\n", ComesAfterAnnotation));
  EXPECT_FALSE(At("@a int b;\n|int h() {\n", ComesAfterAnnotation));
  EXPECT_FALSE(At("|int h() {\n", ComesAfterAnnotation));
}

TEST(LineAbove, GoesOn) {
  EXPECT_TRUE(At("select a\n|from b\n", LineAboveGoesOn));
  EXPECT_FALSE(At("select a;\n|b\n", LineAboveGoesOn));
  EXPECT_FALSE(At("select a\n\n|b\n", LineAboveGoesOn));
  EXPECT_FALSE(At("-- a\n|b\n", LineAboveGoesOn));
}

TEST(LineAbove, EndsAStatement) {
  const auto ends = [](std::string_view text, size_t offset) {
    return StatementEndsAbove(LineAt(text, offset), 0, offset);
  };
  EXPECT_TRUE(At("c\na;\n|b", ends));
  EXPECT_TRUE(At("c\na\n\n|b", ends));
  EXPECT_TRUE(At("c\na\n|-- b", ends));
  EXPECT_TRUE(At("c\na; |b", ends));
  EXPECT_FALSE(At("c\na\n|b", ends));
  EXPECT_FALSE(At("c\na |b", ends));
  EXPECT_FALSE(At("-- c\n|b", ends)) << "the cursor's line may end otherwise";
}

TEST(LineAbove, LeavesABracketOpen) {
  EXPECT_EQ(At("a = [1,\n|2", BracketLeftOpenAbove), '[');
  EXPECT_EQ(At("a = f([1], {b\n|2", BracketLeftOpenAbove), '{');
  EXPECT_EQ(At("a = [1]\n|2", BracketLeftOpenAbove), std::nullopt);
  EXPECT_EQ(At("a = [\n|2", BracketLeftOpenAbove), std::nullopt) << "a head";
  EXPECT_EQ(At("# a [1,\n|2", BracketLeftOpenAbove), std::nullopt);
  EXPECT_EQ(At("a = [1,\n2|", BracketLeftOpenAbove), std::nullopt);
  EXPECT_EQ(At("f(a;\n|b", BracketLeftOpenAbove), std::nullopt) << "the statement ends";
  EXPECT_EQ(At("for (a;\n  |b", BracketLeftOpenAbove), '(') << "deeper: it goes on";
  EXPECT_EQ(At("{ a;\n|b", BracketLeftOpenAbove), '{');
  EXPECT_EQ(At("f(a\n|b", BracketLeftOpenAbove), std::nullopt) << "an item would end with a comma";
  EXPECT_EQ(At("f(a\n|", BracketLeftOpenAbove), std::nullopt);
  EXPECT_EQ(At("f(a\n|@b", BracketLeftOpenAbove), std::nullopt) << "a decorator";
  EXPECT_EQ(At("f(a\n|// b", BracketLeftOpenAbove), std::nullopt);
  EXPECT_EQ(At("f(a\n|+ b", BracketLeftOpenAbove), '(');
  EXPECT_EQ(At("f(a +\n|b", BracketLeftOpenAbove), '(');
}

}  // namespace
}  // namespace tenon::server
