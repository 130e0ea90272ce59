// Computations that go on while the user types.
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/scheduling/completion_scheduler.h"
#include "tests/server/scheduling/scheduler_fixture.h"

namespace tenon::server {
namespace {

TEST_F(SchedulerTest, AComputationThatIsTypedAlongAnswersTheNextQuestion) {
  SubmitAfter(1, "", "STEPS");
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "aSTEPS");
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}}));
  SubmitAfter(2, "a", "STEPS");
  client_->OnEdit("a", "anSTEPS");
  SubmitAfter(3, "an", "STEPS");
  EXPECT_EQ(outcomes_.back(), (std::pair<int64_t, Outcome>(2, Outcome::kSuperseded)));
  completer_.WriteOn();
  RunUntilIdle();
  EXPECT_EQ(outcomes_.back(), (std::pair<int64_t, Outcome>(3, Outcome::kAnswered)));
  EXPECT_EQ(items_.back(), "swer");
  EXPECT_EQ(completer_.calls(), 1);
}

TEST_F(SchedulerTest, AComputationStopsWhenSomethingElseIsTyped) {
  for (const char* text : {"zSTEPS", "aSTEPS and more", "STEPSa", "STEP"}) {
    const int stopped = completer_.stopped();
    SubmitAfter(1, "", "STEPS");
    completer_.WaitUntilWriting();
    client_->OnEdit("a", text);
    RunUntilIdle();
    EXPECT_EQ(completer_.stopped(), stopped + 1) << text;
  }
}

TEST_F(SchedulerTest, AComputationThatIsTypedAlongStopsWhenItWritesSomethingElse) {
  SubmitAfter(1, "", "STEPS");
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "ansxSTEPS");
  SubmitAfter(2, "ansx", "STEPS");
  completer_.WriteOn();
  RunOne();
  EXPECT_EQ(completer_.stopped(), 1);
  completer_.WaitUntilWriting();
  completer_.WriteOn();
  RunUntilIdle();
  EXPECT_EQ(outcomes_.back(), (std::pair<int64_t, Outcome>(2, Outcome::kAnswered)));
  EXPECT_EQ(items_.back(), "answer") << "computed for itself";
}

TEST_F(SchedulerTest, ACancelledComputationWaitsALittleForTheEditThatCancelledIt) {
  SubmitAfter(1, "", "STEPS");
  completer_.WaitUntilWriting();
  client_->Cancel(int64_t{1});
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kCancelled}}));
  client_->OnEdit("a", "aSTEPS");
  put_off_.at(0)();
  SubmitAfter(2, "a", "STEPS");
  completer_.WriteOn();
  RunUntilIdle();
  EXPECT_EQ(items_.back(), "nswer");
}

TEST_F(SchedulerTest, ACancelledComputationStopsWhereNoEditComes) {
  SubmitAfter(1, "", "STEPS");
  completer_.WaitUntilWriting();
  client_->Cancel(int64_t{1});
  EXPECT_EQ(completer_.stopped(), 0);
  put_off_.at(0)();
  RunUntilIdle();
  EXPECT_EQ(completer_.stopped(), 1);
}

TEST_F(SchedulerTest, AQuestionThatWaitsForAComputationIsAnsweredInItsTime) {
  SubmitAfter(1, "", "STEPS");
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "aSTEPS");
  auto question = AskAfter(2, "a", "STEPS");
  question.request.time_budget = std::chrono::milliseconds(300);
  std::string reason;
  client_->Ask(question, [&](Outcome outcome, const CompletionAnswer& answer) {
    outcomes_.emplace_back(2, outcome);
    reason = answer.reason;
  });
  put_off_.at(0)();
  EXPECT_EQ(outcomes_.back(), (std::pair<int64_t, Outcome>(2, Outcome::kAnswered)));
  EXPECT_EQ(reason, "the time of 300 ms ended while the text that is typed was being written");
  client_->OnEdit("a", "anSTEPS");
  SubmitAfter(3, "an", "STEPS");
  completer_.WriteOn();
  RunUntilIdle();
  EXPECT_EQ(items_.back(), "swer");
  EXPECT_EQ(completer_.calls(), 1);
}

TEST_F(SchedulerTest, AComputationThatTimeCutShortIsTypedAlong) {
  auto cut = AskAfter(1, "", "CUT STEPS");
  cut.request.time_budget = std::chrono::milliseconds(300);
  std::vector<std::string> learnt;
  cut.learn = [&learnt](const CompletionRequest&, const CompletionAnswer& answer) {
    learnt.push_back(answer.items.at(0).text);
  };
  client_->Ask(cut, NoteAs(1));
  RunUntilIdle();
  EXPECT_EQ(items_, (std::vector<std::string>{"answer"}));
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "anCUT STEPS");
  SubmitAfter(2, "an", "CUT STEPS");
  client_->WorkAhead(Reading("would stop it"));
  completer_.WriteOn();
  RunUntilResting();
  EXPECT_EQ(items_.back(), "swered at length");
  EXPECT_EQ(completer_.calls(), 1);
  EXPECT_EQ(completer_.ahead(), std::vector<std::string>());
  EXPECT_EQ(learnt, std::vector<std::string>()) << "whoever asked learns it";
}

TEST_F(SchedulerTest, WhatTimeLeftIsTheAnswerOfAQuestionThatHasNoMoreTime) {
  auto cut = AskAfter(1, "", "CUT STEPS");
  cut.request.time_budget = std::chrono::milliseconds(300);
  client_->Ask(cut, NoteAs(1));
  RunUntilIdle();
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "aCUT STEPS");
  auto question = AskAfter(2, "a", "CUT STEPS");
  question.request.time_budget = std::chrono::milliseconds(300);
  client_->Ask(question, NoteAs(2));
  put_off_.at(0)();
  EXPECT_EQ(items_.back(), "nswer");
}

TEST_F(SchedulerTest, AComputationThatNobodyAsksForAgainIsLearnt) {
  auto question = AskAfter(1, "", "STEPS");
  std::vector<std::string> learnt;
  question.learn = [&learnt](const CompletionRequest&, const CompletionAnswer& answer) {
    learnt.push_back(answer.items.at(0).text);
  };
  client_->Ask(question, NoteAs(1));
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "aSTEPS");
  completer_.WriteOn();
  RunUntilIdle();
  EXPECT_EQ(learnt, (std::vector<std::string>{"answer"}));
}

TEST_F(SchedulerTest, NobodyWaitsForAComputationThatIsTypedAlongWithoutAQuestion) {
  SubmitAfter(1, "", "STEPS");
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "aSTEPS");
  CompletionScheduler::Client other(*scheduler_);
  SubmitBy(other, 7, "inline", "b", "quick");
  RunUntilIdle();
  EXPECT_EQ(completer_.stopped(), 1);
  EXPECT_EQ(outcomes_.back(), (std::pair<int64_t, Outcome>(7, Outcome::kAnswered)));
}

TEST_F(SchedulerTest, AComputationThatIsTypedAlongStopsWithItsDocumentAndItsClient) {
  for (const bool closes : {true, false}) {
    const int stopped = completer_.stopped();
    SubmitAfter(1, "", "STEPS");
    completer_.WaitUntilWriting();
    client_->OnEdit("a", "aSTEPS");
    if (closes) {
      client_->SupersedeDocument("a");
    } else {
      client_->SupersedeAll();
    }
    RunUntilIdle();
    EXPECT_EQ(completer_.stopped(), stopped + 1);
  }
}

TEST_F(SchedulerTest, TheEndStopsAComputationThatIsTypedAlong) {
  SubmitAfter(1, "", "STEPS");
  completer_.WaitUntilWriting();
  client_->OnEdit("a", "aSTEPS");
  client_.reset();
  scheduler_.reset();
  EXPECT_EQ(completer_.stopped(), 1);
}

}  // namespace
}  // namespace tenon::server
