// A scheduler whose I/O thread is the test itself, over a completer that is told when to end.
//
// Cost: a thread. Thread rule: one thread at a time.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "server/scheduling/completion_scheduler.h"
#include "tests/server/fake_completer.h"

namespace tenon::server {

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
    SubmitBy(*client_, id, method, uri, text);
  }

  void SubmitBy(CompletionScheduler::Client& client, int64_t id, const std::string& method,
                const std::string& uri, const std::string& text) {
    client.Ask(Ask(id, method, uri, text), [this, id](Outcome outcome, const CompletionAnswer&) {
      outcomes_.emplace_back(id, outcome);
    });
  }

  // The question after `typed` was typed at the beginning of the text.
  CompletionScheduler::Question AskAfter(int64_t id, const std::string& typed,
                                         const std::string& text) {
    CompletionScheduler::Question question = Ask(id, "inline", "a", typed + text);
    question.request.offset_bytes = typed.size();
    return question;
  }
  void SubmitAfter(int64_t id, const std::string& typed, const std::string& text) {
    client_->Ask(AskAfter(id, typed, text), NoteAs(id));
  }
  // Notes the outcome, and the first item.
  CompletionScheduler::Answer NoteAs(int64_t id) {
    return [this, id](Outcome outcome, const CompletionAnswer& answer) {
      outcomes_.emplace_back(id, outcome);
      items_.emplace_back(answer.items.empty() ? "" : answer.items[0].text);
    };
  }

  AheadTask Reading(const std::string& text) {
    AheadTask ahead;
    ahead.request.text = text;
    return ahead;
  }

  void SubmitWaiting(int64_t id, const std::string& method, const std::string& text) {
    auto question = Ask(id, method, "a", text);
    question.wait = std::chrono::milliseconds(100);
    client_->Ask(question, [this, id](Outcome outcome, const CompletionAnswer&) {
      outcomes_.emplace_back(id, outcome);
    });
  }

  void RunUntilIdle() {
    RunUntil([this] { return client_->idle(); });
  }
  void RunUntilResting() {
    RunUntil([this] { return client_->resting(); });
  }
  void RunUntil(const std::function<bool()>& done) {
    while (!done()) RunOne();
  }
  void RunOne() {
    std::unique_lock lock(mutex_);
    posted_.wait(lock, [this] { return !tasks_.empty(); });
    const auto task = std::move(tasks_.front());
    tasks_.pop_front();
    lock.unlock();
    task();
  }

  using Outcomes = std::vector<std::pair<int64_t, Outcome>>;
  FakeCompleter completer_;
  std::atomic<int> time_ms_ = 0;
  std::mutex mutex_;
  std::condition_variable posted_;
  std::deque<std::function<void()>> tasks_;
  Outcomes outcomes_;
  std::vector<std::string> items_;  // of the outcomes that NoteAs has noted
  std::vector<std::function<void()>> put_off_;
  std::unique_ptr<CompletionScheduler> scheduler_ = std::make_unique<CompletionScheduler>(
      completer_,
      [this](std::function<void()> task) {
        const std::lock_guard lock(mutex_);
        tasks_.push_back(std::move(task));
        posted_.notify_all();
      },
      [this] { return std::chrono::steady_clock::time_point(std::chrono::milliseconds(time_ms_)); },
      [this](std::chrono::milliseconds, std::function<void()> task) {
        put_off_.push_back(std::move(task));
      });
  std::unique_ptr<CompletionScheduler::Client> client_ =
      std::make_unique<CompletionScheduler::Client>(*scheduler_);
};

}  // namespace tenon::server
