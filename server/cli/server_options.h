// The parts that a language server of an invocation works with: languages, settings, and the model
// that they choose.
//
// Without grammars or without a model it still answers, with nothing to offer, and its log says
// why. Cost: reading languages.json; the model loads in the background.
// Thread rule: the main thread.
#pragma once

#include <memory>

#include <spdlog/logger.h>

#include "server/invocation/invocation.h"
#include "server/lsp/stdio_loop.h"

namespace tenon::server {

// The invocation must live longer.
[[nodiscard]] StdioOptions ServerOptions(const Invocation& invocation,
                                         const std::shared_ptr<spdlog::logger>& log);

}  // namespace tenon::server
