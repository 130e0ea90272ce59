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

// From the cancel of a question to the edit that the editor tells afterwards.
constexpr std::chrono::milliseconds kEditAfterCancel{100};

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
  StopKept();
  Release([](const Waiter&) { return true; }, Outcome::kSuperseded);
  worker_.request_stop();
  worker_.join();
}

// Takes a job that nobody waits for out of the queue, and its text with it. One that runs is
// stopped, and goes when the worker hands it back.
void CompletionScheduler::Drop(const std::shared_ptr<Job>& job) {
  if (job == kept_) return;
  job->stop.request_stop();
  const std::lock_guard lock(mutex_);
  if (std::erase(queue_, job) > 0 || job->waits) std::erase(jobs_, job);
}

void CompletionScheduler::Enqueue(const std::shared_ptr<Job>& job) {
  if (kept_ != nullptr && JobsAfter(kept_).empty()) StopKept();
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
    if (PutAfterKept(shared)) {
      shared->waits = true;
    } else if (later_ && question.wait.count() > 0) {
      shared->waits = true;
      Later(question.wait, [this, waiting = std::weak_ptr<Job>(shared)] {
        const auto job = waiting.lock();
        if (job != nullptr && job->waits && !job->stop.stop_requested()) Enqueue(job);
      });
    } else {
      Enqueue(shared);
    }
  } else if (shared->waits && shared->after == nullptr && question.wait.count() == 0) {
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

std::shared_ptr<CompletionScheduler::Job> CompletionScheduler::TypedAlongAt(uint64_t client,
                                                                            const std::string& uri,
                                                                            std::string_view text) {
  const auto is_typed_along = [&](const std::shared_ptr<Job>& job) {
    if (job == nullptr || job->client != client || job->uri != uri || job->stop.stop_requested())
      return false;
    const auto typed = TypedSince(job->request, text);
    return typed && job->typing.Type(*typed);
  };
  if (is_typed_along(going_on_)) return going_on_;
  const auto job = std::find_if(jobs_.begin(), jobs_.end(), is_typed_along);
  return job == jobs_.end() ? nullptr : *job;
}

std::vector<std::shared_ptr<CompletionScheduler::Job>> CompletionScheduler::JobsAfter(
    const std::shared_ptr<Job>& job) const {
  std::vector<std::shared_ptr<Job>> after;
  std::copy_if(jobs_.begin(), jobs_.end(), std::back_inserter(after),
               [&job](const std::shared_ptr<Job>& other) { return other->after == job; });
  return after;
}

bool CompletionScheduler::PutAfterKept(const std::shared_ptr<Job>& job) {
  const std::optional<std::chrono::milliseconds> time = job->request.time_budget;
  if (kept_ == nullptr || kept_->client != job->client || kept_->uri != job->uri ||
      (time && !later_) || !MayGoOnFrom(kept_->request, job->request))
    return false;
  job->after = kept_;
  if (!time) return true;
  Later(*time, [this, waiting = std::weak_ptr<Job>(job)] {
    const auto late = waiting.lock();
    if (late != nullptr && late->after != nullptr) AnswerInTime(late);
  });
  return true;
}

void CompletionScheduler::AnswerInTime(const std::shared_ptr<Job>& job) {
  const std::shared_ptr<Job> computed = std::exchange(job->after, nullptr);
  auto answer = RestFor(computed->request, computed->cut, job->request);
  Finish(job, answer ? *std::move(answer)
                     : CompletionAnswer::Late(*job->request.time_budget,
                                              "while the text that is typed was being written"));
}

void CompletionScheduler::StopKept() {
  if (kept_ != nullptr) kept_->stop.request_stop();
  kept_.reset();
}

void CompletionScheduler::End(const std::shared_ptr<Job>& job, const CompletionAnswer& answer) {
  const bool is_kept = kept_ == job;
  if (is_kept) kept_.reset();
  const std::vector<std::shared_ptr<Job>> after = JobsAfter(job);
  for (const std::shared_ptr<Job>& next : after) {
    next->after.reset();
    if (const auto rest = RestFor(job->request, answer, next->request)) {
      Finish(next, *rest);
    } else {
      Enqueue(next);
    }
  }
  // The next question may come yet.
  if (is_kept && after.empty() && job->learn && !answer.cancelled) job->learn(job->request, answer);
}

void CompletionScheduler::OnEdit(uint64_t client, const std::string& uri, std::string_view text) {
  ++edits_;
  auto job = TypedAlongAt(client, uri, text);
  if (job == nullptr) return SupersedeDocument(client, uri);
  kept_ = std::move(job);
  ReleaseDocument(client, uri);
}

void CompletionScheduler::Cancel(uint64_t client, const protocol::RequestId& id) {
  const auto is_cancelled = [&](const Waiter& waiter) {
    return waiter.client == client && waiter.id == id;
  };
  const auto waiter = std::find_if(waiters_.begin(), waiters_.end(), is_cancelled);
  if (waiter == waiters_.end()) return;
  if (later_ && kept_ == nullptr && waiter->job->typing.Type({})) kept_ = waiter->job;
  Release(is_cancelled, Outcome::kCancelled);
  if (kept_ == nullptr) return;
  Later(kEditAfterCancel, [this, computed = std::weak_ptr<Job>(kept_), edits = edits_] {
    const auto job = computed.lock();
    if (job != nullptr && job == kept_ && edits == edits_ && JobsAfter(job).empty()) StopKept();
  });
}

void CompletionScheduler::SupersedeAll(uint64_t client) {
  if (kept_ != nullptr && kept_->client == client) StopKept();
  Release([client](const Waiter& waiter) { return waiter.client == client; }, Outcome::kSuperseded);
}

void CompletionScheduler::SupersedeDocument(uint64_t client, const std::string& uri) {
  if (kept_ != nullptr && kept_->client == client && kept_->uri == uri) StopKept();
  ReleaseDocument(client, uri);
}

void CompletionScheduler::ReleaseDocument(uint64_t client, const std::string& uri) {
  Release([&](const Waiter& waiter) { return waiter.client == client && waiter.uri == uri; },
          Outcome::kSuperseded);
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
  // It would stop what is typed along.
  if (kept_ != nullptr && kept_->client == client) return;
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
    CompletionRequest request = AfterWaiting(*job);
    request.on_progress = [computed = std::weak_ptr<Job>(job)](const CompletionProgress& progress) {
      const auto writing = computed.lock();
      if (writing == nullptr || progress.read_tokens < progress.prompt.size()) return;
      if (!writing->typing.Write(progress.middle)) writing->stop.request_stop();
    };
    answer = completer_.Complete(request, job->stop.get_token());
  }
  const bool cut = answer.cut_by_time;
  // What nobody needs any more goes with the job, and nothing of it stays with the worker.
  std::shared_ptr<Job> unfinished = cut ? job : nullptr;
  Post([this, job = std::move(job), cut, answer = std::move(answer)] {
    Finish(job, answer);
    if (!cut) return End(job, answer);
    ++background_;
    going_on_ = job;
    job->cut = answer;
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
    const auto stop_it = [&stop] { stop.request_stop(); };
    const std::stop_callback at_end(ending, stop_it);
    const std::stop_callback when_unwanted(job->stop.get_token(), stop_it);
    answer = completer_.GoOn(stop.get_token());
  }
  Post([this, job = std::move(job), answer = std::move(answer)] {
    --background_;
    if (going_on_ == job) going_on_.reset();
    job->request.time_budget.reset();
    if (kept_ != job && job->learn && !answer.cancelled) job->learn(job->request, answer);
    End(job, answer);
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
  scheduler_.Cancel(number_, id);
}

void CompletionScheduler::Client::OnEdit(const std::string& uri, std::string_view text) {
  scheduler_.OnEdit(number_, uri, text);
}

void CompletionScheduler::Client::SupersedeDocument(const std::string& uri) {
  scheduler_.SupersedeDocument(number_, uri);
}

void CompletionScheduler::Client::SupersedeMethod(const std::string& method,
                                                  const std::string& uri) {
  scheduler_.Release(
      [&](const Waiter& waiter) {
        return waiter.client == number_ && waiter.method == method && waiter.uri == uri;
      },
      Outcome::kSuperseded);
}

void CompletionScheduler::Client::SupersedeAll() { scheduler_.SupersedeAll(number_); }

}  // namespace tenon::server
