// The user's daemon: one process that serves all editors with one model.
//
//   editor -> tenon --stdio (proxy.h) --+
//                                       +--> socket --> daemon: completer, grammars, caches
//   editor -> tenon --stdio (proxy.h) --+
//
// It ends when it has had no client for some time, or at SIGTERM. Of several that start at once one
// serves (daemon_lock.h). It says "ready" on a descriptor when clients can connect.
//
// Cost: no processor time while nothing is asked. Thread rule: RunDaemon blocks its thread, which
// becomes the I/O thread.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>

#include "server/lsp/connection.h"

namespace tenon::server {

struct DaemonOptions {
  std::filesystem::path socket;
  std::chrono::milliseconds idle;  // without a client, until it ends
  SharedCompleter::Make make_completer;
  Service service;  // without its completer
};

// Returns the exit status: 0 when it has served, or another one does; 1: the socket cannot be made.
// `on_ready`: clients can connect now, to this process or to another one. `on_end` is called with
// the status before the completer is taken down.
[[nodiscard]] int RunDaemon(DaemonOptions options, const std::function<void()>& on_ready,
                            const std::function<void(int exit_code)>& on_end);

}  // namespace tenon::server
