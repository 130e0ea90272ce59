#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/kept_connections.h"

namespace tenon::server {

using std::chrono::steady_clock;

std::unique_ptr<HttpConnection> KeptConnections::Take() {
  const std::lock_guard lock(mutex_);
  while (!kept_.empty()) {
    std::unique_ptr<HttpConnection> last = std::move(kept_.back().connection);
    kept_.pop_back();
    if (last->seems_idle()) return last;
  }
  return nullptr;
}

void KeptConnections::Give(std::unique_ptr<HttpConnection> connection) {
  const std::lock_guard lock(mutex_);
  Add(std::move(connection));
  Start();
}

void KeptConnections::Prepare() {
  const std::lock_guard lock(mutex_);
  if (!kept_.empty() || wants_spare_) return;
  wants_spare_ = true;
  Start();
}

void KeptConnections::Add(std::unique_ptr<HttpConnection> connection) {
  if (kept_.size() == kMaxKept) kept_.pop_front();
  kept_.push_back({std::move(connection), steady_clock::now() + idle_});
}

void KeptConnections::Start() {
  if (!thread_.joinable())
    thread_ = std::jthread([this](const std::stop_token& stop) { Run(stop); });
  changed_.notify_one();
}

void KeptConnections::Run(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (!stop.stop_requested()) {
    while (!kept_.empty() && kept_.front().until <= steady_clock::now()) kept_.pop_front();
    if (wants_spare_) {
      lock.unlock();
      auto spare = open_(stop);
      lock.lock();
      wants_spare_ = false;
      if (spare) Add(std::move(spare));
      continue;
    }
    const auto wanted = [this] { return wants_spare_; };
    if (kept_.empty()) {
      changed_.wait(lock, stop, [&] { return wanted() || !kept_.empty(); });
    } else {
      // A copy: it is read while others hold the lock.
      const steady_clock::time_point until = kept_.front().until;
      changed_.wait_until(lock, stop, until, wanted);
    }
  }
}

}  // namespace tenon::server
