// `tenon complete FILE --at LINE:COL`: one completion, shown in its place or as JSON.
//
// `--prompt TEXT` takes the place of a file: writes on behind it up to the end that the language of --language accepts, or a text
// that --regex matches as a whole.
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
  std::optional<std::string> prompt, regex;
  std::string constraint = "both";
  int max_tokens = 64;
  std::string scope = "block";
  std::string level;
  float temperature = 0;
  uint64_t seed = 0;
};

[[nodiscard]] int RunComplete(const Session& session, const CompleteOptions& options);

}  // namespace tenon::server
