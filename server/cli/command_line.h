// The program's command line: its commands (`tenon complete`, `check`, `gap`, ...), and the
// language server without a command.
//
// Results go to `out`, with --json one JSON object a line; everything else goes to `err`.
// Exit status: 0 done, 1 failed, 2 wrong usage. A result that `out` does not take is a failure.
// Cost: that of the command. Thread rule: the main thread.
#pragma once

#include "server/invocation/process_context.h"

namespace tenon::server {

[[nodiscard]] int RunCommandLine(int argc, const char* const* argv, const ProcessContext& process);

}  // namespace tenon::server
