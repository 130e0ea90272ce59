#include "server/scheduling/known_completions.h"

#include <gtest/gtest.h>

#include "tests/server/cursor_request.h"

namespace tenon::server {
namespace {

// "ab|cd" is the text "abcd" with the cursor before "c".
CompletionRequest At(const std::string& text_with_cursor) {
  return RequestAt(text_with_cursor, "python");
}

CompletionAnswer Offering(const CompletionRequest& request, const std::string& text,
                          size_t replaced_bytes = 0) {
  CompletionAnswer answer;
  CompletionItem item;
  item.text = text;
  item.range_begin_bytes = request.offset_bytes;
  item.range_end_bytes = request.offset_bytes + replaced_bytes;
  item.guarantee = Guarantee::kFile;
  item.tokens = 5;
  answer.items.push_back(item);
  return answer;
}

KnownCompletions Knowing(const std::string& text_with_cursor, const std::string& text,
                         size_t replaced_bytes = 0) {
  KnownCompletions known;
  const CompletionRequest request = At(text_with_cursor);
  known.Add(request, Offering(request, text, replaced_bytes));
  return known;
}

// The text with the known completion in its place, and the cursor before it; "" where none is
// known.
std::string Offered(const KnownCompletions& known, const CompletionRequest& request) {
  const auto answer = known.Find(request);
  if (!answer) return "";
  EXPECT_TRUE(answer->is_rest);
  EXPECT_EQ(answer->items.size(), 1U);
  const CompletionItem& item = answer->items.front();
  EXPECT_EQ(item.range_begin_bytes, request.offset_bytes);
  EXPECT_EQ(item.tokens, 0);
  return WithItem(request, item).insert(request.offset_bytes, "|");
}

std::string Offered(const KnownCompletions& known, const std::string& text_with_cursor) {
  return Offered(known, At(text_with_cursor));
}

TEST(KnownCompletions, TheRestIsOfferedWhileTheUserWritesWhatWasOffered) {
  const KnownCompletions known = Knowing("x = |\n", "max(a, b)\nprint(x)");
  EXPECT_EQ(Offered(known, "x = |\n"), "x = |max(a, b)\nprint(x)\n");
  EXPECT_EQ(Offered(known, "x = ma|\n"), "x = ma|x(a, b)\nprint(x)\n");
  EXPECT_EQ(Offered(known, "x = max(a, b)|\n"), "x = max(a, b)|\nprint(x)\n") << "a line";
  EXPECT_EQ(Offered(known, "x = m|\n"), "x = m|ax(a, b)\nprint(x)\n") << "deleted back";
}

TEST(KnownCompletions, TheGuaranteeGoesWithTheText) {
  const auto answer = Knowing("x = |\n", "max(a, b)").Find(At("x = m|\n"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->items.front().guarantee, Guarantee::kFile);
}

TEST(KnownCompletions, WhoWritesATextNeedsTheRest) {
  CompletionAnswer answer = Offering(At("x = |\n"), "max(a)");
  answer.items.front().unneeded = true;
  KnownCompletions known;
  known.Add(At("x = |\n"), answer);
  EXPECT_TRUE(known.Find(At("x = |\n"))->items.front().unneeded);
  EXPECT_FALSE(known.Find(At("x = m|\n"))->items.front().unneeded);
}

TEST(KnownCompletions, ABracketThatTheEditorClosesAheadIsNotOfferedAgain) {
  const KnownCompletions known = Knowing("x = |\n", "max(a, b)");
  EXPECT_EQ(Offered(known, "x = max(|)\n"), "x = max(|a, b)\n");
  EXPECT_EQ(Offered(known, "x = max(|]\n"), "");
}

TEST(KnownCompletions, WhatTheCompletionReplacedStaysReplaced) {
  const KnownCompletions known = Knowing("f(|)\n", "a, b)", 1);
  EXPECT_EQ(Offered(known, "f(a|)\n"), "f(a|, b)\n");
  EXPECT_EQ(Offered(known, "f(a|\n"), "") << "the bracket is gone: the text was not verified so";
}

TEST(KnownCompletions, NothingIsKnownOfATextThatChangedElsewhere) {
  const KnownCompletions known = Knowing("x = |\ny = 2\n", "max(a, b)");
  EXPECT_EQ(Offered(known, "x = mi|\ny = 2\n"), "");
  EXPECT_EQ(Offered(known, "z = m|\ny = 2\n"), "");
  EXPECT_EQ(Offered(known, "x = m|\ny = 3\n"), "");
  EXPECT_EQ(Offered(known, "x = m|\ny = 22\n"), "");
  EXPECT_EQ(Offered(known, "x = m|\n"), "");
  EXPECT_EQ(Offered(known, "x = m|\ny = 2\n"), "x = m|ax(a, b)\ny = 2\n") << "changed back";
}

TEST(KnownCompletions, WhatStoodThereBeforeTheQuestionIsNotOfferedAgain) {
  const KnownCompletions known = Knowing("x = ma|\n", "x(a)");
  EXPECT_EQ(Offered(known, "x = m|\n"), "");
}

TEST(KnownCompletions, ARestOfBlanksIsNotOffered) {
  const KnownCompletions known = Knowing("x = |\n", "a\n\n");
  EXPECT_EQ(Offered(known, "x = a|\n"), "");
}

TEST(KnownCompletions, AnAnswerHoldsForItsOwnTermsOnly) {
  const KnownCompletions known = Knowing("x = |\n", "max(a, b)");
  for (const auto change :
       {+[](CompletionRequest& r) { r.max_tokens = 3; },
        +[](CompletionRequest& r) { r.scope = Scope::kLine; },
        +[](CompletionRequest& r) { r.constraint = ConstraintMode::kOff; },
        +[](CompletionRequest& r) { r.level = "since_3_12"; },
        +[](CompletionRequest& r) { r.temperature = 1; }, +[](CompletionRequest& r) { r.seed = 9; },
        +[](CompletionRequest& r) { r.language_id = "go"; }}) {
    CompletionRequest request = At("x = m|\n");
    change(request);
    EXPECT_EQ(Offered(known, request), "");
  }
}

TEST(KnownCompletions, WhatTimeCutShortServesNoQuestionWithMoreTime) {
  using std::chrono::milliseconds;
  CompletionRequest request = At("x = |\n");
  request.time_budget = milliseconds(300);
  CompletionAnswer answer = Offering(request, "max(a");
  answer.cut_by_time = true;
  KnownCompletions known;
  known.Add(request, answer);
  CompletionRequest next = At("x = m|\n");
  next.time_budget = milliseconds(300);
  EXPECT_EQ(Offered(known, next), "x = m|ax(a\n");
  next.time_budget = milliseconds(2000);
  EXPECT_EQ(Offered(known, next), "");
  next.time_budget.reset();
  EXPECT_EQ(Offered(known, next), "");

  request.time_budget.reset();
  known.Add(request, Offering(request, "max(a, b)"));
  EXPECT_EQ(Offered(known, next), "x = m|ax(a, b)\n");
  next.time_budget = milliseconds(300);
  EXPECT_EQ(Offered(known, next), "x = m|ax(a, b)\n") << "the newest answer first";
}

TEST(KnownCompletions, TheOldestIsForgottenWhereThereAreTooMany) {
  KnownCompletions known;
  for (size_t i = 0; i <= KnownCompletions::kMaxAnswers; ++i) {
    const CompletionRequest request = At(std::to_string(i) + "|");
    known.Add(request, Offering(request, "+1"));
  }
  EXPECT_EQ(Offered(known, "0|"), "");
  EXPECT_EQ(Offered(known, "1|"), "1|+1");
}

TEST(KnownCompletions, AnAnswerWithoutAnItemOrOutsideOfTheTextTeachesNothing) {
  KnownCompletions known;
  const CompletionRequest request = At("x|");
  known.Add(request, CompletionAnswer::Nothing("nothing fits"));
  EXPECT_FALSE(known.Find(request));
  known.Add(request, Offering(request, "+1", 5));
  EXPECT_FALSE(known.Find(request));
}

TEST(KnownCompletions, OfSeveralItemsThoseAreOfferedThatTheUserWrites) {
  KnownCompletions known;
  CompletionRequest request = At("x = |\n");
  request.candidates = 3;
  CompletionAnswer answer = Offering(request, "max(a)");
  for (const char* text : {"min(a)", "mean(a)"})
    answer.items.push_back(Offering(request, text).items.front());
  known.Add(request, answer);
  CompletionRequest later = At("x = me|\n");
  EXPECT_EQ(Offered(known, later), "x = me|an(a)\n");
  later = At("x = m|\n");
  EXPECT_EQ(known.Find(later)->items.size(), 1U) << "one was asked for";
  later.candidates = 3;
  EXPECT_EQ(known.Find(later)->items.size(), 3U);
  later.candidates = 4;
  EXPECT_FALSE(known.Find(later)) << "there may be a fourth";
}

TEST(KnownCompletions, WhatIsUnwantedIsNotOffered) {
  const KnownCompletions known = Knowing("x = |\n", "max(a, b)");
  CompletionRequest request = At("x = m|\n");
  request.unwanted = {"in(a)"};
  EXPECT_TRUE(known.Find(request));
  request.unwanted = {"ax( a, b )"};
  EXPECT_FALSE(known.Find(request));
}

TEST(KnownCompletions, TheRestHasTheTokensThatAreNotWritten) {
  KnownCompletions known;
  const CompletionRequest request = At("x = |\n");
  CompletionAnswer answer = Offering(request, "max(a)");
  answer.items.front().nats = {{3, 0.1}, {5, 0.2}, {6, 0.3}};
  known.Add(request, answer);
  const auto rest = known.Find(At("x = max(|\n"));
  ASSERT_TRUE(rest);
  const std::vector<TokenNats>& nats = rest->items.front().nats;
  ASSERT_EQ(nats.size(), 2U);
  EXPECT_EQ(nats[0].end_bytes, 1U);
  EXPECT_EQ(nats[0].nats, 0.2) << "a token that is written in part counts whole";
  EXPECT_EQ(nats[1].end_bytes, 2U);
}

TEST(KnownCompletions, OfAnAnswerWithFewerItemsTheOthersAreAskedFor) {
  const KnownCompletions known = Knowing("x = |\n", "max(a, b)");
  CompletionRequest request = At("x = |\n");
  request.candidates = 3;
  EXPECT_FALSE(known.Find(request));
  const auto fewer = known.FindFewer(request);
  ASSERT_TRUE(fewer);
  AskBeside(*fewer, request);
  EXPECT_EQ(request.already_offered, std::vector<std::string>{"max(a, b)"});
  EXPECT_EQ(request.candidates, 2);
  CompletionAnswer others = Offering(request, "min(a, b)");
  others.items.front().ended = Ended::kBudget;
  others.items.push_back(Offering(request, "abs(a)").items.front());
  const CompletionAnswer joined = Joined(*fewer, others);
  ASSERT_EQ(joined.items.size(), 3U);
  EXPECT_EQ(joined.items[0].text, "max(a, b)");
  EXPECT_EQ(joined.items[1].text, "abs(a)");
  EXPECT_EQ(joined.items[2].text, "min(a, b)") << "it ends worse";
  EXPECT_FALSE(joined.is_rest);
  const CompletionRequest all = AskForAll(request);
  EXPECT_EQ(all.candidates, 3);
  EXPECT_TRUE(all.already_offered.empty());
}

TEST(KnownCompletions, AnAnswerThatTimeCutShortIsNoPartOfALongerOne) {
  KnownCompletions known;
  CompletionRequest request = At("x = |\n");
  CompletionAnswer cut = Offering(request, "max");
  cut.cut_by_time = true;
  known.Add(request, cut);
  request.candidates = 3;
  EXPECT_FALSE(known.FindFewer(request));
}

TEST(KnownCompletions, ASignThatIsMissingIsKnownToThoseWhoWriteIt) {
  CompletionRequest request = At("[ 1\n|\n]");
  request.adds_missing_sign = true;
  CompletionAnswer answer = Offering(request, "max(a)");
  answer.items[0].missing_sign = MissingSign{3, ","};
  KnownCompletions known;
  known.Add(request, answer);
  request = At("[ 1\nma|\n]");
  EXPECT_FALSE(known.Find(request));
  request.adds_missing_sign = true;
  const auto rest = known.Find(request);
  ASSERT_TRUE(rest);
  EXPECT_EQ(rest->items[0].text, "x(a)");
  EXPECT_EQ(rest->items[0].missing_sign, (MissingSign{3, ","}));
}

}  // namespace
}  // namespace tenon::server
