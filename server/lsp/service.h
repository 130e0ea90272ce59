// The parts that all clients of a process share: the completer, the languages, the user's
// settings, the log.
//
// Example: `tenon --pipe PATH` makes one Service, and a Connection with it for each editor.
//
// Cost: a copy copies some functions and shares the rest. Thread rule: the I/O thread.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/logger.h>
#include <nlohmann/json.hpp>

#include "server/scheduling/shared_completer.h"
#include "server/session/session_record.h"
#include "server/session/stage_trace.h"
#include "server/settings/setting_layers.h"

namespace tenon::server {

struct Service {
  SharedCompleter* completer = nullptr;  // outlives the clients; set by the one who has made it
  // The id under which a document's language is known: by its own id, else by the document's name.
  // Nothing where there is no grammar.
  std::function<std::optional<std::string>(std::string_view language_id, std::string_view name)>
      find_language;
  std::function<std::vector<std::string>()> languages;  // ids of all that are known
  std::shared_ptr<spdlog::logger> log;
  SettingLayers settings;  // what the user's file and the flags say
  std::string version;
  std::string request_ids = "tenon/";     // server/client/client_requests.h
  std::shared_ptr<SessionRecord> record;  // of all clients; may be null, as the next
  std::shared_ptr<StageTrace> stages;
  // The answer to `tenon/daemon`, which comes before initialize; empty: this is no daemon.
  std::function<nlohmann::json()> about = {};
  size_t max_unread_bytes = size_t{64} << 20;  // a client that leaves more unread is dropped
  // A client whose first bytes are no message is closed. A web page can reach a port of this
  // machine: after `POST / HTTP/1.1` its text would be read as messages.
  bool closes_strangers = false;
};

}  // namespace tenon::server
