// Asks a daemon about itself: which process, which model, how many clients.
//
// Example: {"pid": 4711, "version": "0.1.0", "model": "/home/me/…/qwen2.5-coder-1.5b.gguf",
// "clients": 2}. The question is the request `tenon/daemon`, which needs no `initialize`; while it
// is asked the daemon has one client more.
// Cost: a message each way. Thread rule: any thread; waits for the answer.
#pragma once

#include <filesystem>
#include <optional>

#include <nlohmann/json.hpp>

namespace tenon::server {

// Nothing where no daemon of this user answers within five seconds.
[[nodiscard]] std::optional<nlohmann::json> AskDaemon(const std::filesystem::path& socket);

}  // namespace tenon::server
