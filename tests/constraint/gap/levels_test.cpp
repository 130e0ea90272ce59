// Levels of a gap: what is given may be newer than what is written, and neither becomes newer by
// the other. The oracle tries every middle, at every level, and checks whole texts.
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/closing/closing.h"
#include "constraint/gap/gap_cache.h"
#include "constraint/gap/gap.h"
#include "constraint/gap/shared_gap.h"
#include "constraint/language/language.h"
#include "constraint/mask/mask.h"
#include "constraint/reading/reading.h"
#include "tests/constraint/mask_questions.h"
#include "tests/constraint/version_language.h"

namespace tenon::constraint {
namespace {

constexpr std::string_view kSigns = "amn[](),*:; ";

std::shared_ptr<const Language> Compiled(const std::string& text) {
  auto compiled = Language::Compile(text, "levels.lark");
  EXPECT_TRUE(compiled) << (compiled ? "" : compiled.error().ToString());
  return compiled ? *compiled : nullptr;
}

PredicateBits LevelOf(const GapState& state) { return state.shared()->policy().levels; }

// Some text from `middle` on closes the gap at the levels, within so many more signs; none of those
// that newer forms are told by, because what a middle owes R is judged without predicates.
bool Closes(const Language& language, const std::string& left, std::string& middle,
            const std::string& right, PredicateBits levels, int more) {
  if (Check(language, left + middle + right, Strength::kEmit, levels).valid) return true;
  for (const char sign : std::string_view(more > 0 ? "a[](),:; " : "")) {
    middle += sign;
    const bool closes = Closes(language, left, middle, right, levels, more - 1);
    middle.pop_back();
    if (closes) return true;
  }
  return false;
}

std::string RandomText(std::mt19937& random) {
  constexpr std::string_view kPieces[] = {"a", "a", "m", "n", "[", "]", "[*", "(",
                                          ")", ",", "*", ":", ";", ";", " "};
  std::string text;
  for (size_t n = random() % 6; n > 0; --n) text += kPieces[random() % std::size(kPieces)];
  return text;
}

// What is left and right of a piece cut out of statements, or next to it.
std::pair<std::string, std::string> RandomGap(std::mt19937& random) {
  constexpr std::string_view kStatements[] = {
      "a;",    "m;",      "[*a];",  "[*a, m];", "(a, *m);", "m[a];",          "m(a);",
      "n[n];", "m a: a;", "a[*a];", "n a;",     "m[*a];",   "m m: m n: [*m];"};
  std::string text;
  for (size_t n = 1 + random() % 3; n > 0; --n)
    text += kStatements[random() % std::size(kStatements)];
  const size_t at = random() % (text.size() + 1);
  return {text.substr(0, at), text.substr(std::min(text.size(), at + random() % 5))};
}

TEST(GapLevels, TheLeastThatSomethingClosesTheGapWithIsTheGaps) {
  auto language = Compiled(kVersions);
  const Grammar& grammar = language->grammar;
  const PredicateBits ascending[] = {0, grammar.LevelsUpTo("since_2").value(),
                                     grammar.LevelsUpTo("since_3").value()};
  std::mt19937 random(20261122);
  size_t viable = 0, raised = 0, members = 0;
  for (int i = 0; i < 2000 && !testing::Test::HasFailure(); ++i) {
    const auto [left, right] = RandomGap(random);
    const size_t least = random() % 4 == 0 ? 1 : 0;  // the setting
    GapPolicy policy;
    policy.levels = ascending[least];
    const GapState state = OpenGap(language, left, right, policy);
    std::string middle;
    size_t level = least;
    while (level < std::size(ascending) &&
           !Closes(*language, left, middle, right, ascending[level], 2))
      ++level;
    SCOPED_TRACE(left + " | " + right);
    if (level < std::size(ascending)) {
      ASSERT_TRUE(state.viable());
      ASSERT_EQ(LevelOf(state) & ~ascending[level], 0u)
          << "the oracle found something at a lower level";
    }
    if (!state.viable()) continue;
    const auto closing = FindClosing(state);
    ASSERT_TRUE(closing);
    ASSERT_TRUE(
        Check(*language, left + closing->text + right, Strength::kEmit, LevelOf(state)).valid)
        << closing->text;
    ++viable;
    raised += LevelOf(state) != policy.levels;
    for (int m = 0; m < 30; ++m) {
      std::string tried = RandomText(random);
      GapState at = state;
      const bool member = at.Accept(tried) && at.Member();
      ASSERT_EQ(member,
                Check(*language, left + tried + right, Strength::kEmit, LevelOf(state)).valid)
          << tried;
      members += member;
    }
  }
  std::cout << "[ compared ] " << viable << " gaps, " << raised << " of them at a raised level, "
            << members << " members\n";
  EXPECT_GT(viable, 500u);
  EXPECT_GT(raised, 100u);
  EXPECT_GT(members, 500u);
}

TEST(GapLevels, GivenTextBecomesNothingNewer) {
  auto language = Compiled(kVersions);
  const auto fits = [&](const std::string& left, const std::string& middle,
                        const std::string& right) {
    GapState state = OpenGap(language, left, right, {});
    return state.Accept(middle) && state.Member();
  };
  EXPECT_TRUE(fits("", "", "[*a];"));
  EXPECT_FALSE(fits("", "a", "[*a];")) << "a list became a subscript";
  EXPECT_TRUE(fits("", "a;", "[*a];"));
  EXPECT_TRUE(fits("a[*a];", "a", "[*a];")) << "L is newer";
  EXPECT_TRUE(fits("", "a", "[*a]; a[*a];")) << "R is newer";
  EXPECT_FALSE(fits("", "n a;", "[*a]; a[*a];")) << "R is not so new";
  EXPECT_TRUE(fits("m", " a", ": a;")) << "nothing older closes it";
  EXPECT_TRUE(fits("m", "", ";"));
}

TEST(GapLevels, MasksAreWhatTryingEveryTokenSays) {
  auto language = Compiled(kVersions);
  std::mt19937 random(20261122);
  auto store = MaskStore::Build(language, std::make_shared<const TokenVocabulary>(SmallVocabulary(
                                              std::string(kSigns), 2, 300, random)));
  MaskTally tally;
  for (int i = 0; i < 300 && !testing::Test::HasFailure(); ++i) {
    const auto [left, right] = RandomGap(random);
    FollowMasks(store, language, left, right, 4, random, tally);
  }
  std::cout << "[ compared ] " << tally.masks << " masks, " << tally.allowed << " tokens allowed\n";
  EXPECT_GT(tally.masks, 400u);
}

// Typing before a newer right context finds out anew what nothing has changed of.
TEST(GapLevels, AreFoundAnewAtEachKeystroke) {
  auto language = Compiled(kVersions);
  GapCache cache(language);
  const std::string right = "[*a];";
  const auto level = [&](const std::string& left) {
    return LevelOf(*cache.Open(left, right, {}, {}));
  };
  const PredicateBits second = language->grammar.LevelsUpTo("since_2").value();
  EXPECT_EQ(level(""), 0u);
  EXPECT_EQ(level("a"), 0u);
  EXPECT_EQ(level("a[*a]; "), second);
  EXPECT_EQ(level("a; "), 0u);
  EXPECT_EQ(level("m a: "), second);
  EXPECT_EQ(level("n a; "), language->grammar.LevelsUpTo("since_3").value());
  EXPECT_EQ(level("n "), 0u) << "a name that something may follow";
}

}  // namespace
}  // namespace tenon::constraint
