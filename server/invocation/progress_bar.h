// A bar on a terminal that shows how far a long command is, and how long the rest will take.
//
//   [============                  ] 12/30 compiling, 3 min 20 s left
//
// The time left is that of the steps so far, a mean, for each step that is not finished. It is
// shown from the second step on, where a bar is made to show it: its steps are then about equal.
//
// The bar is drawn anew at each step, on the stream for messages, and wiped at the end. Away from a
// terminal, and with --json, nothing is drawn.
// Cost: a line of text a step. Thread rule: the main thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <iosfwd>
#include <string>
#include <string_view>

#include "server/invocation/invocation.h"

namespace tenon::server {

using Now = std::function<std::chrono::steady_clock::time_point()>;

class ProgressBar {
 public:
  enum class Steps { kDifferent, kEqual };
  ProgressBar(const Invocation& invocation, size_t steps, Steps are = Steps::kDifferent);
  // `shown`: is the stream a terminal?
  ProgressBar(std::ostream& err, bool shown, size_t steps, Steps are, Now now);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  // The next step begins, and the one before it is finished.
  void Begin(std::string_view what);

 private:
  std::ostream& err_;
  bool shown_;
  size_t steps_;
  Steps are_;
  Now now_;
  std::chrono::steady_clock::time_point begun_;
  size_t done_ = 0;
};

// "45 s", "3 min 20 s", "2 h 5 min".
[[nodiscard]] std::string DurationText(std::chrono::duration<double> duration);

}  // namespace tenon::server
