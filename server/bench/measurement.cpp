#include "server/bench/measurement.h"

#include <malloc.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numeric>
#include <thread>
#include <utility>

#include <fmt/format.h>

#include "server/request/percentile.h"

namespace tenon::server {
namespace {

using nlohmann::json;

// The text after "key :" in a file of such lines; empty where there is none.
std::string ValueOf(const char* path, std::string_view key) {
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const size_t begin = line.find_first_not_of(" \t:", key.size());
    return begin == std::string::npos ? std::string() : line.substr(begin);
  }
  return {};
}

std::string Figure(const json& row, const char* member) {
  const auto found = row.find(member);
  if (found == row.end() || !found->is_number()) return "";
  if (found->is_number_integer()) return fmt::format("{}", found->get<int64_t>());
  const double value = found->get<double>();
  const int digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3;
  return fmt::format("{:.{}f}", value, digits);
}

// REQUIRES: some values.
class Percentiles {
 public:
  explicit Percentiles(std::vector<double> values) : sorted_(std::move(values)) {
    std::sort(sorted_.begin(), sorted_.end());
  }
  double At(double share) const { return PercentileOf(sorted_, share); }

 private:
  std::vector<double> sorted_;
};

}  // namespace

Timings::Timings(std::string name, TimeUnit unit)
    : name_(std::move(name)),
      has_processor_time_(unit == TimeUnit::kMilliseconds),
      per_second_(unit == TimeUnit::kMicroseconds ? 1e6 : 1e3),
      unit_(unit == TimeUnit::kMicroseconds ? "us" : "ms") {}

double Timings::total() const { return std::accumulate(values_.begin(), values_.end(), 0.0); }

std::chrono::duration<double> Timings::ProcessorTime() {
  timespec spent{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return std::chrono::seconds(spent.tv_sec) + std::chrono::nanoseconds(spent.tv_nsec);
}

json Timings::Row() const {
  const Percentiles wall(values_);
  json row = {{"name", name_},           {"unit", unit_},        {"p50", wall.At(0.5)},
              {"p90", wall.At(0.9)},     {"p99", wall.At(0.99)}, {"max", wall.At(1)},
              {"count", values_.size()}, {"total", total()}};
  if (!processor_values_.empty()) {
    const Percentiles processor(processor_values_);
    row.update({{"cpu_p50", processor.At(0.5)},
                {"cpu_p90", processor.At(0.9)},
                {"cpu_p99", processor.At(0.99)}});
  }
  row.update(notes_);
  return row;
}

json CountRow(std::string name, size_t count) {
  return {{"name", std::move(name)}, {"unit", "count"}, {"count", count}};
}

json ValueRow(std::string name, std::string unit, double value) {
  return {{"name", std::move(name)},
          {"unit", std::move(unit)},
          {"p50", value},
          {"p90", value},
          {"p99", value},
          {"max", value},
          {"count", 1}};
}

json ValuesRow(std::string name, std::string unit, std::vector<double> values) {
  const size_t count = values.size();
  const Percentiles of(std::move(values));
  return {{"name", std::move(name)}, {"unit", std::move(unit)}, {"p50", of.At(0.5)},
          {"p90", of.At(0.9)},       {"p99", of.At(0.99)},      {"max", of.At(1)},
          {"count", count}};
}

json MachineRow(const Invocation& invocation) {
  const long pages = sysconf(_SC_PHYS_PAGES);
  return {{"name", "machine"},
          {"cpu", ValueOf("/proc/cpuinfo", "model name")},
          {"cores", std::thread::hardware_concurrency()},
          {"memory_mb", pages > 0 ? pages / 1000 * sysconf(_SC_PAGESIZE) / 1000 : 0},
          {"compiler", "g++ " __VERSION__},
#ifdef NDEBUG
          {"build", "optimised"},
#else
          {"build", "with assertions"},
#endif
          {"version", invocation.process().version}};
}

double ResidentMb() {
  malloc_trim(0);
  std::ifstream in("/proc/self/statm");
  double pages = 0, resident = 0;
  in >> pages >> resident;
  return resident * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
}

void PrintHead(const Invocation& invocation) {
  const json machine = MachineRow(invocation);
  if (invocation.json()) return invocation.PrintJson(machine);
  invocation.Print(fmt::format("{}, {} cores, {} MB; {}, {}\n\n", machine["cpu"].get<std::string>(),
                               machine["cores"].get<int>(), machine["memory_mb"].get<int64_t>(),
                               machine["compiler"].get<std::string>(),
                               machine["build"].get<std::string>()));
  invocation.Print(fmt::format("{:26} {:>6} {:>9} {:>9} {:>9} {:>9} {:>8}\n", "", "unit", "p50",
                               "p90", "p99", "max", "count"));
}

void PrintRow(const Invocation& invocation, const json& row) {
  if (invocation.json()) return invocation.PrintJson(row);
  std::string line =
      fmt::format("{:26} {:>6} {:>9} {:>9} {:>9} {:>9} {:>8}", row["name"].get<std::string>(),
                  row.value("unit", ""), Figure(row, "p50"), Figure(row, "p90"), Figure(row, "p99"),
                  Figure(row, "max"), Figure(row, "count"));
  for (const auto& [name, value] : row.items()) {
    static constexpr std::string_view kColumns[] = {"name", "unit", "p50",   "p90",
                                                    "p99",  "max",  "count", "total"};
    if (std::find(std::begin(kColumns), std::end(kColumns), name) != std::end(kColumns)) continue;
    line += fmt::format("  {}={}", name,
                        value.is_number_float() ? Figure(row, name.c_str()) : value.dump());
  }
  invocation.Print(line + "\n");
}

}  // namespace tenon::server
