// `tenon` and `tenon --stdio`: the language server on standard input and output.
//
// Without grammars it still answers, with nothing to offer, and its log says why.
// Cost: see server/lsp/stdio_loop.h. Thread rule: the main thread, which becomes the I/O thread.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "server/invocation/invocation.h"
#include "server/lsp/stdio_loop.h"

namespace tenon::server {

struct ServeOptions {
  std::optional<std::string> record;  // a file for the session: server/lsp/session_record.h
  std::optional<std::string> trace;   // a file for its stages: server/lsp/stage_trace.h
};

// What a language server of this invocation works with. The invocation must live longer.
[[nodiscard]] StdioOptions ServerOptions(const Invocation& invocation,
                                         const std::shared_ptr<spdlog::logger>& log);

// The exit status of the language server: 0 after shutdown and exit.
[[nodiscard]] int RunServe(const Invocation& invocation, const ServeOptions& serve);

}  // namespace tenon::server
