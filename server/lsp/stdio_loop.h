// Runs a language server for the one client on a pair of file descriptors until it exits.
//
// Cost: that of a Connection.
// Thread rule: RunStdio blocks its thread, which becomes the I/O thread.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/logger.h>

#include "server/lsp/session_record.h"
#include "server/lsp/stage_trace.h"
#include "server/request/completer.h"
#include "server/settings/setting_layers.h"

namespace tenon::server {

struct StdioOptions {
  int input = 0;  // file descriptors; they stay open
  int output = 1;
  std::function<std::unique_ptr<Completer>(const Settings&)> make_completer;
  std::function<std::optional<std::string>(std::string_view language_id, std::string_view name)>
      find_language;
  std::shared_ptr<spdlog::logger> log;
  std::function<std::vector<std::string>()> languages;  // ids of all that are known
  SettingLayers settings;                               // what the user's file and the flags say
  std::string version;
  std::shared_ptr<SessionRecord> record;  // may be null, as the next
  std::shared_ptr<StageTrace> stages;
  // A client that leaves more answers unread than this is dropped.
  size_t max_unread_bytes = size_t{64} << 20;
};

// Returns the exit status: 0 after shutdown and exit, else 1. All answers were written by then, or
// the client is gone. `on_end` is called with the status before the completer is taken down,
// because that can take as long as a model takes to load.
[[nodiscard]] int RunStdio(StdioOptions options, const std::function<void(int exit_code)>& on_end);

}  // namespace tenon::server
