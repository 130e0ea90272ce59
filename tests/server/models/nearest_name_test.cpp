#include "server/models/nearest_name.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(NearestName, IsTheNameWithTheFewestChangesOrTheOneThatHoldsTheText) {
  const std::vector<std::string> names = {"maxTokens", "scope", "completion.automaticBudgetMs"};
  EXPECT_EQ(NearestName("maxtoken", names), "maxTokens");
  EXPECT_EQ(NearestName("scoop", names), "scope");
  EXPECT_EQ(NearestName("automaticBudgetMs", names), "completion.automaticBudgetMs");
  EXPECT_EQ(NearestName("anything", {}), "");
}

TEST(NearestName, IsNotHintedAtWhereMoreThanHalfOfItWouldBeWrong) {
  const std::vector<std::string> names = {"log", "seed", "maxTokens"};
  EXPECT_EQ(NearestHint("maxtoken", names), "; the nearest is 'maxTokens'");
  EXPECT_EQ(NearestHint("Tokens", names), "; the nearest is 'maxTokens'");
  for (const char* other : {"foo", "d", "x", "", "completion"})
    EXPECT_EQ(NearestHint(other, names), "") << other;
}

}  // namespace
}  // namespace tenon::server
