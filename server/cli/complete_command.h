// `tenon complete FILE --at LINE:COL`: one completion, shown in its place or as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "server/cli/session.h"

namespace tenon::server {

struct CompleteOptions {
  std::string file;
  std::string at;  // LINE:COL, both from 1, columns in characters
  std::optional<std::string> language;
  std::string constraint = "both";
  int max_tokens = 64;
  std::string scope = "block";
  float temperature = 0;
  uint64_t seed = 0;
};

[[nodiscard]] int RunComplete(const Session& session, const CompleteOptions& options);

}  // namespace tenon::server
