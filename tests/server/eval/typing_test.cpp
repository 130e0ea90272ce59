#include "server/eval/typing.h"

#include <chrono>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "tests/server/fake_completer.h"

namespace tenon::server {
namespace {

// Typing with a completer that always offers "answer" (tests/server/fake_completer.h), and a clock
// that a question moves on by 2 ms.
class Typing : public testing::Test {
 protected:
  // The region is the text between the marks « and ».
  TypingCount Type(std::string text, ConstraintMode constraint = ConstraintMode::kBoth,
                   bool closes_ahead = false) {
    TypedRegion region;
    region.begin_bytes = text.find("«");
    text.erase(region.begin_bytes, std::string_view("«").size());
    region.end_bytes = text.find("»");
    text.erase(region.end_bytes, std::string_view("»").size());
    const Asker asker(completer_, terms_, [this] {
      time_ += std::chrono::milliseconds(2);
      return time_;
    });
    return TypeRegion(asker, {"a.py", "python", text}, region, constraint, {}, closes_ahead);
  }

  AskingTerms terms_;
  FakeCompleter completer_;
  std::chrono::steady_clock::time_point time_;
};

TEST_F(Typing, AcceptsARightLineWithOneKey) {
  const TypingCount count = Type("a = 1\n«x = answer»\nb = 2\n");
  EXPECT_EQ(count.characters, 10U);
  EXPECT_EQ(count.keys, 4U) << "`x = `";
  EXPECT_EQ(count.acceptances, 1U);
  EXPECT_EQ(count.ms, std::vector<double>(5, 2.0)) << "before the first key and after each";
  ASSERT_EQ(count.offers.size(), 5U);
  EXPECT_EQ(count.offers.back().typed_bytes, 4U);
  EXPECT_EQ(count.offers.back().text, "answer");
  EXPECT_EQ(count.answered, 5U);
  EXPECT_EQ(count.offered_characters, 30U);
  EXPECT_EQ(count.right_characters, 6U) << "the last offer alone";
  EXPECT_EQ(*completer_.last_request().text, "a = 1\nx = \nb = 2\n");
  EXPECT_EQ(completer_.last_request().offset_bytes, 10U);
}

TEST_F(Typing, InAWordAnOfferIsWithheldWhereTheModelIsNotSure) {
  const TypingCount sure = Type("UNSURE = 1\n«bc»\n");
  EXPECT_EQ(sure.answered, 2U);
  terms_.sureness = 0.5;
  const TypingCount count = Type("UNSURE = 1\n«bc»\n");
  EXPECT_EQ(count.ms.size(), 2U);
  EXPECT_EQ(count.answered, 1U) << "before the first key";
  EXPECT_EQ(count.offers.back().text, "");
}

// CUT: time cuts each answer short, and GoOn works until it is stopped.
TEST_F(Typing, TheModelGoesOnUntilTheNextKey) {
  terms_.time_budget = std::chrono::milliseconds(300);
  terms_.pause = std::chrono::milliseconds(20);
  const TypingCount count = Type("CUT = 1\n«x =»\n");
  EXPECT_EQ(count.ms, std::vector<double>(3, 2.0)) << "the pauses do not count";
  EXPECT_EQ(completer_.went_on(), 3);
  EXPECT_EQ(completer_.last_request().time_budget, std::chrono::milliseconds(300));
}

TEST_F(Typing, AQuestionWaitsForTheModelToStop) {
  terms_.time_budget = std::chrono::milliseconds(300);
  terms_.pause = std::chrono::milliseconds(1);
  // Three looks at the clock, 2 ms each, lie between an answer and the model's stop.
  const TypingCount count = Type("CUT = 1\n«x =»\n");
  EXPECT_EQ(count.ms, (std::vector<double>{2, 7, 7}));
  EXPECT_EQ(completer_.last_request().time_budget, std::chrono::milliseconds(295));
}

TEST_F(Typing, WithoutAPauseNothingGoesOn) {
  EXPECT_EQ(Type("CUT = 1\n«x =»\n").ms.size(), 3U);
  EXPECT_EQ(completer_.went_on(), 0);
}

TEST_F(Typing, EnterWritesTheBlanksOfTheNextLine) {
  const TypingCount count = Type("if x:\n    «answer\n\n    y»\nb\n");
  EXPECT_EQ(count.characters, 9U) << "6 letters, 2 line ends, 1 letter";
  EXPECT_EQ(count.acceptances, 1U);
  EXPECT_EQ(count.keys, 3U) << "Enter, Enter, y";
  EXPECT_EQ(count.ms.size(), 3U) << "none after the acceptance: at the beginning, after each Enter";
  EXPECT_EQ(*completer_.last_request().text, "if x:\n    answer\n\n    \nb\n");
}

TEST_F(Typing, ALineThatGoesOnIsNotAccepted) {
  const TypingCount count = Type("«answer1»");
  EXPECT_EQ(count.acceptances, 0U);
  EXPECT_EQ(count.keys, 7U);
  EXPECT_EQ(count.characters, 7U);
  EXPECT_EQ(count.right_characters, 6U) << "the first offer is right as far as it goes";
}

TEST_F(Typing, ALineIsAcceptedWithoutThatWhichFollowsIt) {
  // LINES: the offer is "answer(\n    1)".
  const TypingCount count = Type("# LINES\n«answer(\n    1)»\n");
  EXPECT_EQ(count.acceptances, 1U);
  EXPECT_EQ(count.keys, 3U) << "Enter, 1, )";
  EXPECT_EQ(count.characters, 10U);
  EXPECT_EQ(count.ms.size(), 3U);
  EXPECT_EQ(count.offered_characters, 3 * 14U);
  EXPECT_EQ(count.right_characters, 14U);
}

TEST_F(Typing, BlanksAtTheEndOfALineDoNotMatter) {
  const TypingCount count = Type("«answer  \r\nb»\r\n");
  EXPECT_EQ(count.acceptances, 1U);
  EXPECT_EQ(count.keys, 2U) << "Enter, b";
  EXPECT_EQ(count.characters, 10U) << "a line end of two bytes is one key";
}

TEST_F(Typing, WithoutOffersEveryCharacterIsAKey) {
  const TypingCount count = Type("# NOTHING\n«é = 1»\n");
  EXPECT_EQ(count.characters, 5U);
  EXPECT_EQ(count.keys, 5U);
  EXPECT_EQ(count.answered, 0U);
  EXPECT_EQ(count.offered_characters, 0U);
  EXPECT_EQ(count.ms.size(), 5U);
}

TEST_F(Typing, WhatTheEditorHasClosedIsTheRestOfTheLine) {
  const TypingCount count = Type("«f(answer)\n\ng(1)»\n", ConstraintMode::kBoth, true);
  EXPECT_EQ(count.characters, 15U);
  EXPECT_EQ(count.acceptances, 1U) << "`answer` before `)`";
  EXPECT_EQ(count.keys, 8U) << "`f(`, two line ends, `g(1)`";
  EXPECT_EQ(*completer_.last_request().text, "f(answer)\n\ng(1)\n");
  EXPECT_EQ(Type("«f(answer)»\n").acceptances, 0U) << "without it the offer lacks a bracket";
}

TEST(TypedRegions, AreWholeLinesWithoutTheBlanksAround) {
  const std::string text = "\n  a\n\n  b  \nc\n";
  Random random(1);
  std::set<std::string> found;
  for (int i = 0; i < 50; ++i) {
    const auto region = ChooseRegion(text, 3, random);
    ASSERT_TRUE(region);
    found.insert(text.substr(region->begin_bytes, region->end_bytes - region->begin_bytes));
  }
  EXPECT_EQ(found, (std::set<std::string>{"a\n\n  b"}));
  EXPECT_FALSE(ChooseRegion(text, 6, random));
  EXPECT_FALSE(ChooseRegion("\n\n", 1, random));
  EXPECT_FALSE(ChooseRegion(std::string(500, 'a'), 1, random)) << "nobody types it";
}

}  // namespace
}  // namespace tenon::server
