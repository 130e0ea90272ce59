// The program's command line: `tenon complete`, `check`, `gap`, `model`, `doctor`, and the language server without a command.
//
// Exit status: 0 done, 1 failed, 2 wrong usage. Results go to `out`, one JSON object a line with --json; everything else to `err`.
// Cost: that of the command. Thread rule: the main thread.
#pragma once

#include "server/cli/surroundings.h"

namespace tenon::server {

[[nodiscard]] int RunCommandLine(int argc, const char* const* argv, const Surroundings& surroundings);

}  // namespace tenon::server
