#include "server/invocation/progress_bar.h"

#include <algorithm>
#include <cmath>
#include <ostream>
#include <utility>

#include <fmt/format.h>

namespace tenon::server {

ProgressBar::ProgressBar(const Invocation& invocation, size_t steps, Steps are)
    : ProgressBar(invocation.process().err,
                  invocation.process().out_is_terminal && !invocation.json(), steps, are,
                  [] { return std::chrono::steady_clock::now(); }) {}

ProgressBar::ProgressBar(std::ostream& err, bool shown, size_t steps, Steps are, Now now)
    : err_(err),
      shown_(shown),
      steps_(std::max<size_t>(steps, 1)),
      are_(are),
      now_(std::move(now)),
      begun_(now_()) {}

ProgressBar::~ProgressBar() {
  if (shown_) err_ << "\r\x1b[K" << std::flush;
}

void ProgressBar::Begin(std::string_view what) {
  constexpr size_t kWidth = 30;
  const size_t done = done_++;
  if (!shown_) return;
  const size_t full = kWidth * std::min(done, steps_) / steps_;
  std::string text = fmt::format("\r\x1b[K[{:=<{}}{: <{}}] ", "", full, "", kWidth - full);
  if (are_ == Steps::kEqual) text += fmt::format("{}/{} ", done, steps_);
  text += what;
  if (are_ == Steps::kEqual && done > 0 && done < steps_) {
    const std::chrono::duration<double> spent = now_() - begun_;
    text += fmt::format(", {} left", DurationText(spent / static_cast<double>(done) *
                                                  static_cast<double>(steps_ - done)));
  }
  err_ << text << std::flush;
}

std::string DurationText(std::chrono::duration<double> duration) {
  const auto seconds = static_cast<long>(std::lround(std::max(duration.count(), 0.0)));
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {} min", seconds / 3600, seconds / 60 % 60);
}

}  // namespace tenon::server
