#include "server/decode/drafted_text.h"

#include <algorithm>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "tests/model/inference/loaded_model.h"
#include "tests/token_ids.h"

namespace tenon::server {
namespace {

using model::Copy;
using model::ExpectNear;
using model::InferenceSession;

// A prompt of nine tokens, three times.
std::vector<TokenId> Repeating() {
  std::vector<TokenId> tokens;
  for (int i = 0; i < 3; ++i)
    for (const TokenId token : model::SomeTokens(9, 20)) tokens.push_back(token);
  return tokens;
}

class DraftedTextTest : public ::testing::Test {
 protected:
  DraftedTextTest() : model_(model::Tiny()) {
    for (auto& session : sessions_) {
      session = model_->NewSession(60);
      EXPECT_TRUE(session->Prefill(Repeating(), {}).has_value());
    }
  }
  DraftedText Drafting() { return {*sessions_[0], model_->tokenizer()}; }
  DraftedText Plain() { return {*sessions_[1], model_->tokenizer(), 0}; }

  std::shared_ptr<const model::LlamaModel> model_;
  std::unique_ptr<InferenceSession> sessions_[2];
};

TEST_F(DraftedTextTest, DraftsThatAreRightSavePasses) {
  DraftedText drafting = Drafting(), plain = Plain();
  for (const TokenId token : model::SomeTokens(9, 20)) {
    const auto a = drafting.Append(token), b = plain.Append(token);
    ASSERT_TRUE(a && b);
    ExpectNear(*a, *b, 1e-4f);
  }
  EXPECT_EQ(plain.passes(), 9);
  // The first token and a draft of seven, then the last one.
  EXPECT_EQ(drafting.passes(), 2);
}

TEST_F(DraftedTextTest, DraftsThatAreWrongAreForgotten) {
  DraftedText drafting = Drafting(), plain = Plain();
  std::vector<TokenId> tokens = model::SomeTokens(9, 20);
  tokens[2] = TokenId{200};  // The draft had another one.
  tokens[7] = TokenId{201};
  for (const TokenId token : tokens) {
    const auto a = drafting.Append(token), b = plain.Append(token);
    ASSERT_TRUE(a && b);
    ExpectNear(*a, *b, 1e-4f);
  }
  EXPECT_LT(drafting.passes(), plain.passes());
}

TEST_F(DraftedTextTest, GreedyTextsAreEqual) {
  const auto greedy = [](DraftedText text) {
    std::vector<TokenId> drawn = TokensOf({30});
    for (int i = 0; i < 25; ++i) {
      const auto logits = text.Append(drawn.back());
      EXPECT_TRUE(logits.has_value());
      const auto likeliest = std::max_element(logits->begin(), logits->end()) - logits->begin();
      drawn.push_back({static_cast<uint32_t>(likeliest)});
    }
    return drawn;
  };
  EXPECT_EQ(greedy(Drafting()), greedy(Plain()));
}

TEST_F(DraftedTextTest, OtherTextsSavePassesAndChangeNothing) {
  // Tokens that the prompt lacks, and the same ones in another text; then a token of its own.
  const std::vector<TokenId> written = TokensOf({61, 62, 63, 64, 65, 66, 67, 68, 69, 70});
  std::vector<TokenId> other = written;
  other[8] = TokenId{99};
  DraftedText drafting(*sessions_[0], model_->tokenizer(), InferenceSession::kMaxDecoded - 1,
                       {other});
  DraftedText plain = Plain();
  for (const TokenId token : written) {
    const auto a = drafting.Append(token), b = plain.Append(token);
    ASSERT_TRUE(a && b);
    ExpectNear(*a, *b, 1e-4f);
    EXPECT_EQ(std::max_element(a->begin(), a->end()) - a->begin(),
              std::max_element(b->begin(), b->end()) - b->begin());
  }
  EXPECT_EQ(plain.passes(), 10);
  EXPECT_LT(drafting.passes(), 8);
}

TEST_F(DraftedTextTest, ARewrittenTextForgetsItsDrafts) {
  DraftedText drafting = Drafting(), plain = Plain();
  const std::vector<TokenId> tokens = model::SomeTokens(9, 20), other = TokensOf({50, 51, 52});
  for (size_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(drafting.Append(tokens[i]));
    ASSERT_TRUE(plain.Append(tokens[i]));
  }
  ExpectNear(*drafting.Rewrite(2, other), *plain.Rewrite(2, other), 1e-4f);
  ExpectNear(*drafting.Append(tokens[5]), *plain.Append(tokens[5]), 1e-4f);
}

TEST_F(DraftedTextTest, DraftsLeaveRoomForTheText) {
  // 27 of 60 tokens are the prompt's.
  DraftedText drafting = Drafting();
  for (int i = 0; i < 33; ++i)
    ASSERT_TRUE(drafting.Append(model::SomeTokens(9, 20)[static_cast<size_t>(i % 9)])) << i;
  EXPECT_FALSE(drafting.Append(TokenId{1}));
}

}  // namespace
}  // namespace tenon::server
