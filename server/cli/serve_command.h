// `tenon`, `tenon --stdio`, `--port N` and `--pipe PATH`: the language server.
//
//   --stdio               passes standard input and output on to the user's daemon (proxy.h)
//   --stdio --no-daemon   serves them in this process
//   --port N, --pipe PATH serve every client that connects, in this process
//   --daemon SOCKET       is the daemon; the proxy starts it so
//
// An editor that has made the socket of --pipe itself, and listens there, is connected to: so VS
// Code does it. Thread rule: the main thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "server/invocation/invocation.h"

namespace tenon::server {

struct ServeOptions {
  bool stdio = false;  // said, where a terminal would get a greeting
  bool no_daemon = false;
  std::optional<uint16_t> port;
  std::optional<std::string> pipe;
  std::optional<std::string> daemon;  // its socket
  double idle_minutes = 10;
  std::optional<std::string> record;   // a file for the session: server/session/session_record.h
  std::optional<std::string> trace;    // a file for its stages: server/session/stage_trace.h
  std::vector<std::string> arguments;  // of this process; a daemon gets them, too

  [[nodiscard]] bool told() const { return port || pipe || daemon; }
};

[[nodiscard]] int RunServe(const Invocation& invocation, const ServeOptions& serve);

}  // namespace tenon::server
