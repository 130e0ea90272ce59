// Runs a language server on a pair of file descriptors until it exits: the only place in server/
// with LSP input and output.
//
// One thread runs everything of the protocol. Answers queue up and are written as the client reads
// them, so that a slow reader stops nothing. Built on Boost.Asio 1.81.
//
// Cost: one read buffer of 64 KiB and the answers that the client has not read.
// Thread rule: RunStdio blocks its thread, which becomes the I/O thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include <spdlog/logger.h>

#include "server/lsp/settings.h"
#include "server/request/completer.h"

namespace tenon::server {

struct StdioOptions {
  int input = 0;  // file descriptors; they stay open
  int output = 1;
  std::function<std::unique_ptr<Completer>(const Settings&)> make_completer;
  std::function<std::optional<std::string>(std::string_view language_id, std::string_view name)>
      find_language;
  std::shared_ptr<spdlog::logger> log;
  Settings defaults;
  std::string version;
};

// Returns the exit status: 0 after shutdown and exit, else 1. All answers were written by then, or
// the client is gone. `on_end` is called with the status before the completer is taken down,
// because that can take as long as a model takes to load.
[[nodiscard]] int RunStdio(StdioOptions options, const std::function<void(int exit_code)>& on_end);

}  // namespace tenon::server
