#include "server/daemon/proxy_memory.h"

#include <algorithm>
#include <array>
#include <utility>

#include "protocol/lsp_types.h"
#include "server/client/client_profile.h"

namespace tenon::server {

using nlohmann::json;

namespace {

// Notifications of which the latest counts.
constexpr std::array<std::string_view, 2> kLatestCounts = {"workspace/didChangeConfiguration",
                                                           "$/setTrace"};

template <size_t n>
bool Has(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string Notice(std::string_view method, json params) {
  return protocol::Dump(protocol::MakeNotification(method, std::move(params)));
}

}  // namespace

bool ProxyMemory::FromEditor(const protocol::Message& message, std::string_view body) {
  if (const auto* request = std::get_if<protocol::Request>(&message)) {
    if (request->method == "initialize" && initialize_.empty() && request->params.is_object()) {
      initialize_ = body;
      initialize_id_ = request->id;
      encoding_ = ReadClientProfile(request->params).encoding;
      return true;
    }
    if (request->method == "shutdown") shutdown_seen_ = true;
    open_[request->id] = {request->method, request->params, false};
  } else if (const auto* notification = std::get_if<protocol::Notification>(&message)) {
    OnNotification(*notification, body);
  } else {
    const protocol::RequestId& id = std::get<protocol::Response>(message).id;
    if (const auto late = late_.find(id); late != late_.end()) {
      late_.erase(late);
      return false;
    }
    asked_.erase(id);
  }
  return true;
}

void ProxyMemory::OnNotification(const protocol::Notification& notification,
                                 std::string_view body) {
  const std::string& method = notification.method;
  const json& params = notification.params;
  if (method == "initialized") initialized_ = body;
  if (method == "textDocument/didOpen") {
    (void)documents_.Open(params, encoding_);
  } else if (method == "textDocument/didChange") {
    (void)documents_.Change(protocol::ReadString(params, "textDocument/uri").value_or(""),
                            protocol::ReadContentChanges(protocol::Find(params, "contentChanges")));
  } else if (method == "textDocument/didClose") {
    (void)documents_.Close(params);
  } else if (method == "notebookDocument/didOpen") {
    (void)notebooks_.Open(params, encoding_);
  } else if (method == "notebookDocument/didChange") {
    (void)notebooks_.Change(params, encoding_);
  } else if (method == "notebookDocument/didClose") {
    (void)notebooks_.Close(params);
  } else if (method == "$/cancelRequest") {
    const json* id = protocol::Find(params, "id");
    if (id == nullptr) return;
    for (auto& [open_id, request] : open_)
      if (protocol::ToJson(open_id) == *id) request.cancelled = true;
  } else if (Has(kLatestCounts, method)) {
    last_[method] = body;
  } else if (method == "workspace/didChangeWorkspaceFolders") {
    folder_changes_.emplace_back(body);
  }
}

ProxyMemory::Verdict ProxyMemory::FromDaemon(const protocol::Message& message) {
  Verdict verdict;
  if (const auto* response = std::get_if<protocol::Response>(&message)) {
    // The answer to `initialize` comes before all others. Later requests may have its id again.
    const bool begins = !initialize_answered_ || expects_second_answer_;
    if (begins && response->id == initialize_id_) {
      verdict.forward = !std::exchange(expects_second_answer_, false);
      initialize_answered_ = true;
    } else {
      verdict.forward = open_.erase(response->id) > 0;
    }
    return verdict;
  }
  if (const auto* request = std::get_if<protocol::Request>(&message)) {
    if (request->method == "client/registerCapability") verdict = OnRegistration(*request);
    if (request->method == "client/unregisterCapability") OnUnregistration(*request);
    if (verdict.forward) asked_.insert(request->id);
    return verdict;
  }
  const auto& notification = std::get<protocol::Notification>(message);
  if (notification.method != "$/progress") return verdict;
  const json* token = protocol::Find(notification.params, "token");
  const auto kind = protocol::ReadString(notification.params, "value/kind");
  if (token == nullptr || !kind) return verdict;
  if (*kind == "begin") progress_[token->dump()] = *token;
  if (*kind == "end") progress_.erase(token->dump());
  return verdict;
}

ProxyMemory::Verdict ProxyMemory::OnRegistration(const protocol::Request& request) {
  const json* list = protocol::Find(request.params, "registrations");
  if (list == nullptr || !list->is_array()) return {};
  bool all_known = true;
  for (const json& one : *list) {
    const auto id = protocol::ReadString(one, "id");
    if (!id || registrations_.insert(*id).second) all_known = false;
  }
  if (!all_known) return {};
  return {false, protocol::MakeResult(request.id, nullptr)};
}

void ProxyMemory::OnUnregistration(const protocol::Request& request) {
  // The protocol spells it so.
  const json* list = protocol::Find(request.params, "unregisterations");
  if (list == nullptr || !list->is_array()) return;
  for (const json& one : *list) registrations_.erase(protocol::ReadString(one, "id").value_or(""));
}

std::vector<std::string> ProxyMemory::Replay() {
  std::vector<std::string> bodies;
  if (initialize_.empty()) return bodies;
  bodies.push_back(initialize_);
  expects_second_answer_ = initialize_answered_;
  if (!initialized_.empty()) bodies.push_back(initialized_);
  for (const auto& [method, body] : last_) bodies.push_back(body);
  bodies.insert(bodies.end(), folder_changes_.begin(), folder_changes_.end());
  for (json& params : notebooks_.OpenParams())
    bodies.push_back(Notice("notebookDocument/didOpen", std::move(params)));
  for (const auto& [uri, document] : documents_.all()) {
    if (!notebooks_.IsCell(uri))
      bodies.push_back(
          Notice("textDocument/didOpen", {{"textDocument", OpenParams(uri, document)}}));
    if (!document.in_step)
      bodies.push_back(Notice("textDocument/didChange", {{"textDocument", {{"uri", uri}}}}));
  }
  return bodies;
}

std::vector<json> ProxyMemory::Forget() {
  std::vector<json> messages;
  for (const auto& [id, request] : std::exchange(open_, {})) {
    messages.push_back(request.cancelled
                           ? protocol::MakeError(id, protocol::ErrorCode::kRequestCancelled,
                                                 "cancelled by the client")
                           : Nothing(id, request.method, request.params));
  }
  for (const auto& [text, token] : std::exchange(progress_, {})) {
    messages.push_back(
        protocol::MakeNotification("$/progress", {{"token", token}, {"value", {{"kind", "end"}}}}));
  }
  late_.insert(asked_.begin(), asked_.end());
  asked_.clear();
  return messages;
}

json ProxyMemory::Nothing(const protocol::RequestId& id, std::string_view method,
                          const json& params) {
  if (method == "textDocument/completion")
    return protocol::MakeResult(id, {{"isIncomplete", true}, {"items", json::array()}});
  if (method == "completionItem/resolve") return protocol::MakeResult(id, params);
  return protocol::MakeResult(id, nullptr);
}

}  // namespace tenon::server
