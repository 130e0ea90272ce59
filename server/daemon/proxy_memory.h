// The proxy's memory: all that a new daemon must be told, so that the editor does not notice the
// end of the old one.
//
// The memory hears every message between the editor and its daemon. It keeps `initialize`, the
// open documents as the editor has them (server/documents/editor_document.h), the latest settings,
// and the requests that are not answered. Example: the editor has opened a.py with `x` and typed
// `y`, and asks for a completion. The daemon dies. The editor's request is answered with nothing,
// and the next daemon is told: initialize, initialized, didOpen of a.py with `xy`.
//
// A new daemon repeats what the editor has heard already: its answer to `initialize` and the
// registrations of capabilities that it had. These are kept from the editor.
//
// A notebook is kept as its cells are now (server/documents/notebooks.h), however many edits made
// them so: the next daemon is told one didOpen of it. A document that is out of step is so for the
// next daemon, too: after its didOpen comes a didChange without edits.
//
// Source: LSP 3.18. Cost: the text of the open documents and of some that were closed lately, and
// the changes of workspace folders; a JSON parse a message. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "protocol/json_rpc.h"
#include "protocol/position.h"
#include "server/documents/client_documents.h"
#include "server/documents/notebooks.h"

namespace tenon::server {

class ProxyMemory {
 public:
  // A message of the editor; `body` is its text. True: the daemon gets it.
  [[nodiscard]] bool FromEditor(const protocol::Message& message, std::string_view body);

  // A message of the editor could not be read: all documents are out of step.
  void OnLostMessage() { documents_.PutOutOfStep(); }

  // A message of the daemon.
  struct Verdict {
    bool forward = true;                   // the editor gets it
    std::optional<nlohmann::json> answer;  // the daemon gets this
  };
  [[nodiscard]] Verdict FromDaemon(const protocol::Message& message);

  // The editor was answered by somebody else that it may exit.
  void OnShutdown() { shutdown_seen_ = true; }

  // The messages that bring a new daemon to where the editor is.
  [[nodiscard]] std::vector<std::string> Replay();
  // The daemon is gone: the messages for the editor that end what it left open, an answer to each
  // request among them. A request of `initialize` stays open for the next daemon.
  [[nodiscard]] std::vector<nlohmann::json> Forget();
  // The answer to a request that no daemon will answer: nothing to offer.
  [[nodiscard]] static nlohmann::json Nothing(const protocol::RequestId& id,
                                              std::string_view method,
                                              const nlohmann::json& params);

  [[nodiscard]] bool initialize_seen() const { return !initialize_.empty(); }
  [[nodiscard]] bool initialize_answered() const { return initialize_answered_; }
  [[nodiscard]] bool shutdown_seen() const { return shutdown_seen_; }

 private:
  struct OpenRequest {
    std::string method;
    nlohmann::json params;
    bool cancelled = false;
  };

  void OnNotification(const protocol::Notification& notification, std::string_view body);
  [[nodiscard]] Verdict OnRegistration(const protocol::Request& request);
  void OnUnregistration(const protocol::Request& request);

  std::string initialize_;  // the body
  std::optional<protocol::RequestId> initialize_id_;
  protocol::PositionEncoding encoding_ = protocol::PositionEncoding::kUtf16;
  bool initialize_answered_ = false;
  bool expects_second_answer_ = false;  // of a replayed `initialize`
  std::string initialized_;             // the body, once it came
  bool shutdown_seen_ = false;
  ClientDocuments documents_;
  Notebooks notebooks_{documents_,
                       [this](const std::string& uri, const protocol::ContentChanges& changes) {
                         (void)documents_.Change(uri, changes);
                       }};
  std::map<std::string, std::string, std::less<>> last_;  // method -> the latest body
  std::vector<std::string> folder_changes_;               // bodies
  std::map<protocol::RequestId, OpenRequest> open_;
  std::set<protocol::RequestId> asked_;             // requests of this daemon that are not answered
  std::multiset<protocol::RequestId> late_;         // the same of daemons that are gone
  std::set<std::string> registrations_;             // of capabilities, by id
  std::map<std::string, nlohmann::json> progress_;  // shown in the editor, by its token's text
};

}  // namespace tenon::server
