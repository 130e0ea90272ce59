// The user's own settings, from a TOML file: $XDG_CONFIG_HOME/tenon/config.toml, or the one that
// --config names.
//
//   maxTokens = 32
//   [completion]
//   automaticBudgetMs = 250
//   [languages]
//   json = false
//
// reads as {"maxTokens": 32, "completion": {"automaticBudgetMs": 250}, "languages": {"json":
// false}}. Names and values are those of docs/settings.md.
//
// Source: TOML 1.0, read by toml++. Cost: a file of at most kMaxSettingsFileBytes.
// Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>

#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

namespace tenon::server {

inline constexpr size_t kMaxSettingsFileBytes = size_t{1} << 20;

// Null where there is no such file and `must_exist` is false. The error names the file, the place
// and the fault.
[[nodiscard]] tl::expected<nlohmann::json, std::string> ReadSettingsFile(
    const std::filesystem::path& path, bool must_exist);

}  // namespace tenon::server
