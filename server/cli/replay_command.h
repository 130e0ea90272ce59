// `tenon replay FILE`: a session that `tenon --record FILE` wrote, again with this build: which
// answers differ, and how long they take now.
//
//   textDocument/inlineCompletion   12 answers: 11 the same, 1 decided by time
//                                   p50 81.5 ms then, 60.2 ms now; p95 210.0 then, 180.3 now
//
// Exit status 1 where an answer differs or is missing, and where the record holds no answer.
// Cost: as long as the server takes for the session. Thread rule: the main thread; the server has
// one of its own.
#pragma once

#include <chrono>
#include <string>

#include "server/invocation/invocation.h"

namespace tenon::server {

struct ReplayOptions {
  std::string file;
  int patience_s = 60;  // for one message of the server
};

[[nodiscard]] int RunReplay(const Invocation& invocation, const ReplayOptions& options);

}  // namespace tenon::server
