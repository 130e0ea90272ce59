#include "server/lsp/completion_scheduler.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/lsp/free_memory.h"

namespace tenon::server {
namespace {

// After so long without a question the memory that completions have left free goes back to the
// system. The allocator keeps it: a third of a daemon. It takes a second of a busy machine.
constexpr std::chrono::seconds kRest{60};

bool AskTheSame(const CompletionRequest& a, const CompletionRequest& b) {
  return a.offset_bytes == b.offset_bytes && a.time_budget == b.time_budget &&
         a.candidates == b.candidates && a.unwanted == b.unwanted &&
         a.already_offered == b.already_offered && HaveSameTerms(a, b) && a.text == b.text;
}

}  // namespace

CompletionScheduler::CompletionScheduler(Completer& completer, PostTask post, Deadline::Clock now,
                                         RunLater later)
    : completer_(completer),
      post_(std::move(post)),
      now_(std::move(now)),
      later_(std::move(later)),
      alive_(std::make_shared<char>()),
      worker_([this](const std::stop_token& ending) { Work(ending); }) {}

CompletionScheduler::~CompletionScheduler() {
  Release([](const Waiter&) { return true; }, Outcome::kSuperseded);
  worker_.request_stop();
  worker_.join();
}

// Takes a job that nobody waits for out of the queue, and its text with it. One that runs is
// stopped, and goes when the worker hands it back.
void CompletionScheduler::Drop(const std::shared_ptr<Job>& job) {
  job->stop.request_stop();
  const std::lock_guard lock(mutex_);
  if (std::erase(queue_, job) > 0 || job->waits) std::erase(jobs_, job);
}

void CompletionScheduler::Enqueue(const std::shared_ptr<Job>& job) {
  job->waits = false;
  last_ahead_.reset();
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(job);
    background_stop_.request_stop();
    if (ahead_ != nullptr && ahead_->client == job->client) {
      ahead_.reset();
      --background_;
    }
  }
  wake_.notify_one();
}

// Answers and forgets the waiters that match, then drops every job that nobody waits for any more.
template <typename Predicate>
void CompletionScheduler::Release(Predicate matches, Outcome outcome) {
  std::list<Waiter> released;
  for (auto at = waiters_.begin(); at != waiters_.end();) {
    const auto next = std::next(at);
    if (matches(*at)) released.splice(released.end(), waiters_, at);
    at = next;
  }
  for (const Waiter& waiter : released) {
    const bool still_wanted =
        std::any_of(waiters_.begin(), waiters_.end(),
                    [&waiter](const Waiter& other) { return other.job == waiter.job; });
    if (!still_wanted) Drop(waiter.job);
  }
  for (const Waiter& waiter : released) waiter.answer(outcome, CompletionAnswer{});
}

void CompletionScheduler::Ask(uint64_t client, Question question, Answer answer) {
  std::shared_ptr<Job> shared;
  for (const Waiter& waiter : waiters_) {
    if (waiter.client == client && waiter.uri == question.uri &&
        AskTheSame(waiter.job->request, question.request))
      shared = waiter.job;
  }
  if (shared == nullptr) {
    shared = std::make_shared<Job>();
    shared->client = client;
    shared->uri = question.uri;
    shared->request = std::move(question.request);
    shared->learn = std::move(question.learn);
    shared->asked = now_();
    jobs_.push_back(shared);
    shared->waits = later_ && question.wait.count() > 0;
    if (shared->waits) {
      Later(question.wait, [this, waiting = std::weak_ptr<Job>(shared)] {
        const auto job = waiting.lock();
        if (job != nullptr && job->waits && !job->stop.stop_requested()) Enqueue(job);
      });
    } else {
      Enqueue(shared);
    }
  } else if (shared->waits && question.wait.count() == 0) {
    Enqueue(shared);
  }
  // The new waiter comes first, so that a shared job is not stopped in between.
  waiters_.push_back({.client = client,
                      .id = question.id,
                      .method = question.method,
                      .uri = question.uri,
                      .job = shared,
                      .answer = std::move(answer)});
  const Waiter* newest = &waiters_.back();
  Release(
      [newest](const Waiter& waiter) {
        return &waiter != newest && waiter.client == newest->client &&
               waiter.method == newest->method && waiter.uri == newest->uri;
      },
      Outcome::kSuperseded);
}

std::shared_ptr<CompletionScheduler::Job> CompletionScheduler::NextJob() {
  const auto turn = [this](const std::shared_ptr<Job>& job) {
    const auto served = served_.find(job->client);
    return served == served_.end() ? 0 : served->second;
  };
  const auto next = std::min_element(
      queue_.rbegin(), queue_.rend(),
      [&turn](const auto& one, const auto& other) { return turn(one) < turn(other); });
  std::shared_ptr<Job> job = std::move(*next);
  queue_.erase(std::prev(next.base()));
  served_[job->client] = ++turns_;
  return job;
}

void CompletionScheduler::Finish(const std::shared_ptr<Job>& job, const CompletionAnswer& answer) {
  jobs_.erase(std::remove(jobs_.begin(), jobs_.end(), job), jobs_.end());
  std::list<Waiter> done;
  for (auto at = waiters_.begin(); at != waiters_.end();) {
    const auto next = std::next(at);
    if (at->job == job) done.splice(done.end(), waiters_, at);
    at = next;
  }
  for (const Waiter& waiter : done) waiter.answer(Outcome::kAnswered, answer);
}

CompletionRequest CompletionScheduler::AfterWaiting(const Job& job) const {
  CompletionRequest request = job.request;
  if (request.time_budget) {
    const auto waited = std::chrono::duration_cast<std::chrono::milliseconds>(now_() - job.asked);
    request.time_budget = std::max(*request.time_budget - waited, std::chrono::milliseconds(0));
  }
  return request;
}

void CompletionScheduler::WorkAhead(uint64_t client, Ahead ahead) {
  if (last_ahead_ != nullptr && last_ahead_->client == client &&
      last_ahead_->work.kind == ahead.kind && AskTheSame(last_ahead_->work.request, ahead.request))
    return;
  last_ahead_ = std::make_shared<ClientAhead>(ClientAhead{client, std::move(ahead)});
  {
    const std::lock_guard lock(mutex_);
    background_stop_.request_stop();
    if (ahead_ == nullptr) ++background_;
    ahead_ = last_ahead_;
  }
  wake_.notify_one();
}

void CompletionScheduler::Later(std::chrono::milliseconds wait, std::function<void()> task) {
  later_(wait, [alive = std::weak_ptr<char>(alive_), task = std::move(task)] {
    if (!alive.expired()) task();
  });
}

void CompletionScheduler::Post(std::function<void()> task) {
  post_([alive = std::weak_ptr<char>(alive_), task = std::move(task)] {
    if (!alive.expired()) task();
  });
}

void CompletionScheduler::Compute(std::shared_ptr<Job> job, const std::stop_token& ending) {
  CompletionAnswer answer;
  if (job->stop.stop_requested()) {
    answer.cancelled = true;
  } else {
    answer = completer_.Complete(AfterWaiting(*job), job->stop.get_token());
  }
  const bool cut = answer.cut_by_time;
  // What nobody needs any more goes with the job, and nothing of it stays with the worker.
  std::shared_ptr<Job> unfinished = cut ? job : nullptr;
  Post([this, job = std::move(job), cut, answer = std::move(answer)] {
    if (cut) ++background_;
    Finish(job, answer);
  });
  if (cut) GoOn(std::move(unfinished), ending);
}

void CompletionScheduler::GoOn(std::shared_ptr<Job> job, const std::stop_token& ending) {
  std::stop_source stop;
  {
    const std::lock_guard lock(mutex_);
    if (!queue_.empty() || ahead_ != nullptr) stop.request_stop();
    background_stop_ = stop;
  }
  CompletionAnswer answer = CompletionAnswer::Cancelled();
  if (!stop.stop_requested()) {
    const std::stop_callback at_end(ending, [&stop] { stop.request_stop(); });
    answer = completer_.GoOn(stop.get_token());
  }
  Post([this, job = std::move(job), answer = std::move(answer)] {
    --background_;
    job->request.time_budget.reset();
    if (job->learn && !answer.cancelled) job->learn(job->request, answer);
  });
}

void CompletionScheduler::DoAhead(std::shared_ptr<ClientAhead> ahead, const std::stop_source& stop,
                                  const std::stop_token& ending) {
  const std::stop_callback at_end(ending, [&stop] { stop.request_stop(); });
  const Ahead& work = ahead->work;
  CompletionAnswer answer = CompletionAnswer::Cancelled();
  if (work.kind == Ahead::Kind::kRead) {
    completer_.ReadAhead(work.request, stop.get_token());
  } else {
    answer = completer_.CompleteAhead(work.request, stop.get_token());
  }
  Post([this, ahead = std::move(ahead), answer = std::move(answer)] {
    --background_;
    if (ahead->work.learn && !answer.cancelled) ahead->work.learn(ahead->work.request, answer);
  });
}

void CompletionScheduler::Work(const std::stop_token& ending) {
  bool memory_is_back = true;
  while (true) {
    std::shared_ptr<Job> job;
    std::shared_ptr<ClientAhead> ahead;
    std::stop_source stop;
    {
      std::unique_lock lock(mutex_);
      const auto asked = [this] { return !queue_.empty() || ahead_ != nullptr; };
      if (!memory_is_back && !wake_.wait_for(lock, ending, kRest, asked) &&
          !ending.stop_requested()) {
        lock.unlock();
        GiveBackFreeMemory();
        memory_is_back = true;
        lock.lock();
      }
      if (!wake_.wait(lock, ending, asked)) return;
      memory_is_back = false;
      if (!queue_.empty()) {
        job = NextJob();
      } else {
        ahead = std::exchange(ahead_, nullptr);
        background_stop_ = stop;
      }
    }
    if (job != nullptr) {
      Compute(std::move(job), ending);
    } else {
      DoAhead(std::move(ahead), stop, ending);
    }
  }
}

CompletionScheduler::Client::Client(CompletionScheduler& scheduler)
    : scheduler_(scheduler), number_(++scheduler.clients_) {}

CompletionScheduler::Client::~Client() {
  SupersedeAll();
  const std::lock_guard lock(scheduler_.mutex_);
  scheduler_.served_.erase(number_);
  if (scheduler_.ahead_ != nullptr && scheduler_.ahead_->client == number_) {
    scheduler_.ahead_.reset();
    --scheduler_.background_;
  }
}

void CompletionScheduler::Client::NameDocument(CompletionRequest& request) const {
  request.document = std::to_string(number_) + ":" + request.document;
}

void CompletionScheduler::Client::Ask(Question question, Answer answer) {
  NameDocument(question.request);
  scheduler_.Ask(number_, std::move(question), std::move(answer));
}

void CompletionScheduler::Client::WorkAhead(Ahead ahead) {
  NameDocument(ahead.request);
  scheduler_.WorkAhead(number_, std::move(ahead));
}

void CompletionScheduler::Client::Cancel(const protocol::RequestId& id) {
  scheduler_.Release(
      [this, &id](const Waiter& waiter) { return waiter.client == number_ && waiter.id == id; },
      Outcome::kCancelled);
}

void CompletionScheduler::Client::SupersedeDocument(const std::string& uri) {
  scheduler_.Release(
      [this, &uri](const Waiter& waiter) { return waiter.client == number_ && waiter.uri == uri; },
      Outcome::kSuperseded);
}

void CompletionScheduler::Client::SupersedeMethod(const std::string& method,
                                                  const std::string& uri) {
  scheduler_.Release(
      [&](const Waiter& waiter) {
        return waiter.client == number_ && waiter.method == method && waiter.uri == uri;
      },
      Outcome::kSuperseded);
}

void CompletionScheduler::Client::SupersedeAll() {
  scheduler_.Release([this](const Waiter& waiter) { return waiter.client == number_; },
                     Outcome::kSuperseded);
}

}  // namespace tenon::server
