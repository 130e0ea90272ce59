#include "server/client/client_status.h"

namespace tenon::server {

nlohmann::json ClientStatus::ToJson() const {
  nlohmann::json out = {{"state", state}, {"reason", reason}};
  if (!action.empty()) out["action"] = action;
  if (percent) out["percent"] = *percent;
  return out;
}

ClientStatus StatusOf(const CompleterStatus& completer, const Settings& settings, bool is_busy) {
  if (!settings.enabled) {
    return {"off", "completion is switched off by the setting 'enabled'", "set 'enabled' to true"};
  }
  if (!settings.list_enabled && !settings.inline_enabled) {
    return {"off", "the list and ghost text are switched off",
            "set 'completion.enabled' or 'inlineCompletion.enabled' to true"};
  }
  switch (completer.state) {
    case CompleterState::kLoading:
      return {"loading", completer.message, "", completer.percent};
    case CompleterState::kFailed:
      return {"failed", completer.message,
              "fetch a model by 'tenon model pull NAME' or choose one by 'tenon model use NAME', "
              "then try again"};
    case CompleterState::kReady:
      break;
  }
  return {is_busy ? "busy" : "ready", completer.message};
}

void StatusNotices::Update(const ClientStatus& status) {
  if (!started_ || status == told_) return;
  told_ = status;
  send_(protocol::MakeNotification("tenon/didChangeStatus", status.ToJson()));
}

}  // namespace tenon::server
