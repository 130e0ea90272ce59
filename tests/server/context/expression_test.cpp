#include "server/context/expression.h"

#include <string>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Expression, IsFoundInATextAndMatchesAWholeOne) {
  const auto expression = Expression::Of("a+b");
  ASSERT_TRUE(expression);
  EXPECT_TRUE(expression->Finds("xaabx"));
  EXPECT_FALSE(expression->Matches("xaabx"));
  EXPECT_TRUE(expression->Matches("aab"));
  EXPECT_FALSE(expression->Finds("ba"));
}

TEST(Expression, IsGivenUpWhereItTakesTooManySteps) {
  const auto odd = Expression::Of("(?:.*a){5}[bc]");
  ASSERT_TRUE(odd);
  EXPECT_FALSE(odd->Finds(std::string(8, 'a')));
  EXPECT_TRUE(odd->Matches(std::string(30, 'a') + "b"));
  EXPECT_FALSE(odd->Matches(std::string(30, 'a')));
  EXPECT_TRUE(odd->Finds(std::string(30, 'a'))) << "nobody knows";
}

TEST(Expression, IsNoneOfATextThatIsIllFormed) { EXPECT_FALSE(Expression::Of("[")); }

}  // namespace
}  // namespace tenon::server
