// `tenon check FILE…`: is each file whole and valid for its grammar?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/cli/session.h"

namespace tenon::server {

struct CheckOptions {
  std::vector<std::string> files;
  std::optional<std::string> language;
  std::string level;  // with emit: of the grammar's %levels
  bool emit = false;  // by the stricter grammar that completions obey
};

// 0 where every file is valid, else 1. Prints path:line:col: message for each that is not; with --json a line for every file.
[[nodiscard]] int RunCheck(const Session& session, const CheckOptions& options);

// Answers requests {"path" or "text", "language", "emit"} a line, from `in`, each by one line as above or by {"error": …}. What a
// request leaves out is as `options` have it.
[[nodiscard]] int RunCheckBatch(const Session& session, const CheckOptions& options);

}  // namespace tenon::server
