// Budgets as a user of the library meets them: what is certain, what is refused, forks.
#include "tenon/budget.h"

#include <random>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "tests/constraint/library/test_languages.h"

namespace tenon {
namespace {

TEST(PublicBudget, AnswersAsItsHeaderSays) {
  const Language calls =
      Compiled("start: NAME \"=\" call\ncall: NAME [\"(\" [call] \")\"]\nNAME: /[a-z]/\n");
  Budget budget(Gap::Open(calls, "x=f(", ""), 4);
  ASSERT_TRUE(budget.feasible());
  EXPECT_EQ(budget.needs(), 1u);
  EXPECT_TRUE(budget.Accept("g"));
  EXPECT_TRUE(budget.Accept("("));
  EXPECT_FALSE(budget.Accept("h"));
  EXPECT_EQ(budget.drawn(), 2u);
  EXPECT_EQ(budget.left(), 2u);
  EXPECT_EQ(budget.gap().middle(), "g(");
  ASSERT_TRUE(budget.ClosingBytes());  // an estimate of the two brackets
  EXPECT_GE(*budget.ClosingBytes(), 2u);
  EXPECT_LE(*budget.ClosingBytes(), 5u);
  Gap ahead = budget.gap();
  ASSERT_TRUE(ahead.Accept("h))"));
  EXPECT_EQ(budget.ClosingBytes(ahead), 0u);
  const Budget::Finished end = budget.Finish();
  EXPECT_EQ(end.middle, "g())");
  EXPECT_EQ(end.tokens, 4u);
  EXPECT_EQ(end.dropped, 0u);
  EXPECT_TRUE(end.closed);
}

TEST(PublicBudget, EndsWithoutATextThatMovesWordsOfTheRight) {
  Budget budget(Gap::Open(Compiled(kLoops), "loop { a; ", " break; }"), 40);
  ASSERT_TRUE(budget.Accept("} function {"));
  EXPECT_FALSE(budget.gap().Member());
  const Budget::Finished end = budget.Finish();
  EXPECT_TRUE(end.closed);
  EXPECT_EQ(end.middle, "");
  EXPECT_EQ(end.dropped, 1u);
}

TEST(PublicBudget, TooSmallABudgetAllowsNothing) {
  Budget budget(Gap::Open(Compiled(kLists), "[[[", ""), 2);
  EXPECT_FALSE(budget.feasible());
  EXPECT_EQ(budget.needs(), 3u);
  EXPECT_FALSE(budget.Check("]"));
  EXPECT_FALSE(budget.Accept("]"));
  EXPECT_TRUE(budget.Change(3));
  EXPECT_EQ(budget.tokens(), 3u);
  EXPECT_TRUE(budget.feasible());
  EXPECT_TRUE(budget.Check("]"));
  EXPECT_FALSE(budget.Check("1"));
}

TEST(PublicBudget, AGapThatIsNotViableNeedsNoNumber) {
  const Budget budget(Gap::Open(Compiled(kLists), "[,", ""), 100);
  EXPECT_FALSE(budget.feasible());
  EXPECT_EQ(budget.needs(), std::nullopt);
}

TEST(PublicBudget, EveryWalkEndsWithin) {
  const Language lists = Compiled(kLists);
  std::mt19937 random(20240611);
  for (int round = 0; round < 200; ++round) {
    const auto tokens = static_cast<uint32_t>(random() % 8 + 1);
    Budget budget(Gap::Open(lists, "[[1", "]"), tokens);
    if (!budget.feasible()) continue;
    for (size_t tries = random() % 30; tries > 0; --tries)
      budget.Accept(std::string(1, "[],12"[random() % 5]));
    const Budget::Finished end = budget.Finish();
    EXPECT_LE(end.tokens, tokens);
    EXPECT_TRUE(lists.Check("[[1" + end.middle + "]").valid) << end.middle;
  }
}

TEST(PublicBudget, AnUnlimitedBudgetChecksTheGapAlone) {
  Budget budget(Gap::Open(Compiled(kLists), "[", "]"), kUnlimitedTokens);
  EXPECT_TRUE(budget.feasible());
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(budget.Accept("["));
  EXPECT_EQ(budget.Finish().middle, std::string(50, '['));
}

TEST(PublicBudget, ForcedTextMayTakeSeveralTokens) {
  Budget budget(Gap::Open(Compiled(kLists), "[", "]"), 5);
  EXPECT_TRUE(budget.Accept("1,2", 3));
  EXPECT_EQ(budget.drawn(), 3u);
  EXPECT_FALSE(budget.Accept(",3", 3));
  EXPECT_TRUE(budget.Accept(",3", 2));
}

TEST(PublicBudget, ACopyIsAFork) {
  Budget budget(Gap::Open(Compiled(kLists), "[", "]"), 6);
  Budget fork = budget;
  ASSERT_TRUE(fork.Accept("["));
  EXPECT_EQ(budget.drawn(), 0u);
  EXPECT_EQ(budget.gap().middle(), "");
  ASSERT_TRUE(budget.Accept("1"));
  EXPECT_EQ(fork.gap().middle(), "[");
  budget = fork;
  EXPECT_EQ(budget.gap().middle(), "[");
  const Budget moved = std::move(fork);
  EXPECT_EQ(moved.gap().middle(), "[");
  EXPECT_EQ(moved.Finish().middle, "[]");
}

}  // namespace
}  // namespace tenon
