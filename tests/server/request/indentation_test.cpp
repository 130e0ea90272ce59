#include "server/request/indentation.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

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

}  // namespace
}  // namespace tenon::server
