// The milliseconds of the stages of an answer.
//
// Example: Lap("gap") writes the time since the stopwatch was made, the next Lap("decode") that
// since then; "total" is their sum.
//
// Cost: a look at the clock for each stage. Thread rule: one thread at a time.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace tenon::server {

class Stopwatch {
 public:
  explicit Stopwatch(std::map<std::string, double>& timings)
      : timings_(timings), last_(Clock::now()) {}
  void Lap(const char* stage) {
    const auto now = Clock::now();
    timings_[stage] = std::chrono::duration<double, std::milli>(now - last_).count();
    timings_["total"] += timings_[stage];
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::map<std::string, double>& timings_;
  Clock::time_point last_;
};

}  // namespace tenon::server
