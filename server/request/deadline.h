// The end of a request's time.
//
// Example: with a budget of 300 ms, begun at 12:00:00.000, passed() is false at 12:00:00.299 and
// true from 12:00:00.300 on. A deadline without a budget never passes.
//
// Cost: one look at the clock for each call. Thread rule: that of its clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <functional>
#include <optional>
#include <utility>

namespace tenon::server {

class Deadline {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  Deadline() = default;  // never
  // `budget` begins now; without a budget it never ends.
  Deadline(std::optional<std::chrono::milliseconds> budget, Clock now) : now_(std::move(now)) {
    if (budget) end_ = now_() + *budget;
  }

  [[nodiscard]] bool exists() const { return end_.has_value(); }
  [[nodiscard]] bool passed() const { return end_ && now_() >= *end_; }
  // The time until it passes, zero where it has; nothing where it never does.
  [[nodiscard]] std::optional<std::chrono::nanoseconds> left() const {
    if (!end_) return std::nullopt;
    return std::max(std::chrono::nanoseconds(0), std::chrono::nanoseconds(*end_ - now_()));
  }

 private:
  Clock now_;
  std::optional<std::chrono::steady_clock::time_point> end_;
};

}  // namespace tenon::server
