#include "model/kernels/processor_cores.h"

#include <sched.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

namespace tenon::model {
namespace {

// More than any processor's number; a file that names more is not believed.
constexpr int kMaxProcessors = 4096;
// Beyond these, decoding is bound by memory on every machine known.
constexpr int kMaxThreads = 16;

std::string ReadSmallFile(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::string line;
  std::getline(in, line);
  return line;
}

// The numbers of a list such as "0-3,8"; of what is no list, none.
std::set<int> NumbersOf(const std::string& list) {
  std::set<int> numbers;
  std::istringstream in(list);
  for (std::string part; std::getline(in, part, ',');) {
    std::istringstream range(part);
    int first = 0, last = 0;
    char dash = 0;
    if (!(range >> first)) continue;
    last = first;
    if (range >> dash && !(range >> last)) continue;
    for (int i = std::max(first, 0); i <= std::min(last, kMaxProcessors); ++i) numbers.insert(i);
  }
  return numbers;
}

// The processors that a group may use at a time, rounded up; kMaxProcessors where it may use all.
int QuotaOfGroup(const std::filesystem::path& group) {
  std::istringstream in(ReadSmallFile(group / "cpu.max"));  // "150000 100000", "max 100000"
  double quota = 0, period = 0;
  if (!(in >> quota >> period) || quota <= 0 || period <= 0) return kMaxProcessors;
  return static_cast<int>(std::min<double>(kMaxProcessors, (quota + period - 1) / period));
}

// The least quota of the process's group and of those around it. A container may not see the path
// of its group: then that of the uppermost one counts.
int QuotaOf(const std::filesystem::path& root) {
  const std::filesystem::path mount = root / "sys/fs/cgroup";
  std::filesystem::path group;  // "0::/user.slice/app.service"
  if (const std::string line = ReadSmallFile(root / "proc/self/cgroup"); line.starts_with("0::/"))
    group = line.substr(4);
  int least = QuotaOfGroup(mount);
  for (; !group.empty(); group = group.parent_path())
    least = std::min(least, QuotaOfGroup(mount / group));
  return least;
}

}  // namespace

int CountPerformanceCores(const std::vector<int>& allowed, const std::filesystem::path& root) {
  const std::filesystem::path sys = root / "sys";
  std::set<int> processors(allowed.begin(), allowed.end());
  const std::set<int> fast = NumbersOf(ReadSmallFile(sys / "devices/cpu_core/cpus"));
  std::set<int> chosen;
  std::set_intersection(processors.begin(), processors.end(), fast.begin(), fast.end(),
                        std::inserter(chosen, chosen.end()));
  if (!chosen.empty()) processors = std::move(chosen);
  std::set<int> cores;
  for (const int processor : processors) {
    const std::set<int> siblings =
        NumbersOf(ReadSmallFile(sys / "devices/system/cpu" / ("cpu" + std::to_string(processor)) /
                                "topology/thread_siblings_list"));
    cores.insert(siblings.empty() ? processor : *siblings.begin());
  }
  return std::clamp(static_cast<int>(cores.size()), 1, std::max(1, QuotaOf(root)));
}

int CountPerformanceCores() {
  cpu_set_t set;
  CPU_ZERO(&set);
  std::vector<int> allowed;
  if (sched_getaffinity(0, sizeof set, &set) == 0) {
    for (int i = 0; i < CPU_SETSIZE; ++i) {
      if (CPU_ISSET(i, &set)) allowed.push_back(i);
    }
  }
  return CountPerformanceCores(allowed);
}

int ThreadsForCores(int performance_cores) {
  if (performance_cores <= 2) return std::max(1, performance_cores);
  return std::min(performance_cores - 1, kMaxThreads);
}

}  // namespace tenon::model
