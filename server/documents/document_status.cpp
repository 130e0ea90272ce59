#include "server/documents/document_status.h"

#include <fmt/format.h>

namespace tenon::server {

nlohmann::json DocumentStatus::ToJson() const {
  nlohmann::json out = {{"state", is_off ? "off" : "ready"}};
  if (!reason.empty()) out["reason"] = reason;
  if (!action.empty()) out["action"] = action;
  if (guarantee) out["guarantee"] = ToString(*guarantee);
  return out;
}

DocumentStatus StatusOf(const ClientDocument& document, const Settings& settings,
                        bool language_is_known) {
  const std::string& language = document.language_id;
  if (!settings.IsOn(language)) {
    return {true, fmt::format("completion is switched off for '{}'", language),
            fmt::format("set '{}' of 'languages' to true", language), std::nullopt};
  }
  if (!document.in_step) {
    return {true, "the editor has sent an edit that cannot be read",
            "close the document and open it again", std::nullopt};
  }
  if (!language_is_known && !settings.any_language) {
    return {true, fmt::format("no grammar for language '{}'", language),
            "set 'anyLanguage' to true", std::nullopt};
  }
  return {false, document.last_answer.reason, "", document.last_answer.guarantee};
}

}  // namespace tenon::server
