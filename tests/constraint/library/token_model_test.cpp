// Prefill: a prompt that shares its beginning with the model's text.
#include "tenon/token_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/constraint/library/scripted_model.h"
#include "tests/token_ids.h"

namespace tenon {
namespace {

using testing::ElementsAre;

std::vector<float> LengthAndLast(const std::vector<TokenId>& text) {
  return {static_cast<float>(text.size()), static_cast<float>(text.back().value)};
}

TEST(PublicTokenModel, PrefillReadsWhatTheTextLacks) {
  ScriptedModel model(LengthAndLast);
  EXPECT_THAT(*Prefill(model, TokensOf({1, 2, 3, 4})), ElementsAre(4, 4));
  EXPECT_THAT(*Prefill(model, TokensOf({1, 2, 7, 8, 9})), ElementsAre(5, 9));
  EXPECT_THAT(model.appended, ElementsAre(TokensOf({1, 2, 3, 4}), TokensOf({7, 8, 9})));
  EXPECT_THAT(NumbersOf({model.tokens().begin(), model.tokens().end()}),
              ElementsAre(1, 2, 7, 8, 9));
}

TEST(PublicTokenModel, PrefillReadsTheLastTokenForItsLogits) {
  ScriptedModel model(LengthAndLast);
  ASSERT_TRUE(Prefill(model, TokensOf({1, 2, 3})));
  EXPECT_THAT(*Prefill(model, TokensOf({1, 2, 3})), ElementsAre(3, 3));
  EXPECT_THAT(*Prefill(model, TokensOf({1, 2})), ElementsAre(2, 2));
  EXPECT_THAT(model.appended, ElementsAre(TokensOf({1, 2, 3}), TokensOf({3}), TokensOf({2})));
}

TEST(PublicTokenModel, PrefillReadsAllWhereTheModelForgetsMore) {
  ScriptedModel model(LengthAndLast);
  model.forgets_all = true;
  ASSERT_TRUE(Prefill(model, TokensOf({1, 2, 3})));
  EXPECT_THAT(*Prefill(model, TokensOf({1, 2, 4})), ElementsAre(3, 4));
  EXPECT_EQ(model.appended.back(), TokensOf({1, 2, 4}));
}

TEST(PublicTokenModel, PrefillHandsOnTheModelsError) {
  ScriptedModel model(LengthAndLast);
  model.most_tokens = 2;
  const auto logits = Prefill(model, TokensOf({1, 2, 3}));
  ASSERT_FALSE(logits);
  EXPECT_EQ(logits.error().ToString(), "scripted: the context is full");
}

}  // namespace
}  // namespace tenon
