// Through a scheduler: in which order the worker computes, and what it does ahead.
#include "server/scheduling/completion_worker.h"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/server/scheduling/scheduler_fixture.h"

namespace tenon::server {
namespace {

using WorkerTest = SchedulerTest;

TEST_F(WorkerTest, TheWorkerGoesOnWithWhatTimeCutShortUntilTheNextQuestion) {
  Submit(1, "list", "a", "CUT");
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}})) << "the answer does not wait for it";
  completer_.WaitUntilGoingOn();
  Submit(2, "list", "a", "quick");
  RunUntilIdle();
  EXPECT_EQ(completer_.went_on(), 1);
  EXPECT_EQ(outcomes_.back(), (std::pair<int64_t, Outcome>(2, Outcome::kAnswered)));
}

TEST_F(WorkerTest, TheWorkerStopsGoingOnWhenItIsDestroyed) {
  Submit(1, "list", "a", "CUT");
  completer_.WaitUntilGoingOn();
  client_.reset();
  scheduler_.reset();
  EXPECT_EQ(completer_.went_on(), 1);
}

TEST_F(WorkerTest, TheWorkerWorksAheadWhenNothingIsAsked) {
  Submit(1, "list", "a", "x");
  client_->WorkAhead(Reading("y"));
  RunUntilResting();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}}));
  EXPECT_EQ(completer_.ahead(), (std::vector<std::string>{"read |y"}));
}

TEST_F(WorkerTest, AQuestionStopsTheWorkAheadAndAnOldOneOfItsClientIsDropped) {
  client_->WorkAhead(Reading("SLOW"));
  completer_.WaitUntilGoingOn();
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  client_->WorkAhead(Reading("z"));
  Submit(2, "list", "a", "quick");
  RunUntilResting();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}, {2, Outcome::kAnswered}}));
  EXPECT_EQ(completer_.ahead(), (std::vector<std::string>{"read |SLOW"}));
}

TEST_F(WorkerTest, NewerWorkAheadTakesThePlaceOfOlderAndTheSameIsNotDoneTwice) {
  client_->WorkAhead(Reading("SLOW 1"));
  completer_.WaitUntilGoingOn();
  client_->WorkAhead(Reading("SLOW 1"));
  client_->WorkAhead(Reading("y"));
  RunUntilResting();
  client_->WorkAhead(Reading("y"));
  RunUntilResting();
  EXPECT_EQ(completer_.ahead(), (std::vector<std::string>{"read |SLOW 1", "read |y"}));
}

TEST_F(WorkerTest, TheWorkAheadOfAClientThatIsGoneIsNotDone) {
  CompletionScheduler::Client other(*scheduler_);
  {
    CompletionScheduler::Client gone(*scheduler_);
    SubmitBy(other, 1, "list", "a", "SLOW");
    completer_.WaitUntilBlocked();
    gone.WorkAhead(Reading("y"));
  }
  other.Cancel(int64_t{1});
  RunUntilResting();
  EXPECT_TRUE(completer_.ahead().empty());
}

TEST_F(WorkerTest, TheNewestQuestionIsComputedFirst) {
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  Submit(2, "list", "b", "x");
  Submit(3, "list", "c", "y");
  client_->Cancel(int64_t{1});
  RunUntilIdle();
  EXPECT_EQ(outcomes_,
            (Outcomes{{1, Outcome::kCancelled}, {3, Outcome::kAnswered}, {2, Outcome::kAnswered}}));
}

TEST_F(WorkerTest, AWaitingQuestionsTextGoesWhenNobodyWaitsForIt) {
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  auto text = std::make_shared<const std::string>("x");
  const std::weak_ptr<const std::string> kept = text;
  auto question = Ask(2, "list", "b", "");
  question.request.text = SharedText(std::move(text));
  client_->Ask(std::move(question), [](Outcome, const CompletionAnswer&) {});
  EXPECT_FALSE(kept.expired());
  client_->SupersedeDocument("b");
  EXPECT_TRUE(kept.expired());
  EXPECT_TRUE(completer_.IsBlocked());
}

TEST_F(WorkerTest, ClientsAreServedInTurn) {
  CompletionScheduler::Client other(*scheduler_);
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  for (int64_t id = 2; id <= 4; ++id) Submit(id, "list", std::string(1, char('a' + id)), "x");
  SubmitBy(other, 5, "list", "a", "x");
  client_->Cancel(int64_t{1});
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kCancelled},
                                 {5, Outcome::kAnswered},
                                 {4, Outcome::kAnswered},
                                 {3, Outcome::kAnswered},
                                 {2, Outcome::kAnswered}}));
}

}  // namespace
}  // namespace tenon::server
