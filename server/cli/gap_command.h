// `tenon gap`: can the gap between two texts be closed, does a given text close it, and what may come next?
//
// The exact question about the accepted language, without the stricter rules of what a completion may write.
// Cost: the gap's set-up (docs/measured.md); the batch form compiles each language once.
#pragma once

#include <optional>
#include <string>

#include "server/cli/session.h"

namespace tenon::server {

struct GapOptions {
  std::string file;
  std::string at;  // A or A-B, bytes of the file: the text A..B is taken out
  std::optional<std::string> insert;
  bool close = false;  // say which text closes the gap, too
  std::optional<std::string> language;
};

// 0 where the question could be answered, whatever the answer.
[[nodiscard]] int RunGap(const Session& session, const GapOptions& options);
// Requests as JSON lines on `in`, each answered by one line on `out`: {"viable", "member", "expected"} or {"error"}.
[[nodiscard]] int RunGapBatch(const Session& session);

}  // namespace tenon::server
