// The bytes of a file.
//
// Example: ReadFile("/tmp") fails with "/tmp: not a file that can be read". A folder can be opened,
// and only reading it fails. Cost: linear in the file, which is held whole. Thread rule: a pure
// function of the file system.
#pragma once

#include <filesystem>
#include <string>

#include <tl/expected.hpp>

namespace tenon::server {

// The error names the file and why it cannot be read.
[[nodiscard]] tl::expected<std::string, std::string> ReadFile(const std::filesystem::path& path);

}  // namespace tenon::server
