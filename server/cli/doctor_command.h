// `tenon doctor`: one screen about this installation, what is wrong with it and what to do.
#pragma once

#include "server/cli/session.h"

namespace tenon::server {

// 0 where nothing is wrong, else 1.
[[nodiscard]] int RunDoctor(const Session& session);

}  // namespace tenon::server
