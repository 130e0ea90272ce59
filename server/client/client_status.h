// The status of the server, as a client shows it: can the server complete now, and if not, why
// not, and what can the user do?
//
//   state     when                                           reason, action
//   off       the user has switched completion off           the setting
//   loading   the model is loading, so many percent          what is loaded
//   failed    there is no model                              the fault; what to do
//   busy      a question of this client is being answered
//   ready     nothing to do
//
// `tenon/status` asks for it, with statistics. A client that announces {"status": true} in
// `capabilities.experimental.tenon`, or in `initializationOptions.experimental`, is told of each
// change by `tenon/didChangeStatus`.
//
// Cost: a comparison at each change. Thread rule: the I/O thread.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "server/client/reply_once.h"
#include "server/request/completer.h"
#include "server/settings/settings.h"

namespace tenon::server {

struct ClientStatus {
  std::string state;
  std::string reason;
  std::string action = {};          // empty: the user need do nothing
  std::optional<int> percent = {};  // of loading

  friend bool operator==(const ClientStatus&, const ClientStatus&) = default;
  [[nodiscard]] nlohmann::json ToJson() const;
};

[[nodiscard]] ClientStatus StatusOf(const CompleterStatus& completer, const Settings& settings,
                                    bool is_busy);

// Tells a client of each status that differs from the one before.
class StatusNotices {
 public:
  explicit StatusNotices(SendMessage send) : send_(std::move(send)) {}
  void Start() { started_ = true; }
  void Update(const ClientStatus& status);

 private:
  SendMessage send_;
  bool started_ = false;
  ClientStatus told_;
};

}  // namespace tenon::server
