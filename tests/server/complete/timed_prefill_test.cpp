// Prompts of 200 tokens against a model that takes 1 ms a token.
#include "server/complete/timed_prefill.h"

#include <numeric>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using model::TokenId;
using std::chrono::milliseconds;

class TimedPrefillTest : public testing::Test {
 protected:
  TimedPrefillTest() : prompt_(200) { std::iota(prompt_.begin(), prompt_.end(), 0); }

  PrefillOutcome Read(std::optional<milliseconds> time) {
    const auto begun = time_;
    const auto read = [this](std::span<const TokenId> beginning)
        -> tl::expected<std::span<const float>, model::ModelError> {
      EXPECT_TRUE(std::equal(beginning.begin(), beginning.end(), prompt_.begin()));
      if (fails_) return tl::unexpected(model::ModelError{model::ModelErrorCode::kFormat, "bad"});
      time_ += milliseconds(beginning.size() - held_);
      held_ = beginning.size();
      ++chunks_;
      return logits_;
    };
    PrefillOutcome outcome =
        PrefillWithin(prompt_, held_, read, Deadline(time, [this] { return time_; }));
    took_ = time_ - begun;
    return outcome;
  }

  std::vector<TokenId> prompt_;
  std::vector<float> logits_{1, 2, 3};
  size_t held_ = 0;
  int chunks_ = 0;
  bool fails_ = false;
  std::chrono::steady_clock::time_point time_;
  std::chrono::steady_clock::duration took_{};
};

TEST_F(TimedPrefillTest, ReadsAllAtOnceWithoutADeadline) {
  const PrefillOutcome outcome = Read(std::nullopt);
  ASSERT_TRUE(std::holds_alternative<std::span<const float>>(outcome));
  EXPECT_EQ(std::get<std::span<const float>>(outcome).size(), 3u);
  EXPECT_EQ(chunks_, 1);
}

TEST_F(TimedPrefillTest, StopsBetweenTwoChunksAndGoesOnFromThere) {
  held_ = 40;
  const PrefillOutcome first = Read(milliseconds(100));
  const auto* unread = std::get_if<UnreadPrompt>(&first);
  ASSERT_NE(unread, nullptr);
  EXPECT_EQ(unread->read_tokens, 168u);
  EXPECT_EQ(unread->prompt_tokens, 200u);
  const PrefillOutcome second = Read(milliseconds(100));
  EXPECT_TRUE(std::holds_alternative<std::span<const float>>(second));
  EXPECT_EQ(took_, milliseconds(32));
}

TEST_F(TimedPrefillTest, TakesNoMoreThanItsTimeAndAChunk) {
  for (int ms = 0; ms <= 220; ++ms) {
    held_ = 0;
    (void)Read(milliseconds(ms));
    EXPECT_LE(took_, milliseconds(ms + static_cast<int>(kPrefillChunkTokens)));
  }
}

TEST_F(TimedPrefillTest, FinishesAnyPromptInTheEndHoweverLittleTimeItGets) {
  int calls = 1;
  while (!std::holds_alternative<std::span<const float>>(Read(milliseconds(0)))) ++calls;
  EXPECT_EQ(calls, 4);
}

TEST_F(TimedPrefillTest, GivesTheLogitsOfAPromptThatIsHeld) {
  held_ = 200;
  EXPECT_TRUE(std::holds_alternative<std::span<const float>>(Read(milliseconds(0))));
  EXPECT_EQ(took_, milliseconds(0));
}

TEST_F(TimedPrefillTest, HandsOnTheModelsError) {
  fails_ = true;
  const PrefillOutcome outcome = Read(milliseconds(10));
  ASSERT_TRUE(std::holds_alternative<model::ModelError>(outcome));
  EXPECT_EQ(std::get<model::ModelError>(outcome).message, "bad");
}

}  // namespace
}  // namespace tenon::server
