// Runs a language server for the one client on a pair of file descriptors until it exits.
//
// Cost: that of a Connection.
// Thread rule: RunStdio blocks its thread, which becomes the I/O thread.
#pragma once

#include <functional>

#include "server/lsp/service.h"

namespace tenon::server {

struct StdioOptions {
  Service service;  // without its completer
  int input = 0;    // file descriptors; they stay open
  int output = 1;
  SharedCompleter::Make make_completer;
};

// Returns the exit status: 0 after shutdown and exit, else 1. All answers were written by then, or
// the client is gone. `on_end` is called with the status before the completer is taken down,
// because that can take as long as a model takes to load.
[[nodiscard]] int RunStdio(StdioOptions options, const std::function<void(int exit_code)>& on_end);

}  // namespace tenon::server
