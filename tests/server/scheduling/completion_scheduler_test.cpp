#include "server/scheduling/completion_scheduler.h"

#include <chrono>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/scheduling/scheduler_fixture.h"

namespace tenon::server {
namespace {

TEST_F(SchedulerTest, ANewerQuestionOfTheSameMethodSupersedesTheOlderAndStopsIt) {
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  Submit(2, "list", "a", "quick");
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}}));
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}, {2, Outcome::kAnswered}}));
  EXPECT_EQ(completer_.stopped(), 1);
}

TEST_F(SchedulerTest, TheTimeOfARequestBeginsWhenItIsAsked) {
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  auto question = Ask(2, "inline", "a", "quick");
  question.request.time_budget = std::chrono::milliseconds(300);
  client_->Ask(question, [](Outcome, const CompletionAnswer&) {});
  time_ms_ = 100;
  client_->Cancel(int64_t{1});
  RunUntilIdle();
  EXPECT_EQ(completer_.last_request().time_budget, std::chrono::milliseconds(200));
}

TEST_F(SchedulerTest, TheWholeAnswerComesLaterWhereTimeCutItShort) {
  auto question = Ask(1, "list", "a", "CUT LONG");
  question.request.time_budget = std::chrono::milliseconds(300);
  std::vector<std::string> learnt;
  question.learn = [&learnt](const CompletionRequest& request, const CompletionAnswer& answer) {
    learnt.push_back(answer.items.at(0).text + (request.time_budget ? " in time" : ""));
  };
  client_->Ask(question, [](Outcome, const CompletionAnswer&) {});
  RunUntilResting();
  EXPECT_EQ(learnt, (std::vector<std::string>{"answered at length"}));
}

TEST_F(SchedulerTest, AWaitingQuestionIsComputedWhenItsTimeHasCome) {
  SubmitWaiting(1, "list", "x");
  EXPECT_FALSE(client_->idle());
  EXPECT_EQ(completer_.calls(), 0);
  put_off_.at(0)();
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}}));
}

TEST_F(SchedulerTest, AWaitingQuestionIsSupersededAndCancelledAsAnyOther) {
  SubmitWaiting(1, "list", "x");
  SubmitWaiting(2, "list", "y");
  client_->Cancel(int64_t{2});
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}, {2, Outcome::kCancelled}}));
  EXPECT_TRUE(client_->idle());
  for (const auto& task : put_off_) task();
  RunUntilIdle();
  EXPECT_EQ(completer_.calls(), 0);
}

TEST_F(SchedulerTest, TheSameQuestionThatDoesNotWaitBringsTheWaitingOneForward) {
  SubmitWaiting(1, "list", "x");
  Submit(2, "inline", "a", "x");
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}, {2, Outcome::kAnswered}}));
  put_off_.at(0)();
  RunUntilIdle();
  EXPECT_EQ(completer_.calls(), 1);
}

TEST_F(SchedulerTest, AWaitingQuestionLetsTheWorkerWorkAhead) {
  client_->WorkAhead(Reading("SLOW"));
  completer_.WaitUntilGoingOn();
  SubmitWaiting(1, "list", "x");
  EXPECT_EQ(completer_.went_on(), 0);
  put_off_.at(0)();
  RunUntilResting();
  EXPECT_EQ(completer_.went_on(), 1);
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}}));
}

TEST_F(SchedulerTest, OtherMethodsAndDocumentsStay) {
  Submit(1, "list", "a", "x");
  Submit(2, "inline", "a", "y");
  Submit(3, "list", "b", "z");
  RunUntilIdle();
  EXPECT_THAT(outcomes_,
              testing::UnorderedElementsAreArray(Outcomes{
                  {1, Outcome::kAnswered}, {2, Outcome::kAnswered}, {3, Outcome::kAnswered}}));
}

TEST_F(SchedulerTest, TheSameCompletionIsComputedOnceForBothMethods) {
  Submit(1, "list", "a", "x");
  Submit(2, "inline", "a", "x");
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}, {2, Outcome::kAnswered}}));
  EXPECT_EQ(completer_.calls(), 1);
}

// Below a line that lacks its comma: the list's item brings it, an inline item has no place for it.
TEST_F(SchedulerTest, AMissingSignIsForThoseWhoWriteItAndTheOthersAreComputedWithout) {
  auto list = Ask(1, "list", "a", "COMMA");
  list.request.adds_missing_sign = true;
  std::vector<std::string> said;
  const auto note = [&said](const std::string& method) {
    return [&said, method](Outcome outcome, const CompletionAnswer& answer) {
      EXPECT_EQ(outcome, Outcome::kAnswered);
      said.push_back(method + ": " + answer.items.at(0).text +
                     (answer.items[0].missing_sign ? " and a sign" : ""));
    };
  };
  auto inline_question = Ask(2, "inline", "a", "COMMA");
  list.request.time_budget = inline_question.request.time_budget = std::chrono::milliseconds(300);
  client_->Ask(list, note("list"));
  client_->Ask(inline_question, note("inline"));
  time_ms_ = 100;
  RunUntilIdle();
  EXPECT_EQ(said, (std::vector<std::string>{"list: answer and a sign", "inline: answer"}));
  EXPECT_EQ(completer_.calls(), 2);
  EXPECT_EQ(completer_.last_request().time_budget, std::chrono::milliseconds(200));
}

TEST_F(SchedulerTest, AQuestionThatIsComputedWithoutASignIsCancelledAsAnyOther) {
  auto list = Ask(1, "list", "a", "COMMA");
  list.request.adds_missing_sign = true;
  bool answered = false;
  client_->Ask(list, [&answered](Outcome, const CompletionAnswer&) { answered = true; });
  Submit(2, "inline", "a", "COMMA");
  RunUntil([&answered] { return answered; });
  client_->Cancel(int64_t{2});
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{2, Outcome::kCancelled}}));
}

TEST_F(SchedulerTest, ASharedComputationGoesOnUntilNobodyWaits) {
  Submit(1, "list", "a", "SLOW");
  Submit(2, "inline", "a", "SLOW");
  completer_.WaitUntilBlocked();
  client_->Cancel(int64_t{1});
  EXPECT_TRUE(completer_.IsBlocked());
  client_->Cancel(int64_t{2});
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kCancelled}, {2, Outcome::kCancelled}}));
  EXPECT_EQ(completer_.stopped(), 1);
}

TEST_F(SchedulerTest, TheSameQuestionAgainTakesOverTheRunningComputation) {
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  Submit(2, "list", "a", "SLOW");
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}}));
  EXPECT_TRUE(completer_.IsBlocked());
  client_->SupersedeAll();
  RunUntilIdle();
  EXPECT_EQ(completer_.calls(), 1);
}

TEST_F(SchedulerTest, CancellingOrSupersedingWhatIsUnknownDoesNothing) {
  client_->Cancel(std::string("1"));
  client_->SupersedeDocument("a");
  Submit(1, "list", "a", "x");
  client_->Cancel(std::string("1"));
  client_->SupersedeDocument("b");
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}}));
}

TEST_F(SchedulerTest, EndingAnswersWhatIsOpenAndStopsWhatRuns) {
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  Submit(2, "list", "b", "x");
  client_.reset();
  scheduler_.reset();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}, {2, Outcome::kSuperseded}}));
  EXPECT_EQ(completer_.stopped(), 1);
}

TEST_F(SchedulerTest, ClientsShareNeitherRequestIdsNorDocuments) {
  CompletionScheduler::Client other(*scheduler_);
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  SubmitBy(other, 2, "list", "a", "SLOW");
  other.Cancel(int64_t{1});
  other.SupersedeDocument("b");
  EXPECT_TRUE(completer_.IsBlocked());
  EXPECT_EQ(completer_.last_request().document.substr(0, 2), "1:");
  client_->Cancel(int64_t{1});
  completer_.WaitUntilBlocked();
  EXPECT_EQ(completer_.last_request().document.substr(0, 2), "2:");
  other.SupersedeAll();
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kCancelled}, {2, Outcome::kSuperseded}}));
}

TEST_F(SchedulerTest, AClientThatGoesLeavesTheOthersAlone) {
  auto other = std::make_unique<CompletionScheduler::Client>(*scheduler_);
  SubmitBy(*other, 1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  Submit(2, "list", "a", "x");
  other.reset();
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}, {2, Outcome::kAnswered}}));
}

TEST_F(SchedulerTest, RandomTrafficAnswersEveryQuestionExactlyOnce) {
  const unsigned seed = 20240607;
  std::mt19937 random(seed);
  const std::string texts[] = {"x", "y", "SLOW", "NOTHING", "STEPS", "CUT STEPS"};
  int64_t asked = 0;
  for (int step = 0; step < 2000; ++step) {
    const std::string uri = random() % 2 == 0 ? "a" : "b";
    switch (random() % 8) {
      case 0:
        client_->Cancel(static_cast<int64_t>(random() % static_cast<uint64_t>(asked + 1)));
        break;
      case 1:
        client_->SupersedeDocument(uri);
        break;
      case 2:
        client_->OnEdit(uri, std::string("answer").substr(0, random() % 4) + texts[random() % 6]);
        break;
      case 3:
        if (!put_off_.empty()) {
          const auto task = std::move(put_off_.back());
          put_off_.pop_back();
          task();
        }
        break;
      case 4:
        completer_.WriteOn();
        break;
      default:
        auto question = Ask(++asked, random() % 2 == 0 ? "list" : "inline", uri, "");
        question.request.offset_bytes = random() % 4;
        question.request.text =
            std::string("answer").substr(0, question.request.offset_bytes) + texts[random() % 6];
        if (random() % 2 == 0) question.request.time_budget = std::chrono::milliseconds(300);
        client_->Ask(question, [this, id = asked](Outcome outcome, const CompletionAnswer&) {
          outcomes_.emplace_back(id, outcome);
        });
    }
    std::unique_lock lock(mutex_);
    std::deque<std::function<void()>> tasks;
    tasks.swap(tasks_);
    lock.unlock();
    for (const auto& task : tasks) task();
  }
  client_->SupersedeAll();
  RunUntilIdle();
  std::vector<int> answers(static_cast<size_t>(asked) + 1);
  for (const auto& [id, outcome] : outcomes_) ++answers[static_cast<size_t>(id)];
  for (int64_t id = 1; id <= asked; ++id)
    EXPECT_EQ(answers[static_cast<size_t>(id)], 1) << "question " << id << ", seed " << seed;
}

}  // namespace
}  // namespace tenon::server
