// `tenon check FILE…`: is each file whole and valid for its grammar?
//
// Example: `tenon check a.json` prints nothing and ends with 0 where a.json is valid. For the text
// `[1, ]` it prints "a.json:1:5: ..." and ends with 1.
// Cost: reading the files once (docs/measured.md). Thread rule: the main thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "server/invocation/invocation.h"

namespace tenon::server {

struct CheckOptions {
  std::vector<std::string> files;
  std::optional<std::string> language;
  std::string level;   // with emit: of the grammar's %levels
  bool emit = false;   // by the stricter grammar that completions obey
  bool batch = false;  // requests come as JSON lines, and no file is named
};

// 0 where every file is valid, else 1. Prints "path:line:col: message" for each that is not; with
// --json a line for every file.
[[nodiscard]] int RunCheck(const Invocation& invocation, const CheckOptions& options);

// Answers requests {"path" or "text", "language", "emit"} on lines of `in`, each by one line as
// above or by {"error": …}. The options hold where a request leaves a member out.
[[nodiscard]] int RunCheckBatch(const Invocation& invocation, const CheckOptions& options);

}  // namespace tenon::server
