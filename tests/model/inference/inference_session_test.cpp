#include "model/inference/inference_session.h"

#include <gtest/gtest.h>

#include <limits>
#include <thread>

#include "model/kernels/kernels.h"
#include "tests/model/inference/loaded_model.h"

namespace tenon::model {
namespace {

std::vector<TokenId> TextOf(const InferenceSession& session) {
  return {session.tokens().begin(), session.tokens().end()};
}

TEST(InferenceSession, StretchesOfEveryLengthGiveTheSameLogits) {
  const auto model = Tiny();
  const auto tokens = SomeTokens(540);
  const auto whole = model->NewSession();
  const std::vector<float> reference = Copy(*whole->Prefill(tokens, {}));
  for (const size_t first : {1, 2, 3, 8, 9, 31, 200, 255, 256, 257, 539}) {
    const auto session = model->NewSession();
    ASSERT_TRUE(session->Prefill(std::span(tokens).first(first), {}).has_value());
    const auto logits = session->Prefill(tokens, {});
    ASSERT_TRUE(logits.has_value());
    EXPECT_EQ(session->last_prefill_tokens(), static_cast<int>(tokens.size() - first));
    ExpectNear(*logits, reference, 1e-4f);
  }
}

// Bit by bit, but for long stretches where the processor multiplies those in bfloat16.
TEST(InferenceSession, BesideBlocksStretchesOfEveryLengthGiveTheSameLogits) {
  const auto model = Load(TinyModel({.in_blocks = true}), {2, Precision::kBlocks});
  const auto tokens = SomeTokens(300);
  const auto in_steps_of = [&](size_t step) {
    const auto session = model->NewSession();
    for (size_t end = step; end < tokens.size(); end += step)
      EXPECT_TRUE(session->Prefill(std::span(tokens).first(end)).has_value());
    return Copy(*session->Prefill(tokens));
  };
  const std::vector<float> reference = in_steps_of(1);
  for (const size_t step : {7, 8, 9, 32}) EXPECT_EQ(in_steps_of(step), reference) << step;
  const bool rounds_otherwise = BlockMatmul().FormFor(64) != ActivationForm::kBytes;
  for (const size_t step : {64, 150, 300})
    ExpectNear(in_steps_of(step), reference, rounds_otherwise ? 0.2f : 0);
}

TEST(InferenceSession, DecodeGivesWhatPrefillGives) {
  const auto model = Tiny();
  const auto tokens = SomeTokens(40);
  const auto one_by_one = model->NewSession(), at_once = model->NewSession();
  for (size_t n = 1; n <= tokens.size(); ++n) {
    const auto decoded = one_by_one->Decode(tokens[n - 1]);
    at_once->Truncate(0);
    const auto prefilled = at_once->Prefill(std::span(tokens).first(n), {});
    ASSERT_TRUE(decoded.has_value() && prefilled.has_value());
    ExpectNear(*decoded, *prefilled, 1e-4f);
  }
  EXPECT_EQ(TextOf(*one_by_one), tokens);
}

TEST(InferenceSession, SomeTokensAtOnceGiveTheLogitsOfEach) {
  for (const bool in_blocks : {false, true}) {
    const auto model = Load(TinyModel({.in_blocks = in_blocks}),
                            {2, in_blocks ? Precision::kBlocks : Precision::kFloat32});
    const auto tokens = SomeTokens(40);
    const auto at_once = model->NewSession(), one_by_one = model->NewSession();
    ASSERT_TRUE(at_once->Prefill(std::span(tokens).first(32), {}).has_value());
    ASSERT_TRUE(one_by_one->Prefill(std::span(tokens).first(32), {}).has_value());
    for (size_t i = 32; i < 40; ++i) {
      const auto draft = std::span(tokens).subspan(33, i == 32 ? 7 : 0);
      ExpectNear(*at_once->Decode(tokens[i], draft), *one_by_one->Decode(tokens[i]),
                 in_blocks ? 0 : 1e-4f);
      EXPECT_EQ(TextOf(*at_once), std::vector(tokens.begin(), tokens.begin() + i + 1));
    }
    EXPECT_EQ(one_by_one->passes() - at_once->passes(), 7);
  }
}

TEST(InferenceSession, ThreadsDoNotChangeTheLogits) {
  const auto tokens = SomeTokens(100);
  const auto reference_session = Tiny(1)->NewSession();
  const std::vector<float> reference = Copy(*reference_session->Prefill(tokens, {}));
  for (const int threads : {2, 3, 7}) {
    const auto session = Tiny(threads)->NewSession();
    ExpectNear(*session->Prefill(tokens, {}), reference, 1e-4f);
  }
}

TEST(InferenceSession, AChangedPromptReusesWhatIsCommon) {
  const auto model = Tiny();
  const auto session = model->NewSession(), fresh = model->NewSession();
  auto tokens = SomeTokens(60);
  ASSERT_TRUE(session->Prefill(tokens, {}).has_value());
  tokens[50] = TokenId{5};
  tokens.resize(55);
  const auto changed = session->Prefill(tokens, {});
  EXPECT_EQ(session->last_prefill_tokens(), 5);
  ExpectNear(*changed, *fresh->Prefill(tokens, {}), 1e-4f);
  // The same again: nothing to do. A part of it: only its last token.
  const std::vector<float> before = Copy(*changed);
  ExpectNear(*session->Prefill(tokens, {}), before, 0);
  EXPECT_EQ(session->last_prefill_tokens(), 0);
  ASSERT_TRUE(session->Prefill(std::span(tokens).first(20), {}).has_value());
  EXPECT_EQ(session->last_prefill_tokens(), 1);
  EXPECT_EQ(session->tokens().size(), 20u);
}

// As a user who types along what the model wrote, and then something else.
TEST(InferenceSession, ATextThatIsWrittenASecondTimeCostsNothing) {
  const auto model = Tiny();
  const auto session = model->NewSession(), fresh = model->NewSession();
  auto typed = SomeTokens(50);
  const auto written = SomeTokens(10, 5);
  ASSERT_TRUE(session->Prefill(typed));
  for (const TokenId token : written) ASSERT_TRUE(session->Decode(token));
  int passes = session->passes();
  for (size_t i = 0; i < 4; ++i) {
    ExpectNear(*session->Prefill(typed), *fresh->Prefill(typed), 1e-4f);
    auto text = typed;
    for (size_t k = i; k < written.size(); ++k) {
      text.push_back(written[k]);
      ExpectNear(*session->Decode(written[k]), *fresh->Prefill(text), 1e-4f);
      EXPECT_EQ(TextOf(*session), text);
    }
    typed.push_back(written[i]);
  }
  EXPECT_EQ(session->passes(), passes);
  typed.push_back({200});
  ExpectNear(*session->Prefill(typed), *fresh->Prefill(typed), 1e-4f);
  EXPECT_EQ(session->passes(), ++passes);
  // The tokens ahead are forgotten, the same ones too.
  typed.push_back(written[5]);
  ExpectNear(*session->Decode(written[5]), *fresh->Prefill(typed), 1e-4f);
  EXPECT_EQ(session->passes(), ++passes);
}

// A prompt may have a draft, too; whatever its length, the last token is computed with it.
TEST(InferenceSession, ADraftOfAPromptLiesAhead) {
  const auto model = Tiny();
  const auto fresh = model->NewSession();
  const auto draft = SomeTokens(2, 5);
  for (const size_t size : {1, 7, 8, 9, 16, 17, 18, 300}) {
    for (const bool stoppable : {false, true}) {
      const auto session = model->NewSession();
      auto text = SomeTokens(size);
      const auto stop = stoppable ? InferenceSession::StopCheck([] { return false; }) : nullptr;
      ExpectNear(*session->Prefill(text, stop, draft), *fresh->Prefill(text), 1e-4f);
      EXPECT_EQ(TextOf(*session), text);
      const int passes = session->passes();
      EXPECT_FALSE(session->LiesAhead(draft[1]));
      for (const TokenId token : draft) {
        text.push_back(token);
        EXPECT_TRUE(session->LiesAhead(token)) << size;
        ExpectNear(*session->Decode(token), *fresh->Prefill(text), 1e-4f);
      }
      EXPECT_EQ(session->passes(), passes);
    }
  }
}

TEST(InferenceSession, KeepsTheLogitsAfterTheLastTokens) {
  const auto session = Tiny()->NewSession();
  ASSERT_TRUE(session->Prefill(SomeTokens(1)));
  for (size_t i = 0; i < InferenceSession::kMaxKeptLogits + 10; ++i)
    ASSERT_TRUE(session->Decode(TokenId{7}));
  const std::vector<TokenId> text = TextOf(*session);
  const size_t oldest = text.size() - InferenceSession::kMaxKeptLogits + 1;
  const int passes = session->passes();
  ASSERT_TRUE(session->Prefill(std::span(text).first(oldest)));
  EXPECT_EQ(session->passes(), passes);
  ASSERT_TRUE(session->Prefill(std::span(text).first(oldest - 1)));
  EXPECT_EQ(session->passes(), passes + 1);
}

TEST(InferenceSession, TheSamePromptHasTheSameLogitsTheSecondTime) {
  for (const bool in_blocks : {false, true}) {
    const auto model = Load(TinyModel({.in_blocks = in_blocks}),
                            {2, in_blocks ? Precision::kBlocks : Precision::kFloat32});
    const auto session = model->NewSession();
    const auto tokens = SomeTokens(300);
    const std::vector<float> first = Copy(*session->Prefill(tokens, {}));
    ASSERT_TRUE(session->Decode(TokenId{5}).has_value());
    ASSERT_TRUE(session->Prefill(SomeTokens(20, 7), {}).has_value());
    EXPECT_EQ(Copy(*session->Prefill(tokens, {})), first);
    EXPECT_EQ(session->last_prefill_tokens(), 1);
  }
  // So the last token is computed alone, behind stretches of any length.
  const auto session = Tiny()->NewSession();
  ASSERT_TRUE(session->Prefill(SomeTokens(20), [] { return false; }).has_value());
  EXPECT_EQ(session->passes(), 3) << "16, 3 and 1 tokens";
}

TEST(InferenceSession, ComesBackToEarlierTexts) {
  const auto model = Tiny();
  const auto session = model->NewSession(), fresh = model->NewSession();
  const auto first = SomeTokens(60), second = SomeTokens(50, 7);
  ASSERT_TRUE(session->Prefill(first, {}).has_value());
  ASSERT_TRUE(session->Prefill(second, {}).has_value());
  EXPECT_EQ(session->last_prefill_tokens(), 50);
  auto longer = first;
  longer.push_back({9});
  EXPECT_EQ(session->Held(longer), 60u);
  const auto logits = session->Prefill(longer, {});
  EXPECT_EQ(session->last_prefill_tokens(), 1);
  EXPECT_EQ(TextOf(*session), longer);
  ExpectNear(*logits, *fresh->Prefill(longer, {}), 1e-4f);
  // The logits are those of the text that was computed last: not of this one.
  ExpectNear(*session->Prefill(second, {}), *fresh->Prefill(second, {}), 1e-4f);
  EXPECT_EQ(session->last_prefill_tokens(), 1);
}

TEST(InferenceSession, ATextThatSharesItsBeginningLeavesTheOtherAlone) {
  const auto model = Tiny();
  const auto session = model->NewSession(), fresh = model->NewSession();
  const auto first = SomeTokens(100);
  auto second = first;
  second.resize(30);
  for (const TokenId token : SomeTokens(40, 3)) second.push_back(token);
  ASSERT_TRUE(session->Prefill(first, {}).has_value());
  const auto logits = session->Prefill(second, {});
  EXPECT_EQ(session->last_prefill_tokens(), 40);
  ExpectNear(*logits, *fresh->Prefill(second, {}), 1e-4f);
  ExpectNear(*session->Prefill(first, {}), *fresh->Prefill(first, {}), 1e-4f);
  EXPECT_EQ(session->last_prefill_tokens(), 1);
}

TEST(InferenceSession, TheTextThatWasUsedLongestAgoIsForgotten) {
  const auto session = Tiny()->NewSession();
  const auto text = [](uint32_t id) { return std::vector<TokenId>(20, TokenId{id}); };
  for (uint32_t i = 0; i < InferenceSession::kMaxTexts; ++i)
    ASSERT_TRUE(session->Prefill(text(i), {}).has_value());
  // All are there; this one is used again.
  ASSERT_TRUE(session->Prefill(text(0), {}).has_value());
  EXPECT_EQ(session->last_prefill_tokens(), 1);
  ASSERT_TRUE(session->Prefill(text(100), {}).has_value());
  ASSERT_TRUE(session->Prefill(text(0), {}).has_value());
  EXPECT_EQ(session->last_prefill_tokens(), 1);
  ASSERT_TRUE(session->Prefill(text(1), {}).has_value());
  EXPECT_EQ(session->last_prefill_tokens(), 20);
}

TEST(InferenceSession, TruncateForgets) {
  const auto model = Tiny();
  const auto session = model->NewSession();
  const auto tokens = SomeTokens(30);
  const std::vector<float> reference = Copy(*session->Prefill(tokens, {}));
  ASSERT_TRUE(session->Decode(TokenId{3}).has_value());
  session->Truncate(29);
  ExpectNear(*session->Decode(tokens[29]), reference, 1e-4f);
}

TEST(InferenceSession, MoreThanItHoldsIsRefused) {
  const auto session = Tiny()->NewSession(10);
  EXPECT_EQ(session->Prefill(SomeTokens(11), {}).error().code, ModelErrorCode::kTooLong);
  ASSERT_TRUE(session->Prefill(SomeTokens(10), {}).has_value());
  EXPECT_EQ(session->Decode(TokenId{1}).error().code, ModelErrorCode::kTooLong);
  EXPECT_EQ(session->tokens().size(), 10u);
}

TEST(InferenceSession, ATokenOutsideTheVocabularyIsRefused) {
  const auto session = Tiny()->NewSession();
  for (const uint32_t id : {100000u, std::numeric_limits<uint32_t>::max()})
    EXPECT_EQ(session->Decode(TokenId{id}).error().code, ModelErrorCode::kFormat);
  EXPECT_TRUE(session->tokens().empty());
}

TEST(InferenceSession, APrefillThatIsStoppedKeepsWhatItComputedAndCanGoOn) {
  const auto model = Tiny();
  const auto session = model->NewSession(), fresh = model->NewSession();
  const auto tokens = SomeTokens(300);
  ASSERT_TRUE(session->Prefill(std::span(tokens).first(10), {}).has_value());
  size_t before = 10;
  int calls = 0;
  while (true) {
    const auto logits = session->Prefill(tokens, [] { return true; });
    ++calls;
    if (logits) break;
    ASSERT_EQ(logits.error().code, ModelErrorCode::kCancelled);
    ASSERT_GT(session->tokens().size(), before);
    before = session->tokens().size();
  }
  EXPECT_GT(calls, 1);
  ExpectNear(*session->Prefill(tokens), *fresh->Prefill(tokens), 1e-4f);
}

TEST(InferenceSession, TwoSessionsOfAModelRunAtOnce) {
  const auto model = Tiny();
  const auto tokens = SomeTokens(200);
  const auto reference_session = model->NewSession();
  const std::vector<float> reference = Copy(*reference_session->Prefill(tokens, {}));
  std::vector<std::thread> threads;
  for (int i = 0; i < 3; ++i) {
    threads.emplace_back([&] {
      for (int round = 0; round < 5; ++round) {
        const auto session = model->NewSession();
        ExpectNear(*session->Prefill(tokens, {}), reference, 1e-4f);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(InferenceSession, BFloat16StaysCloseToFloat32WhereTheProcessorHasIt) {
  const auto model = Load(TinyModel(), {2, Precision::kAuto});
  const auto exact = Tiny();
  const auto session = model->NewSession(), exact_session = exact->NewSession();
  ExpectNear(*session->Prefill(SomeTokens(100), {}), *exact_session->Prefill(SomeTokens(100), {}),
             0.3f);
}

}  // namespace
}  // namespace tenon::model
