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

}  // namespace
}  // namespace tenon::server
