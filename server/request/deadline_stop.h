// A stop token that says stop when a request is cancelled, and when its time is over.
//
// Opening a gap asks a stop token now and then (document.h), and knows nothing of time. Example:
// with 250 ms left and no cancellation the token says stop after 250 ms.
//
// Cost: a thread where there is a deadline, else nothing. Thread rule: the token may be asked from
// any thread; the object belongs to one.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "server/request/deadline.h"

namespace tenon::server {

class DeadlineStop {
 public:
  DeadlineStop(const Deadline& deadline, const std::stop_token& cancel);
  DeadlineStop(const DeadlineStop&) = delete;
  DeadlineStop& operator=(const DeadlineStop&) = delete;

  [[nodiscard]] std::stop_token token() const { return token_; }

 private:
  struct Forward {
    std::stop_source& to;
    void operator()() const { to.request_stop(); }
  };

  std::stop_source either_;
  std::stop_token token_;
  std::mutex mutex_;
  std::condition_variable_any ended_;
  // These come last, so that the members they use outlive them.
  std::optional<std::stop_callback<Forward>> on_cancel_;
  std::jthread timer_;
};

}  // namespace tenon::server
