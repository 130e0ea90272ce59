// `tenon model info PATH`: the contents of a model file, and whether tenon can run it.
//
// Cost: reading the file's metadata. Thread rule: the main thread.
#pragma once

#include "server/invocation/invocation.h"

namespace tenon::server {

// The file is the one of --model. 0 where it runs, else 1.
[[nodiscard]] int RunModelInfo(const Invocation& invocation);

}  // namespace tenon::server
