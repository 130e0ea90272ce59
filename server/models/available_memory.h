// How much memory a new program can take: the model's choice depends on it.
//
// The number is the least of
//   MemAvailable of /proc/meminfo, and
//   for each memory control group of this process and each group above it:
//   limit - usage + file pages, which the kernel drops when it needs room.
// Example: a container limited to 2 GB that uses 0.5 GB, 0.1 GB of them file pages, has 1.6 GB,
// though the machine has 16 GB free. Control groups of both versions are read (memory.max of
// version 2, memory.limit_in_bytes of version 1):
// https://docs.kernel.org/admin-guide/cgroup-v2.html.
// Cost: a few small files of /proc and /sys, below 1 ms. Thread rule: a pure function of those
// files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tenon::server {

// In bytes; nothing where /proc says nothing. `root` is the root folder, another one in tests.
[[nodiscard]] std::optional<uint64_t> AvailableMemoryBytes(const std::filesystem::path& root = "/");

}  // namespace tenon::server
