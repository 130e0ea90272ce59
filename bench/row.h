// A row of a benchmark: how long one kind of work took, as a JSON object on a line of its own.
//
// Percentiles are values that were measured, none is interpolated. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace tenon::bench {

// Time of this thread's processor alone: what else the machine does is not measured.
struct Clock {
  using duration = std::chrono::nanoseconds;
  static duration now() {
    timespec spent{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
  }
};

class Row {
 public:
  // `per_second`: how many of the unit a second has.
  Row(std::string name, std::string unit, double per_second)
      : name_(std::move(name)), unit_(std::move(unit)), scale_(per_second) {}
  // What `work` returns.
  template <typename Work>
  auto Time(Work work) {
    const auto start = Clock::now();
    auto result = work();
    values_.push_back(std::chrono::duration<double>(Clock::now() - start).count() * scale_);
    return result;
  }
  // {"name", "unit", "p50", "p90", "p99", "max", "count"}; nothing where nothing was timed.
  void Print() {
    if (values_.empty()) return;
    std::sort(values_.begin(), values_.end());
    const auto at = [&](double share) {
      return values_[static_cast<size_t>(share * static_cast<double>(values_.size() - 1))];
    };
    std::printf("%s\n", nlohmann::json{{"name", name_},
                                       {"unit", unit_},
                                       {"p50", at(0.5)},
                                       {"p90", at(0.9)},
                                       {"p99", at(0.99)},
                                       {"max", at(1)},
                                       {"count", values_.size()}}
                            .dump()
                            .c_str());
  }

 private:
  std::string name_, unit_;
  double scale_;
  std::vector<double> values_;
};

}  // namespace tenon::bench
