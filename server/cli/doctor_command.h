// `tenon doctor`: one screen about this installation, its faults and their remedies.
//
// It looks at the model file, compiles every grammar, and looks at the cache of compiled languages.
// Cost: compiling the grammars that are not in the cache. Thread rule: the main thread.
#pragma once

#include "server/invocation/invocation.h"

namespace tenon::server {

// 0 where nothing is wrong, else 1.
[[nodiscard]] int RunDoctor(const Invocation& invocation);

}  // namespace tenon::server
