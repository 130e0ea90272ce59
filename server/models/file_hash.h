// The SHA-256 of a file: two files with the same one are the same.
//
// Example: the file of a model that was fetched well has the hash that models/registry.json names.
// One flipped bit gives another hash.
//
// A hash in the background is unhurried: after each block it rests nine times as long as the block
// took, so it has a tenth of one processor. Why not a low priority of its thread: the last thread
// of a process frees the process's memory, so a process whose last thread has SCHED_IDLE cannot
// end while others want the processor.
//
// Source: FIPS 180-4; computed by OpenSSL's libcrypto. Cost: a pass over the file, 1 s for 1.1 GB
// where the processor has instructions for it. Thread rule: a pure function of the file system.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

#include <tl/expected.hpp>

namespace tenon::server {

// Hears how many bytes have been read.
using HashProgress = std::function<void(uint64_t done_bytes)>;

// A listener for a hash in the background. `now` is a clock; `rest` sleeps, and returns early where
// the hash is stopped.
[[nodiscard]] HashProgress Unhurried(std::function<std::chrono::nanoseconds()> now,
                                     std::function<void(std::chrono::nanoseconds)> rest);

// In hexadecimal. The error names the file and why it could not be read; a stop is one, too.
[[nodiscard]] tl::expected<std::string, std::string> Sha256OfFile(
    const std::filesystem::path& path, const std::stop_token& stop = {},
    const HashProgress& on_progress = {});

}  // namespace tenon::server
