#include "server/lsp/completion_scheduler.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <random>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/fake_completer.h"

namespace tenon::server {
namespace {

using Outcome = CompletionScheduler::Outcome;

// An I/O thread that is the test's own, and the outcomes by request id.
class SchedulerTest : public testing::Test {
 protected:
  CompletionScheduler::Question Ask(int64_t id, const std::string& method, const std::string& uri,
                                    const std::string& text) {
    CompletionScheduler::Question question;
    question.id = id;
    question.method = method;
    question.uri = uri;
    question.request.text = text;
    question.request.language_id = "python";
    return question;
  }

  void Submit(int64_t id, const std::string& method, const std::string& uri,
              const std::string& text) {
    scheduler_->Ask(Ask(id, method, uri, text),
                    [this, id](Outcome outcome, const CompletionAnswer&) {
                      outcomes_.emplace_back(id, outcome);
                    });
  }

  void RunUntilIdle() {
    while (!scheduler_->idle()) {
      std::unique_lock lock(mutex_);
      posted_.wait(lock, [this] { return !tasks_.empty(); });
      const auto task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  using Outcomes = std::vector<std::pair<int64_t, Outcome>>;
  FakeCompleter completer_;
  std::atomic<int> time_ms_ = 0;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> tasks_;
  Outcomes outcomes_;
  std::unique_ptr<CompletionScheduler> scheduler_ = std::make_unique<CompletionScheduler>(
      completer_,
      [this](std::function<void()> task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        posted_.notify_all();
      },
      [this] {
        return std::chrono::steady_clock::time_point(std::chrono::milliseconds(time_ms_));
      });
};

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
  scheduler_->Ask(question, [](Outcome, const CompletionAnswer&) {});
  time_ms_ = 100;
  scheduler_->Cancel(int64_t{1});
  RunUntilIdle();
  EXPECT_EQ(completer_.last_request().time_budget, std::chrono::milliseconds(200));
}

TEST_F(SchedulerTest, TheWorkerGoesOnWithWhatTimeCutShortUntilTheNextQuestion) {
  Submit(1, "list", "a", "CUT");
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}})) << "the answer does not wait for it";
  completer_.WaitUntilGoingOn();
  Submit(2, "list", "a", "quick");
  RunUntilIdle();
  EXPECT_EQ(completer_.went_on(), 1);
  EXPECT_EQ(outcomes_.back(), (std::pair<int64_t, Outcome>(2, Outcome::kAnswered)));
}

TEST_F(SchedulerTest, TheWorkerStopsGoingOnWhenItIsDestroyed) {
  Submit(1, "list", "a", "CUT");
  completer_.WaitUntilGoingOn();
  scheduler_.reset();
  EXPECT_EQ(completer_.went_on(), 1);
}

TEST_F(SchedulerTest, OtherMethodsAndDocumentsStay) {
  Submit(1, "list", "a", "x");
  Submit(2, "inline", "a", "y");
  Submit(3, "list", "b", "z");
  RunUntilIdle();
  EXPECT_EQ(outcomes_,
            (Outcomes{{1, Outcome::kAnswered}, {2, Outcome::kAnswered}, {3, Outcome::kAnswered}}));
}

TEST_F(SchedulerTest, TheSameCompletionIsComputedOnceForBothMethods) {
  Submit(1, "list", "a", "x");
  Submit(2, "inline", "a", "x");
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}, {2, Outcome::kAnswered}}));
  EXPECT_EQ(completer_.calls(), 1);
}

TEST_F(SchedulerTest, ASharedComputationGoesOnUntilNobodyWaits) {
  Submit(1, "list", "a", "SLOW");
  Submit(2, "inline", "a", "SLOW");
  completer_.WaitUntilBlocked();
  scheduler_->Cancel(int64_t{1});
  EXPECT_TRUE(completer_.IsBlocked());
  scheduler_->Cancel(int64_t{2});
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
  scheduler_->SupersedeAll();
  RunUntilIdle();
  EXPECT_EQ(completer_.calls(), 1);
}

TEST_F(SchedulerTest, CancellingOrSupersedingWhatIsUnknownDoesNothing) {
  scheduler_->Cancel(std::string("1"));
  scheduler_->SupersedeDocument("a");
  Submit(1, "list", "a", "x");
  scheduler_->Cancel(std::string("1"));
  scheduler_->SupersedeDocument("b");
  RunUntilIdle();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kAnswered}}));
}

TEST_F(SchedulerTest, EndingAnswersWhatIsOpenAndStopsWhatRuns) {
  Submit(1, "list", "a", "SLOW");
  completer_.WaitUntilBlocked();
  Submit(2, "list", "b", "x");
  scheduler_.reset();
  EXPECT_EQ(outcomes_, (Outcomes{{1, Outcome::kSuperseded}, {2, Outcome::kSuperseded}}));
  EXPECT_EQ(completer_.stopped(), 1);
}

TEST_F(SchedulerTest, RandomTrafficAnswersEveryQuestionExactlyOnce) {
  const unsigned seed = 20240607;
  std::mt19937 random(seed);
  const std::string texts[] = {"x", "y", "SLOW", "NOTHING"};
  int64_t asked = 0;
  for (int step = 0; step < 2000; ++step) {
    const std::string uri = random() % 2 == 0 ? "a" : "b";
    switch (random() % 5) {
      case 0:
        scheduler_->Cancel(static_cast<int64_t>(random() % static_cast<uint64_t>(asked + 1)));
        break;
      case 1:
        scheduler_->SupersedeDocument(uri);
        break;
      default:
        Submit(++asked, random() % 2 == 0 ? "list" : "inline", uri, texts[random() % 4]);
    }
    std::unique_lock lock(mutex_);
    std::deque<std::function<void()>> tasks;
    tasks.swap(tasks_);
    lock.unlock();
    for (const auto& task : tasks) task();
  }
  scheduler_->SupersedeAll();
  RunUntilIdle();
  std::vector<int> answers(static_cast<size_t>(asked) + 1);
  for (const auto& [id, outcome] : outcomes_) ++answers[static_cast<size_t>(id)];
  for (int64_t id = 1; id <= asked; ++id)
    EXPECT_EQ(answers[static_cast<size_t>(id)], 1) << "question " << id << ", seed " << seed;
}

}  // namespace
}  // namespace tenon::server
