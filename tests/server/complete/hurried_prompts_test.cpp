#include "server/complete/hurried_prompts.h"

#include <map>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

// Prompts of so many unread tokens each.
class HurriedPromptsTest : public testing::Test {
 protected:
  HurriedPrompts Make(size_t whole, size_t near) {
    made_.clear();
    return MakeHurriedPrompts(
        [&](PromptExtent extent) -> Prompt {
          ++made_[extent];
          return {std::vector<TokenId>(extent == PromptExtent::kAll ? whole : near), extent};
        },
        [](const Prompt& prompt) { return prompt.tokens.size(); });
  }

  std::map<PromptExtent, int> made_;
};

TEST_F(HurriedPromptsTest, AWholePromptThatIsSoonReadIsSeenAlone) {
  const HurriedPrompts prompts = Make(30, 10);
  EXPECT_FALSE(prompts.near);
  EXPECT_EQ(prompts.first().extent, PromptExtent::kAll);
  EXPECT_EQ(made_, (std::map<PromptExtent, int>{{PromptExtent::kAll, 1}}));
}

TEST_F(HurriedPromptsTest, WhatIsNearIsSeenFirstAndEachPromptIsMadeOnce) {
  const HurriedPrompts prompts = Make(2500, 400);
  EXPECT_EQ(prompts.first().extent, PromptExtent::kNear);
  EXPECT_EQ(prompts.whole.tokens.size(), 2500U);
  EXPECT_EQ(made_,
            (std::map<PromptExtent, int>{{PromptExtent::kAll, 1}, {PromptExtent::kNear, 1}}));
}

TEST_F(HurriedPromptsTest, ANearPromptThatSavesLittleIsLeftOut) {
  EXPECT_FALSE(Make(500, 450).near);
  EXPECT_FALSE(Make(500, 436).near);
  EXPECT_TRUE(Make(500, 435).near);
}

}  // namespace
}  // namespace tenon::server
