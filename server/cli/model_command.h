// `tenon model info PATH`: what a model file holds, and whether tenon can run it.
#pragma once

#include "server/cli/session.h"

namespace tenon::server {

// The file is the session's model. 0 where it runs, else 1.
[[nodiscard]] int RunModelInfo(const Session& session);

}  // namespace tenon::server
