// Which daemon serves a client: its socket, and how it is started.
//
// Two clients share a daemon where nothing makes their daemons differ: the program, its arguments,
// the model with its adapter and threads, the grammars. Example: a client that asks for another
// model in its initializationOptions has another socket.
//
// The model counts as if memory had no end: the memory of one daemon must not lead the next
// client to another model, and so to a daemon of its own.
// Cost: below 1 ms, some files are looked at. Thread rule: the main thread.
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "server/daemon/daemon_reach.h"
#include "server/invocation/invocation.h"

namespace tenon::server {

// `arguments`: those of this process, which the daemon gets, too.
[[nodiscard]] DaemonProgram DaemonFor(const Invocation& invocation,
                                      const std::vector<std::string>& arguments,
                                      const nlohmann::json& initialize_params);

}  // namespace tenon::server
