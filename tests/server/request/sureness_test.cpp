#include "server/request/sureness.h"

#include <cmath>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

bool Needs(std::string text) {
  const size_t cursor = text.find('|');
  return NeedsSureness(text.erase(cursor, 1), cursor);
}

TEST(Sureness, IsNeededInAWord) {
  EXPECT_TRUE(Needs("x = pri|\n"));
  EXPECT_TRUE(Needs("x = pri|ce\n"));
  EXPECT_TRUE(Needs("na\u00efv\u00e9|\n"));
  EXPECT_FALSE(Needs("x = |\n"));
  EXPECT_FALSE(Needs("|"));
}

TEST(Sureness, IsNeededWhereCodeFollowsOnTheLine) {
  EXPECT_TRUE(Needs("x = | * tax\n"));
  EXPECT_TRUE(Needs("f(|, b)\n"));
  EXPECT_FALSE(Needs("f(|)\n")) << "the editor closed the bracket";
  EXPECT_FALSE(Needs("f(g(|));  \nx\n"));
  EXPECT_FALSE(Needs("if (|):\r\n  x\n"));
}

TEST(Sureness, IsThatOfTheTokensWhichWroteTheText) {
  const std::vector<TokenNats> tokens = {{2, 0.1}, {6, 0.2}, {9, 0.3}, {3, 0.4}};
  const auto ends = [&](size_t bytes) {
    std::string all;
    for (const TokenNats& token : NatsWithin(tokens, bytes))
      all += std::to_string(token.end_bytes) + ' ';
    return all;
  };
  EXPECT_EQ(ends(2), "2 ");
  EXPECT_EQ(ends(3), "2 3 3 ") << "one is cut, and one ended it there";
  EXPECT_EQ(ends(0), "");
}

TEST(Sureness, OfVisibleTokensLeavesBlanksOut) {
  const std::vector<TokenNats> tokens = {{2, 0.1}, {3, 0.2}, {4, 0.3}, {5, 0.4}, {5, 0.5}};
  const std::vector<TokenNats> visible = VisibleNats("  a\nb", tokens);
  ASSERT_EQ(visible.size(), 2U);
  EXPECT_EQ(visible[0].nats, 0.2);
  EXPECT_EQ(visible[1].nats, 0.4);
}

TEST(Sureness, IsTheMeanProbabilityOfAToken) {
  EXPECT_EQ(SurenessOf({}), 1);
  const std::vector<TokenNats> tokens = {{5, -std::log(0.9)}, {7, -std::log(0.4)}};
  EXPECT_NEAR(SurenessOf(tokens), 0.6, 1e-9);
}

TEST(Sureness, OfALineIsThatOfItsTokens) {
  // Of `a`, a line end with two blanks, `b` and `c`, a line end, and the end of the completion.
  const std::vector<TokenNats> tokens = {{1, -std::log(0.5)}, {4, 9}, {5, -std::log(0.9)},
                                         {6, -std::log(0.4)}, {7, 9}, {7, 9}};
  const std::vector<double> lines = SurenessOfLines("a\n  bc\n", tokens);
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NEAR(lines[0], 0.5, 1e-9);
  EXPECT_NEAR(lines[1], 0.6, 1e-9);
}

}  // namespace
}  // namespace tenon::server
