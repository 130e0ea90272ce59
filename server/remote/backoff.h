// When a server that fails may be asked again.
//
// Example: a server refuses connections. It is asked again after 250 ms, then after 500 ms, 1 s,
// and so on up to kMaxPause; one answer makes all good. A busy server may say itself how long it
// wants to be left alone (Retry-After); more than kMaxPause it does not get.
//
// Cost: constant. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

namespace tenon::server {

class Backoff {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kFirst{250};
  static constexpr std::chrono::milliseconds kMaxPause{30'000};

  // Zero: it may be asked now.
  [[nodiscard]] std::chrono::nanoseconds Left(Time now) const {
    return std::max<std::chrono::nanoseconds>(next_ - now, std::chrono::nanoseconds(0));
  }
  void Failed(Time now, std::optional<std::chrono::milliseconds> wanted = {}) {
    next_ = now + std::min(std::max(pause_, wanted.value_or(pause_)), kMaxPause);
    pause_ = std::min(2 * pause_, kMaxPause);
  }
  void Succeeded() {
    next_ = {};
    pause_ = kFirst;
  }

 private:
  Time next_{};
  std::chrono::milliseconds pause_ = kFirst;
};

}  // namespace tenon::server
