#include "server/offers/completion_question.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

ClientDocument DocumentOf(const std::string& text) {
  return {{"python", {text, protocol::PositionEncoding::kUtf8}}, "a.py", ""};
}

json At(unsigned line, unsigned character) {
  return {{"position", {{"line", line}, {"character", character}}}};
}

TEST(CompletionQuestion, IsAPersonsUnlessTheRequestSaysAKeystroke) {
  for (const auto form : {QuestionForm::kList, QuestionForm::kInline}) {
    const auto is_invoked = [form](const json& params) {
      return IsInvoked(form, params, std::nullopt, 4, {});
    };
    EXPECT_TRUE(is_invoked(json::object()));
    EXPECT_TRUE(is_invoked({{"context", {{"triggerKind", 1}}}}));
    EXPECT_FALSE(is_invoked({{"context", {{"triggerKind", 2}}}}));
  }
}

TEST(CompletionQuestion, AListThatComesWithAnEditIsAKeystrokes) {
  const std::chrono::steady_clock::time_point now(std::chrono::hours(1));
  const json invoked = {{"context", {{"triggerKind", 1}}}};
  const auto is_invoked = [&](EditEnd edit, QuestionForm form = QuestionForm::kList) {
    return IsInvoked(form, invoked, edit, 4, now);
  };
  const auto recent = now - kKeystrokeAge / 2;
  EXPECT_FALSE(is_invoked({4, recent}));
  EXPECT_TRUE(is_invoked({3, recent})) << "the edit ended elsewhere";
  EXPECT_TRUE(is_invoked({4, now - kKeystrokeAge})) << "the person has paused";
  EXPECT_TRUE(is_invoked({4, recent, true})) << "the second time";
  EXPECT_TRUE(is_invoked({4, recent}, QuestionForm::kInline)) << "it has a kind for keystrokes";
  EXPECT_TRUE(IsInvoked(QuestionForm::kList, json::object(), EditEnd{4, recent}, 4, now));
}

TEST(CompletionQuestion, ItsPlaceIsTheCursorOrTheTextThatAListProposes) {
  const ClientDocument document = DocumentOf("a\nos.pa");
  json params = At(1, 5);
  const auto plain = ReadPlace(QuestionForm::kInline, params, document.text);
  ASSERT_TRUE(plain) << plain.error();
  EXPECT_EQ(plain->CursorFor(), 7U);
  params["context"]["selectedCompletionInfo"] = {
      {"text", "path"},
      {"range",
       {{"start", {{"line", 1U}, {"character", 3U}}}, {"end", {{"line", 1U}, {"character", 5U}}}}}};
  const auto proposed = ReadPlace(QuestionForm::kInline, params, document.text);
  ASSERT_TRUE(proposed) << proposed.error();
  EXPECT_EQ(*proposed->TextFor(document.text), "a\nos.path");
  EXPECT_EQ(proposed->CursorFor(), 9U);
  EXPECT_EQ(ReadPlace(QuestionForm::kList, params, document.text)->CursorFor(), 7U);
  params["position"]["character"] = 1U;
  EXPECT_EQ(ReadPlace(QuestionForm::kInline, params, document.text).error(),
            "in 'selectedCompletionInfo': 'range' must contain the position");
}

TEST(CompletionQuestion, APersonGetsMoreTimeAndCandidates) {
  Settings settings;
  settings.levels = {{"python", "since_3_12"}};
  const ClientDocument document = DocumentOf("x\r\n");
  const CompletionRequest invoked = TermsOf(true, document, settings);
  const CompletionRequest typed = TermsOf(false, document, settings);
  EXPECT_EQ(invoked.time_budget, settings.invoked_budget);
  EXPECT_EQ(invoked.candidates, settings.candidates);
  EXPECT_EQ(typed.time_budget, settings.automatic_budget);
  EXPECT_EQ(typed.candidates, 1);
  EXPECT_EQ(typed.level, "since_3_12");
  EXPECT_EQ(typed.line_end, "\r\n");
}

TEST(CompletionQuestion, OffersWithinItsCellAlone) {
  const ClientDocument cell = DocumentOf("%magic\nos.");
  CompletionQuestion question;
  question.place = *ReadPlace(QuestionForm::kInline, At(1, 3), cell.text);
  question.cells = CellSurroundings{"import os\n", "\nprint()\n"};
  EXPECT_EQ(*question.TextFor(cell), "import os\n      \nos.\nprint()\n");
  CompletionAnswer answer;
  answer.items = {{"path", 20, 20}, {"x", 5, 5}, {"y", 22, 22}};
  question.DropForeignItems(cell, answer);
  ASSERT_EQ(answer.items.size(), 1U);
  EXPECT_EQ(question.InDocument(answer.items[0]).range_begin_bytes, 10U);

  CompletionItem lacks_a_sign = answer.items[0];
  lacks_a_sign.missing_sign = MissingSign{12, ","};
  EXPECT_EQ(question.InDocument(lacks_a_sign).missing_sign, (MissingSign{2, ","}));
  answer.items = {lacks_a_sign, lacks_a_sign};
  answer.items[1].missing_sign->offset_bytes = 9;
  question.DropForeignItems(cell, answer);
  EXPECT_EQ(answer.items.size(), 1U) << "the other one's sign belongs to the cell above";
}

}  // namespace
}  // namespace tenon::server
