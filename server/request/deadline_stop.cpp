#include "server/request/deadline_stop.h"

namespace tenon::server {

DeadlineStop::DeadlineStop(const Deadline& deadline, const std::stop_token& cancel) {
  const auto left = deadline.left();
  if (!left) {
    token_ = cancel;
    return;
  }
  token_ = either_.get_token();
  on_cancel_.emplace(cancel, Forward{either_});
  timer_ = std::jthread([this, left = *left](const std::stop_token& done) {
    std::unique_lock lock(mutex_);
    ended_.wait_for(lock, done, left, [] { return false; });
    if (!done.stop_requested()) either_.request_stop();
  });
}

}  // namespace tenon::server
