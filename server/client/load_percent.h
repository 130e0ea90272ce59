// Which percents of loading a client is told: each is larger than the one before, there are ten a
// second at most, and the last one is always told.
//
// Example: 3 % at 0 ms, 4 % at 20 ms, 9 % at 100 ms and 100 % at 110 ms. Told are 3, 9 and 100.
//
// Cost: a comparison. Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <optional>

namespace tenon::server {

class LoadPercent {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::milliseconds kBetween{100};

  // Another model is loaded from here on.
  void Begin() { *this = LoadPercent(); }
  // Is this percent told?
  [[nodiscard]] bool IsTold(int percent, Time now) {
    if (percent <= told_) return false;
    if (percent < 100 && told_at_ && now - *told_at_ < kBetween) return false;
    told_ = percent;
    told_at_ = now;
    return true;
  }

 private:
  int told_ = 0;
  std::optional<Time> told_at_;
};

}  // namespace tenon::server
