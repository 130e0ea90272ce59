// The measurements of a benchmark, as rows: times with their percentiles, counts, and the machine
// that they come from.
//
// A row is {"name", "unit", "p50", "p90", "p99", "max", "count", …} in JSON and a line of a table
// otherwise. A percentile p is the smallest value that at least p of all values do not exceed.
// Example: of the times 1, 2, 3 and 9 ms p50 is 2 and p90 is 9.
// Rows in ms also hold "cpu_p50", "cpu_p90" and "cpu_p99": processor time of the whole process,
// which other programs on the machine hardly change. Rows in us do not: reading that clock takes as
// long as the work itself.
// Cost: a clock reading before and after each measured call. Thread rule: one thread.
#pragma once

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/invocation/invocation.h"

namespace tenon::server {

enum class TimeUnit { kMicroseconds, kMilliseconds };

class Timings {
 public:
  Timings(std::string name, TimeUnit unit);

  // Runs `work` and keeps how long it took. REQUIRES: it returns a value.
  template <typename Work>
  auto Time(Work work) {
    const std::chrono::duration<double> spent =
        has_processor_time_ ? ProcessorTime() : std::chrono::duration<double>();
    const auto begun = std::chrono::steady_clock::now();
    auto result = work();
    Add(std::chrono::steady_clock::now() - begun);
    if (has_processor_time_)
      processor_values_.push_back((ProcessorTime() - spent).count() * per_second_);
    return result;
  }
  void Add(std::chrono::duration<double> took) { values_.push_back(took.count() * per_second_); }
  // A further member of the row: the length of a file, a seed.
  void Note(std::string name, nlohmann::json value) { notes_[std::move(name)] = std::move(value); }

  [[nodiscard]] bool empty() const { return values_.empty(); }
  [[nodiscard]] double total() const;  // in the row's unit
  // The newest value. REQUIRES: not empty.
  [[nodiscard]] std::chrono::duration<double> last_taken() const {
    return std::chrono::duration<double>(values_.back() / per_second_);
  }
  [[nodiscard]] nlohmann::json Row() const;  // REQUIRES: not empty

 private:
  // Of the whole process.
  static std::chrono::duration<double> ProcessorTime();

  std::string name_;
  bool has_processor_time_;
  double per_second_;
  const char* unit_;
  std::vector<double> values_, processor_values_;
  nlohmann::json notes_ = nlohmann::json::object();
};

// {"name", "unit": "count", "count"}
[[nodiscard]] nlohmann::json CountRow(std::string name, size_t count);
// A single value in some unit: the same in every percentile.
[[nodiscard]] nlohmann::json ValueRow(std::string name, std::string unit, double value);
// Values in some unit, and their percentiles. REQUIRES: not empty.
[[nodiscard]] nlohmann::json ValuesRow(std::string name, std::string unit,
                                       std::vector<double> values);
// {"name": "machine", "cpu", "cores", "memory_mb", "compiler", "build", "version"}
[[nodiscard]] nlohmann::json MachineRow(const Invocation& invocation);

// Memory that the process holds now, in MB (10^6 bytes); memory that was freed is given back to
// the system first.
[[nodiscard]] double ResidentMb();

// One row as JSON, or as a line of the table that PrintHead begins.
void PrintHead(const Invocation& invocation);
void PrintRow(const Invocation& invocation, const nlohmann::json& row);

}  // namespace tenon::server
