// `tenon` and `tenon --stdio`: the language server on standard input and output.
#pragma once

#include "server/cli/session.h"

namespace tenon::server {

// The exit status of the language server: 0 after shutdown and exit.
[[nodiscard]] int RunServe(const Session& session);

}  // namespace tenon::server
