#include "server/scheduling/completion_scheduler.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>

namespace tenon::server {
namespace {

// From the cancel of a question to the edit that the editor tells afterwards.
constexpr std::chrono::milliseconds kEditAfterCancel{100};

}  // namespace

CompletionScheduler::CompletionScheduler(Completer& completer, PostTask post, Deadline::Clock now,
                                         RunLater later)
    : now_(now),
      later_(std::move(later)),
      alive_(std::make_shared<char>()),
      worker_(
          {.completer = completer,
           .post = std::move(post),
           .now = std::move(now),
           .on_answer = [this](const std::shared_ptr<Computation>& computation,
                               const CompletionAnswer& answer) { OnAnswer(computation, answer); },
           .on_whole = [this](const std::shared_ptr<Computation>&,
                              const CompletionAnswer& answer) { OnWhole(answer); }}) {}

CompletionScheduler::~CompletionScheduler() {
  StopKept();
  Release([](const Waiter&) { return true; }, Outcome::kSuperseded);
}

void CompletionScheduler::Drop(const std::shared_ptr<Job>& job) {
  if (job == kept_) return;
  job->Stop();
  if (job->waits || worker_.TakeBack(job->computation)) std::erase(jobs_, job);
}

void CompletionScheduler::Enqueue(const std::shared_ptr<Job>& job) {
  if (kept_ != nullptr && JobsAfter(kept_).empty()) StopKept();
  job->waits = false;
  worker_.Compute(job->computation);
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

std::shared_ptr<CompletionScheduler::Job> CompletionScheduler::JobFor(uint64_t client,
                                                                      Question& question) {
  for (const Waiter& waiter : waiters_) {
    const std::shared_ptr<Job>& job = waiter.job;
    if (waiter.client != client || waiter.uri != question.uri ||
        !AskTheSame(job->request(), question.request))
      continue;
    if (job->waits && job->after == nullptr && question.wait.count() == 0) Enqueue(job);
    return job;
  }
  const auto job = std::make_shared<Job>(
      Job{std::make_shared<Computation>(client, std::move(question.request), now_()), question.uri,
          std::move(question.learn)});
  jobs_.push_back(job);
  if (PutAfterKept(job)) {
    job->waits = true;
  } else if (later_ && question.wait.count() > 0) {
    job->waits = true;
    Later(question.wait, [this, waiting = std::weak_ptr<Job>(job)] {
      const auto due = waiting.lock();
      if (due != nullptr && due->waits && !due->computation->stop.stop_requested()) Enqueue(due);
    });
  } else {
    Enqueue(job);
  }
  return job;
}

void CompletionScheduler::Ask(uint64_t client, Question question, Answer answer) {
  const bool adds_missing_sign = question.request.adds_missing_sign;
  std::shared_ptr<Job> job = JobFor(client, question);
  // The new waiter comes first, so that a shared job is not stopped in between.
  waiters_.push_back({.client = client,
                      .id = question.id,
                      .method = std::move(question.method),
                      .uri = std::move(question.uri),
                      .adds_missing_sign = adds_missing_sign,
                      .job = std::move(job),
                      .answer = std::move(answer)});
  const Waiter* newest = &waiters_.back();
  Release(
      [newest](const Waiter& waiter) {
        return &waiter != newest && waiter.client == newest->client &&
               waiter.method == newest->method && waiter.uri == newest->uri;
      },
      Outcome::kSuperseded);
}

void CompletionScheduler::Finish(const std::shared_ptr<Job>& job, const CompletionAnswer& answer) {
  std::erase(jobs_, job);
  ComputeWithoutSign(*job, answer);
  std::list<Waiter> done;
  for (auto at = waiters_.begin(); at != waiters_.end();) {
    const auto next = std::next(at);
    if (at->job == job) done.splice(done.end(), waiters_, at);
    at = next;
  }
  for (const Waiter& waiter : done) waiter.answer(Outcome::kAnswered, answer);
}

void CompletionScheduler::ComputeWithoutSign(const Job& job, const CompletionAnswer& answer) {
  if (std::none_of(answer.items.begin(), answer.items.end(),
                   [](const CompletionItem& item) { return item.missing_sign.has_value(); }))
    return;
  std::shared_ptr<Job> without;
  for (Waiter& waiter : waiters_) {
    if (waiter.job.get() != &job || waiter.adds_missing_sign) continue;
    if (without == nullptr) {
      CompletionRequest request = job.request();
      request.adds_missing_sign = false;
      without = std::make_shared<Job>(
          Job{std::make_shared<Computation>(job.computation->client, std::move(request),
                                            job.computation->asked),
              job.uri, job.learn});
      jobs_.push_back(without);
      Enqueue(without);
    }
    waiter.job = without;
  }
}

std::shared_ptr<CompletionScheduler::Job> CompletionScheduler::TypedAlongAt(uint64_t client,
                                                                            const std::string& uri,
                                                                            std::string_view text) {
  const auto is_typed_along = [&](const std::shared_ptr<Job>& job) {
    if (job == nullptr || !job->IsOf(client, uri) || job->computation->stop.stop_requested())
      return false;
    const auto typed = TypedSince(job->request(), text);
    return typed && job->computation->typing.Type(*typed);
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
  const std::optional<std::chrono::milliseconds> time = job->request().time_budget;
  if (kept_ == nullptr || !kept_->IsOf(job->computation->client, job->uri) || (time && !later_) ||
      !MayGoOnFrom(kept_->request(), job->request()))
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
  const std::shared_ptr<Job> before = std::exchange(job->after, nullptr);
  if (before->cut) {
    if (const auto rest = RestFor(before->request(), *before->cut, job->request()))
      return Finish(job, *rest);
  }
  Finish(job, CompletionAnswer::Late(*job->request().time_budget,
                                     "while the text that is typed was being written"));
}

void CompletionScheduler::StopKept() {
  if (kept_ != nullptr) kept_->Stop();
  kept_.reset();
}

void CompletionScheduler::OnAnswer(const std::shared_ptr<Computation>& computation,
                                   const CompletionAnswer& answer) {
  const auto at =
      std::find_if(jobs_.begin(), jobs_.end(), [&computation](const std::shared_ptr<Job>& other) {
        return other->computation == computation;
      });
  assert(at != jobs_.end() && "a job stays until the worker hands its computation back");
  const std::shared_ptr<Job> job = *at;
  Finish(job, answer);
  if (!answer.cut_by_time) return End(job, answer);
  going_on_ = job;
  job->cut = answer;
}

void CompletionScheduler::OnWhole(const CompletionAnswer& answer) {
  End(std::exchange(going_on_, nullptr), answer);
}

void CompletionScheduler::End(const std::shared_ptr<Job>& job, const CompletionAnswer& answer) {
  const bool was_kept = kept_ == job;
  if (was_kept) kept_.reset();
  const std::vector<std::shared_ptr<Job>> after = JobsAfter(job);
  for (const std::shared_ptr<Job>& next : after) {
    next->after.reset();
    if (const auto rest = RestFor(job->request(), answer, next->request())) {
      Finish(next, *rest);
    } else {
      Enqueue(next);
    }
  }
  const bool is_told = was_kept ? !after.empty() : !job->cut;
  if (is_told || !job->learn || answer.cancelled) return;
  CompletionRequest request = job->request();
  if (job->cut) request.time_budget.reset();
  job->learn(request, answer);
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
  if (later_ && kept_ == nullptr && waiter->job->computation->typing.Type({})) kept_ = waiter->job;
  Release(is_cancelled, Outcome::kCancelled);
  if (kept_ == nullptr) return;
  Later(kEditAfterCancel, [this, computed = std::weak_ptr<Job>(kept_), edits = edits_] {
    const auto job = computed.lock();
    if (job != nullptr && job == kept_ && edits == edits_ && JobsAfter(job).empty()) StopKept();
  });
}

void CompletionScheduler::SupersedeAll(uint64_t client) {
  if (kept_ != nullptr && kept_->computation->client == client) StopKept();
  Release([client](const Waiter& waiter) { return waiter.client == client; }, Outcome::kSuperseded);
}

void CompletionScheduler::SupersedeDocument(uint64_t client, const std::string& uri) {
  if (kept_ != nullptr && kept_->IsOf(client, uri)) StopKept();
  ReleaseDocument(client, uri);
}

void CompletionScheduler::ReleaseDocument(uint64_t client, const std::string& uri) {
  Release([&](const Waiter& waiter) { return waiter.client == client && waiter.uri == uri; },
          Outcome::kSuperseded);
}

void CompletionScheduler::WorkAhead(uint64_t client, AheadTask task) {
  // It would stop what is typed along.
  if (kept_ == nullptr || kept_->computation->client != client)
    worker_.WorkAhead(client, std::move(task));
}

void CompletionScheduler::Later(std::chrono::milliseconds wait, std::function<void()> task) {
  later_(wait, [alive = std::weak_ptr<char>(alive_), task = std::move(task)] {
    if (!alive.expired()) task();
  });
}

CompletionScheduler::Client::Client(CompletionScheduler& scheduler)
    : scheduler_(scheduler), number_(++scheduler.clients_) {}

CompletionScheduler::Client::~Client() {
  SupersedeAll();
  scheduler_.worker_.Forget(number_);
}

void CompletionScheduler::Client::NameDocument(CompletionRequest& request) const {
  request.document = std::to_string(number_) + ":" + request.document;
}

void CompletionScheduler::Client::Ask(Question question, Answer answer) {
  NameDocument(question.request);
  scheduler_.Ask(number_, std::move(question), std::move(answer));
}

void CompletionScheduler::Client::WorkAhead(AheadTask task) {
  NameDocument(task.request);
  scheduler_.WorkAhead(number_, std::move(task));
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
