// `tenon complete FILE --at LINE:COL`: one completion, shown in its place or as JSON.
//
// Example: `tenon complete a.py --at 2:12` shows the lines around the cursor, with the completion
// marked. `--prompt TEXT` takes the place of a file: the completion writes on after TEXT, up to
// the end that the language of --language accepts, or a text that --regex matches as a whole.
// While the model works a terminal shows how much of the prompt is read, then the text so far; with
// --json --stream each such step is a line of its own. A flag is stronger than the user's settings.
// Cost: loading the model and one completion (docs/measured.md). Thread rule: the main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/invocation/invocation.h"
#include "server/request/completer.h"

namespace tenon::server {

struct CompleteOptions {
  std::string file;
  std::string at;  // LINE:COL, both from 1, columns in characters
  std::optional<std::string> language;
  std::optional<std::string> prompt, regex;
  std::optional<int> budget_ms;  // of time; absent: as long as it takes
  // Absent: as the setting of that name says, and for the level `levels`.
  std::optional<std::string> constraint, scope, level;
  std::optional<int> max_tokens;
  std::optional<float> temperature;
  std::optional<uint64_t> seed;
  std::vector<std::string> open;  // further files, as if they were open in an editor
  bool stream = false;            // with JSON: a line for each step of the work
};

[[nodiscard]] int RunComplete(const Invocation& invocation, const CompleteOptions& options);

}  // namespace tenon::server
