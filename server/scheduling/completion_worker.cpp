#include "server/scheduling/completion_worker.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "server/scheduling/free_memory.h"

namespace tenon::server {
namespace {

// After so long without a question the memory that completions have left free goes back to the
// system. The allocator keeps it: a third of a daemon. It takes a second of a busy machine.
constexpr std::chrono::seconds kRest{60};

}  // namespace

CompletionWorker::CompletionWorker(Parts parts)
    : parts_(std::move(parts)),
      alive_(std::make_shared<char>()),
      thread_([this](const std::stop_token& ending) { Run(ending); }) {}

CompletionWorker::~CompletionWorker() {
  thread_.request_stop();
  thread_.join();
}

void CompletionWorker::Compute(std::shared_ptr<Computation> computation) {
  last_ahead_.reset();
  {
    const std::lock_guard lock(mutex_);
    ForgetAhead(computation->client);
    queue_.push_back(std::move(computation));
    background_stop_.request_stop();
  }
  wake_.notify_one();
}

bool CompletionWorker::TakeBack(const std::shared_ptr<Computation>& computation) {
  const std::lock_guard lock(mutex_);
  return std::erase(queue_, computation) > 0;
}

void CompletionWorker::WorkAhead(uint64_t client, AheadTask task) {
  if (last_ahead_ != nullptr && last_ahead_->client == client &&
      last_ahead_->task.kind == task.kind && AskTheSame(last_ahead_->task.request, task.request))
    return;
  last_ahead_ = std::make_shared<ClientAhead>(ClientAhead{client, std::move(task)});
  {
    const std::lock_guard lock(mutex_);
    background_stop_.request_stop();
    if (ahead_ == nullptr) ++background_;
    ahead_ = last_ahead_;
  }
  wake_.notify_one();
}

void CompletionWorker::Forget(uint64_t client) {
  const std::lock_guard lock(mutex_);
  served_.erase(client);
  ForgetAhead(client);
}

void CompletionWorker::ForgetAhead(uint64_t client) {
  if (ahead_ == nullptr || ahead_->client != client) return;
  ahead_.reset();
  --background_;
}

std::shared_ptr<Computation> CompletionWorker::Next() {
  const auto turn = [this](const std::shared_ptr<Computation>& computation) {
    const auto served = served_.find(computation->client);
    return served == served_.end() ? 0 : served->second;
  };
  const auto next = std::min_element(
      queue_.rbegin(), queue_.rend(),
      [&turn](const auto& one, const auto& other) { return turn(one) < turn(other); });
  std::shared_ptr<Computation> computation = std::move(*next);
  queue_.erase(std::prev(next.base()));
  served_[computation->client] = ++turns_;
  return computation;
}

void CompletionWorker::Post(std::function<void()> task) {
  parts_.post([alive = std::weak_ptr<char>(alive_), task = std::move(task)] {
    if (!alive.expired()) task();
  });
}

CompletionRequest CompletionWorker::RequestNow(
    const std::shared_ptr<Computation>& computation) const {
  CompletionRequest request = computation->request;
  if (request.time_budget) {
    const auto waited =
        std::chrono::duration_cast<std::chrono::milliseconds>(parts_.now() - computation->asked);
    request.time_budget = std::max(*request.time_budget - waited, std::chrono::milliseconds(0));
  }
  request.on_progress =
      [written_by = std::weak_ptr<Computation>(computation)](const CompletionProgress& progress) {
        const auto writing = written_by.lock();
        if (writing == nullptr || progress.read_tokens < progress.prompt.size()) return;
        if (!writing->typing.Write(progress.middle)) writing->stop.request_stop();
      };
  return request;
}

void CompletionWorker::Complete(std::shared_ptr<Computation> computation,
                                const std::stop_token& ending) {
  CompletionAnswer answer = CompletionAnswer::Cancelled();
  if (!computation->stop.stop_requested())
    answer = parts_.completer.Complete(RequestNow(computation), computation->stop.get_token());
  const bool cut = answer.cut_by_time;
  // A text that nobody needs any more goes with the task, and nothing of it stays with the worker.
  std::shared_ptr<Computation> unfinished = cut ? computation : nullptr;
  Post([this, computation = std::move(computation), cut, answer = std::move(answer)] {
    if (cut) ++background_;
    parts_.on_answer(computation, answer);
  });
  if (cut) GoOn(std::move(unfinished), ending);
}

void CompletionWorker::GoOn(std::shared_ptr<Computation> computation,
                            const std::stop_token& ending) {
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
    const std::stop_callback when_unwanted(computation->stop.get_token(), stop_it);
    answer = parts_.completer.GoOn(stop.get_token());
  }
  Post([this, computation = std::move(computation), answer = std::move(answer)] {
    --background_;
    parts_.on_whole(computation, answer);
  });
}

void CompletionWorker::DoAhead(std::shared_ptr<ClientAhead> ahead, const std::stop_source& stop,
                               const std::stop_token& ending) {
  const std::stop_callback at_end(ending, [&stop] { stop.request_stop(); });
  const AheadTask& task = ahead->task;
  CompletionAnswer answer = CompletionAnswer::Cancelled();
  if (task.kind == AheadTask::Kind::kRead) {
    parts_.completer.ReadAhead(task.request, stop.get_token());
  } else {
    answer = parts_.completer.CompleteAhead(task.request, stop.get_token());
  }
  Post([this, ahead = std::move(ahead), answer = std::move(answer)] {
    --background_;
    if (ahead->task.learn && !answer.cancelled) ahead->task.learn(ahead->task.request, answer);
  });
}

void CompletionWorker::Run(const std::stop_token& ending) {
  bool memory_is_back = true;
  while (true) {
    std::shared_ptr<Computation> computation;
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
        computation = Next();
      } else {
        ahead = std::exchange(ahead_, nullptr);
        background_stop_ = stop;
      }
    }
    if (computation != nullptr) {
      Complete(std::move(computation), ending);
    } else {
      DoAhead(std::move(ahead), stop, ending);
    }
  }
}

}  // namespace tenon::server
