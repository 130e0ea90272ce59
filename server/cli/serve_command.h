// `tenon` and `tenon --stdio`: the language server on standard input and output.
//
// Without grammars it still answers, with nothing to offer, and its log says why.
// Cost: see server/lsp/stdio_loop.h. Thread rule: the main thread, which becomes the I/O thread.
#pragma once

#include "server/invocation/invocation.h"

namespace tenon::server {

// The exit status of the language server: 0 after shutdown and exit.
[[nodiscard]] int RunServe(const Invocation& invocation);

}  // namespace tenon::server
