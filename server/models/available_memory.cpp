#include "server/models/available_memory.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <string_view>

namespace tenon::server {
namespace {

namespace fs = std::filesystem;

using Keys = std::array<std::string_view, 2>;

// The numbers after the words `keys`, summed, in a file with lines "KEY NUMBER".
std::optional<uint64_t> SumOf(const fs::path& file, const Keys& keys) {
  std::ifstream in(file);
  std::optional<uint64_t> sum;
  for (std::string key, rest; in >> key; std::getline(in, rest)) {
    uint64_t value = 0;
    if (std::find(keys.begin(), keys.end(), key) != keys.end() && in >> value)
      sum = sum.value_or(0) + value;
  }
  return sum;
}

std::optional<uint64_t> NumberIn(const fs::path& file) {
  std::ifstream in(file);
  uint64_t value = 0;
  if (!(in >> value)) return std::nullopt;  // absent, or "max"
  return value;
}

// The names of a control group's files, by version.
struct GroupFiles {
  const char* limit;
  const char* usage;
  Keys file_pages;  // in memory.stat
};
constexpr GroupFiles kVersion2{"memory.max", "memory.current", {"inactive_file", "active_file"}};
constexpr GroupFiles kVersion1{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file", "total_active_file"}};

// The memory that one group leaves free; nothing where it has no limit.
std::optional<uint64_t> LeftIn(const fs::path& group, const GroupFiles& files) {
  const auto limit = NumberIn(group / files.limit), usage = NumberIn(group / files.usage);
  if (!limit || !usage) return std::nullopt;
  const uint64_t file_pages = SumOf(group / "memory.stat", files.file_pages).value_or(0);
  const uint64_t held = *usage - std::min(*usage, file_pages);
  return *limit - std::min(*limit, held);
}

// Lowers `least` to what the group `path` below `mount`, and each group above it, leaves free.
void LimitByGroups(const fs::path& mount, fs::path path, const GroupFiles& files,
                   std::optional<uint64_t>& least) {
  for (path = path.relative_path();; path = path.parent_path()) {
    if (const auto left = LeftIn(mount / path, files))
      least = std::min(*left, least.value_or(*left));
    if (path.empty()) return;
  }
}

bool HasController(std::string_view controllers, std::string_view wanted) {
  while (!controllers.empty()) {
    const size_t comma = std::min(controllers.find(','), controllers.size());
    if (controllers.substr(0, comma) == wanted) return true;
    controllers.remove_prefix(std::min(comma + 1, controllers.size()));
  }
  return false;
}

}  // namespace

std::optional<uint64_t> AvailableMemoryBytes(const fs::path& root) {
  std::optional<uint64_t> least = SumOf(root / "proc" / "meminfo", {"MemAvailable:", ""});
  if (least) *least *= 1024;
  std::ifstream groups(root / "proc" / "self" / "cgroup");
  const fs::path mount = root / "sys" / "fs" / "cgroup";
  for (std::string line; std::getline(groups, line);) {  // "ID:CONTROLLERS:PATH"
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path path = line.substr(second + 1);
    if (controllers.empty()) LimitByGroups(mount, path, kVersion2, least);
    if (HasController(controllers, "memory"))
      LimitByGroups(mount / "memory", path, kVersion1, least);
  }
  return least;
}

}  // namespace tenon::server
