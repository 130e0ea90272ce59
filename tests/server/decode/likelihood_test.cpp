#include "server/decode/likelihood.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/decode/tiny_engine.h"
#include "tests/token_ids.h"

namespace tenon::server {
namespace {

// The logits after so many tokens are those of a table; the context holds as many as it has rows.
class TableText : public DecodeText {
 public:
  explicit TableText(std::vector<std::vector<float>> rows) : rows_(std::move(rows)) {}
  Logits Append(TokenId token) override {
    appended.push_back(token);
    if (appended.size() > rows_.size()) return std::nullopt;
    return rows_[appended.size() - 1];
  }
  Logits Rewrite(size_t /*kept*/, std::span<const TokenId> /*tokens*/) override {
    return std::nullopt;
  }
  std::vector<TokenId> appended;

 private:
  std::vector<std::vector<float>> rows_;
};

TEST(Likelihood, IsTheLogarithmOfTheSoftmax) {
  const std::vector<float> logits{0.5F, -1.0F, 2.0F, 0.0F};
  for (uint32_t id = 0; id < logits.size(); ++id) {
    double sum = 0;
    for (const float logit : logits) sum += std::exp(double{logit});
    EXPECT_NEAR(NatsOf(logits, TokenId{id}), -std::log(std::exp(double{logits[id]}) / sum), 1e-6);
  }
}

TEST(Likelihood, NeitherOverflowsNorVanishes) {
  const std::vector<float> logits{3000.0F, 3000.0F, -3000.0F};
  EXPECT_NEAR(NatsOf(logits, TokenId{0}), std::log(2.0), 1e-6);
  EXPECT_NEAR(NatsOf(logits, TokenId{2}), 6000 + std::log(2.0), 1e-6);
}

TEST(Likelihood, OfATextIsTheSumOfItsTokens) {
  const std::vector<float> first{0, 0}, second{0, 0, 0, 0};
  TableText text({second, first});
  const auto nats = NatsOf(TokensOf({1, 3, 0}), first, text);
  ASSERT_TRUE(nats);
  EXPECT_NEAR(*nats, std::log(2.0) + std::log(4.0) + std::log(2.0), 1e-6);
  EXPECT_EQ(text.appended, TokensOf({1, 3})) << "nothing follows the last one";
}

TEST(Likelihood, HasNoNumberWhereTheContextIsFull) {
  TableText text({{0, 0}});
  EXPECT_FALSE(NatsOf(TokensOf({1, 0, 1}), std::vector<float>{0, 0}, text));
  TableText empty({});
  EXPECT_EQ(NatsOf({}, std::vector<float>{0, 0}, empty), 0);
}

TEST(Likelihood, AtAWordIsThatAmongTheTokensWhichGoOnWithIt) {
  const TinyEngine engine("start: /[a-z]+/\n");
  std::vector<float> logits(engine.tokenizer().size(), 0.0F);
  // Of all tokens `t`, `th` and `the` alone begin with `t` or go on with it.
  logits[engine.Token("the").value] = std::log(2.0F);
  EXPECT_NEAR(NatsOf(logits, engine.Token("the"), engine.tokenizer(), "t"), std::log(2.0), 1e-6);
  EXPECT_NEAR(NatsOf(logits, engine.Token("t"), engine.tokenizer(), "t"), std::log(4.0), 1e-6);
  EXPECT_EQ(NatsOf(logits, engine.Token("the"), engine.tokenizer(), ""),
            NatsOf(logits, engine.Token("the")));
}

}  // namespace
}  // namespace tenon::server
