#include "server/scheduling/typing_rhythm.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

TypingRhythm::Time At(int ms) { return TypingRhythm::Time(milliseconds(ms)); }

// Eleven keys, the last one at 10 * between_ms.
TypingRhythm Typing(int between_ms, int answer_ms) {
  TypingRhythm rhythm;
  for (int key = 0; key <= 10; ++key) rhythm.OnKey(At(key * between_ms));
  rhythm.OnAnswer(milliseconds(answer_ms));
  return rhythm;
}

TEST(TypingRhythm, AQuestionWaitsForTheNextKeyWhereAnswersTakeLonger) {
  const TypingRhythm rhythm = Typing(100, 400);
  EXPECT_EQ(rhythm.Wait(At(1000)), milliseconds(125));
  EXPECT_EQ(rhythm.Wait(At(1010)), milliseconds(115));
  EXPECT_EQ(rhythm.Wait(At(1200)), milliseconds(0)) << "a pause";
}

TEST(TypingRhythm, NothingWaitsWhereAnswersComeBetweenKeys) {
  EXPECT_EQ(Typing(100, 50).Wait(At(1000)), milliseconds(0));
}

TEST(TypingRhythm, NothingWaitsWhereLittleIsKnown) {
  TypingRhythm rhythm;
  EXPECT_EQ(rhythm.Wait(At(0)), milliseconds(0));
  rhythm.OnAnswer(milliseconds(400));
  for (int key = 0; key < 5; ++key) rhythm.OnKey(At(key * 100));
  EXPECT_EQ(rhythm.Wait(At(400)), milliseconds(0)) << "four times between five keys";
  rhythm.OnKey(At(500));
  EXPECT_EQ(rhythm.Wait(At(500)), milliseconds(125));
}

TEST(TypingRhythm, PausesAndSingleSlowAnswersDoNotChangeIt) {
  TypingRhythm rhythm = Typing(100, 50);
  rhythm.OnAnswer(milliseconds(50));
  rhythm.OnAnswer(milliseconds(9000));
  rhythm.OnKey(At(60'000));
  EXPECT_EQ(rhythm.Wait(At(60'000)), milliseconds(0));
  for (int i = 0; i < 10; ++i) rhythm.OnAnswer(milliseconds(400));
  EXPECT_EQ(rhythm.Wait(At(60'000)), milliseconds(125));
}

TEST(TypingRhythm, NothingWaitsWhereTheNextKeyWouldComeLater) {
  EXPECT_EQ(Typing(900, 2000).Wait(At(9000)), milliseconds(0));
  EXPECT_EQ(Typing(160, 2000).Wait(At(1600)), milliseconds(0));
  EXPECT_EQ(Typing(160, 2000).Wait(At(1650)), TypingRhythm::kMaxWait);
}

TEST(TypingRhythm, ItFollowsTheWriter) {
  TypingRhythm rhythm = Typing(80, 400);
  for (int key = 1; key <= 20; ++key) rhythm.OnKey(At(800 + key * 500));
  EXPECT_EQ(rhythm.Wait(At(800 + 20 * 500)), milliseconds(0)) << "slower than the answers now";
}

}  // namespace
}  // namespace tenon::server
