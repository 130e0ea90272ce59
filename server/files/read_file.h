// The bytes of a file, where it is one: the only place of server/ that reads files whole.
//
// Example: ReadFile("/tmp") fails with "/tmp: is a folder; name a file". A pipe, a socket or a
// device, which may never end, is refused without waiting for it; so is a file that is larger than
// anything tenon reads.
//
// Cost: linear in the file, which is held whole. Thread rule: a pure function of the file system.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <tl/expected.hpp>

namespace tenon::server {

// As large as a message of an editor may be (protocol/framing.h).
constexpr size_t kMaxFileBytes = size_t{64} << 20;

// The error names the file and why it is not read, and says what to do where the system's words for
// the fault ("No such file or directory") do not.
[[nodiscard]] tl::expected<std::string, std::string> ReadFile(const std::filesystem::path& path,
                                                              size_t max_bytes = kMaxFileBytes);

}  // namespace tenon::server
