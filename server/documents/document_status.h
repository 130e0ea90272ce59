// The status of one document, as a client shows it: is the document completed, and which guarantee
// had its last completion? (server/client/client_status.h is about the server as a whole.)
//
// Example: a Go file with a broken function far away. After its first suggestion the status is
// {"state": "ready", "guarantee": "region"}. A file in a language that nobody knows has {"state":
// "off", "reason": "no grammar for language 'x'", "action": "set 'anyLanguage' to true"}.
//
// The guarantee is that of the last suggestion; before the first there is none. Where the last
// question had no answer, `reason` says why.
//
// Cost: constant. Thread rule: plain values.
#pragma once

#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include "server/documents/client_documents.h"
#include "server/request/completer.h"
#include "server/settings/settings.h"

namespace tenon::server {

struct DocumentStatus {
  bool is_off = false;
  std::string reason;
  std::string action;  // empty: the user need do nothing
  std::optional<Guarantee> guarantee;

  friend bool operator==(const DocumentStatus&, const DocumentStatus&) = default;
  [[nodiscard]] nlohmann::json ToJson() const;
};

// `language_is_known`: there is a grammar or a syntax of the document's language.
[[nodiscard]] DocumentStatus StatusOf(const ClientDocument& document, const Settings& settings,
                                      bool language_is_known);

}  // namespace tenon::server
