// The connections to one server that wait for their next question: TCP and TLS hands are shaken
// once, not for each request.
//
//   an answer was read whole      Give keeps its connection, for the next question's Take
//   an answer is dropped half way its connection is closed, for so the server stops. The next
//                                 question, which comes at once where a middle is repaired, finds
//                                 the spare one that Prepare has made while the answer came
//
// Example: a server is 30 ms away. Without this each request begins 60 ms late by TCP and TLS.
//
// At most kMaxKept wait, each for at most kIdle; those that the server has closed are given to
// nobody. A spare one that cannot be made is no fault: whoever asks next finds the fault.
//
// Cost: a thread, which sleeps, from the first connection that is given or prepared on.
// Thread rule: any threads at once.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "server/remote/http_connection.h"

namespace tenon::server {

class KeptConnections {
 public:
  static constexpr size_t kMaxKept = 2;
  static constexpr std::chrono::milliseconds kIdle{20'000};

  // An open connection, on the thread of these; null where there is none.
  using Open = std::function<std::unique_ptr<HttpConnection>(const std::stop_token& stop)>;
  explicit KeptConnections(Open open, std::chrono::milliseconds idle = kIdle)
      : open_(std::move(open)), idle_(idle) {}

  // The one that was used last; null: there is none.
  [[nodiscard]] std::unique_ptr<HttpConnection> Take();
  // REQUIRES: reusable, or just opened.
  void Give(std::unique_ptr<HttpConnection> connection);
  // Makes a spare one, where none waits.
  void Prepare();

 private:
  struct Kept {
    std::unique_ptr<HttpConnection> connection;
    std::chrono::steady_clock::time_point until;
  };
  void Run(const std::stop_token& stop);
  // REQUIRES: mutex_ is held.
  void Add(std::unique_ptr<HttpConnection> connection);
  void Start();

  const Open open_;
  const std::chrono::milliseconds idle_;
  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::deque<Kept> kept_;  // the oldest first; guarded by mutex_, as the next one
  bool wants_spare_ = false;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace tenon::server
