#include "server/context/expression.h"

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

TEST(Expression, IsNoneOfATextThatIsIllFormed) { EXPECT_FALSE(Expression::Of("[")); }

}  // namespace
}  // namespace tenon::server
