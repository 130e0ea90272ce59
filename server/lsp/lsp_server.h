// The language server between two streams of messages: the effect of each LSP method, without any
// I/O of its own.
//
// Everything from outside is passed in (send, post, completer, exit), so that tests run the same
// server without processes. Life: initialize, work, shutdown, exit. Before initialize requests get
// ServerNotInitialized, after shutdown InvalidRequest.
//
// Here messages are taken apart and handed on. Each subject has a file of its own:
//
//   documents                 server/documents/client_documents.h
//   completions               completion_requests.h
//   settings                  server/client/configuration.h
//   abilities                 server/client/capabilities.h
//   the loading of the model  server/client/load_watch.h
//   the status                server/client/client_status.h
//
// Example: textDocument/didOpen is DidOpen, which hands its params to ClientDocuments and tells
// the scheduler that older questions about the document are superseded.
//
// Errors are kept for faults of a message, because editors show them to the user.
//
// Source: LSP 3.18. Thread rule: every function on the I/O thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <spdlog/logger.h>

#include "protocol/framing.h"
#include "protocol/json_rpc.h"
#include "server/client/capabilities.h"
#include "server/client/client_profile.h"
#include "server/client/client_requests.h"
#include "server/client/client_status.h"
#include "server/client/configuration.h"
#include "server/client/load_watch.h"
#include "server/client/reply_once.h"
#include "server/documents/client_documents.h"
#include "server/documents/notebooks.h"
#include "server/lsp/completion_requests.h"
#include "server/lsp/message_trace.h"
#include "server/lsp/service.h"
#include "server/offers/completion_list.h"
#include "server/scheduling/completion_scheduler.h"

namespace tenon::server {

class LspServer {
 public:
  struct Outside {
    Service service;
    SendMessage send;
    PostTask post;
    // Calls the task on the I/O thread when that process ends.
    std::function<void(int64_t process_id, std::function<void()>)> on_process_end;
    // The server is done; nothing more will be sent.
    std::function<void(int exit_code)> exit;
    Deadline::Clock now = [] { return std::chrono::steady_clock::now(); };
  };

  explicit LspServer(Outside outside);
  ~LspServer();
  LspServer(const LspServer&) = delete;
  LspServer& operator=(const LspServer&) = delete;

  void OnFrame(const protocol::Frame& frame);
  // The input stream ended.
  void OnInputEnd();
  // No completion is being computed.
  [[nodiscard]] bool idle() const { return scheduler_ == nullptr || scheduler_->idle(); }
  // Nor is anything computed ahead.
  [[nodiscard]] bool resting() const { return scheduler_ == nullptr || scheduler_->resting(); }

  // The methods of requests and notifications that the server acts on; "$/" ones included.
  [[nodiscard]] static std::vector<std::string> HandledMethods();

 private:
  enum class Phase : uint8_t { kFresh, kRunning, kShutDown, kExited };
  using OnRequest = void (LspServer::*)(const nlohmann::json& params, const ReplyOnce& reply);
  using OnNotification = void (LspServer::*)(const nlohmann::json& params);
  static const std::map<std::string_view, OnRequest>& Requests();
  static const std::map<std::string_view, OnNotification>& Notifications();

  void Dispatch(const protocol::Request& request);
  void Dispatch(const protocol::Notification& notification);
  void Dispatch(const protocol::Response& response);

  void Initialize(const nlohmann::json& params, const ReplyOnce& reply);
  void AboutDaemon(const nlohmann::json& params, const ReplyOnce& reply);
  void Shutdown(const nlohmann::json& params, const ReplyOnce& reply);
  void Completion(const nlohmann::json& params, const ReplyOnce& reply);
  void InlineCompletion(const nlohmann::json& params, const ReplyOnce& reply);
  void ResolveItem(const nlohmann::json& params, const ReplyOnce& reply);
  void ExecuteCommand(const nlohmann::json& params, const ReplyOnce& reply);
  void Status(const nlohmann::json& params, const ReplyOnce& reply);
  void Text(const nlohmann::json& params, const ReplyOnce& reply);
  void Initialized(const nlohmann::json& params);
  void Exit(const nlohmann::json& params);
  void DidOpen(const nlohmann::json& params);
  void DidChange(const nlohmann::json& params);
  void DidMoveCursor(const nlohmann::json& params);
  void DidClose(const nlohmann::json& params);
  void DidOpenNotebook(const nlohmann::json& params);
  void DidChangeNotebook(const nlohmann::json& params);
  void DidCloseNotebook(const nlohmann::json& params);
  void CancelProgress(const nlohmann::json& params);
  void SetTrace(const nlohmann::json& params);
  // For notifications that change nothing here.
  void Ignore(const nlohmann::json& params);
  void DidChangeConfiguration(const nlohmann::json& params);
  void DidChangeWorkspaceFolders(const nlohmann::json& params);
  void CancelRequest(const nlohmann::json& params);
  // The proxy could not read a message of the editor: `fault` says why.
  void LostMessage(const nlohmann::json& params);

  // Where other settings hold than before.
  void OnSettings();
  [[nodiscard]] Capabilities::Switches Switches() const;
  void TellSettingProblems();
  // The edits of one document: a file's, or a notebook cell's.
  void Edit(const std::string& uri, const protocol::ContentChanges& changes);
  // Says that a document gets no completions, because its text here is not the editor's.
  void TellOutOfStep(const std::string& fault);
  // A message of the client cannot be read (server/documents/editor_document.h).
  void OnLostMessage(const std::string& fault);
  void OnNotebook(const char* what, const nlohmann::json& params, const Notebooks::Result& cells);
  // Tells the client the server's status (server/client/client_status.h), where it has changed.
  void OnStatus();
  void Finish(int exit_code);

  // Where the session is recorded: all that is sent and received from here on.
  static Outside Recorded(Outside outside, int64_t client);

  const int64_t recorded_client_;  // 0: the session is not recorded
  Outside outside_;
  Phase phase_ = Phase::kFresh;
  ClientProfile client_;
  bool initialized_ = false;  // the client said so: it may be sent requests
  ClientRequests requests_;
  Configuration configuration_;
  ClientDocuments documents_;
  Notebooks notebooks_;
  std::set<std::string> told_notebooks_;  // URIs of those whose fault was told
  Capabilities capabilities_;
  CompletionRequests completions_;
  LoadWatch loading_;
  StatusNotices status_notices_;
  MessageTrace trace_;
  std::shared_ptr<char> alive_;     // tasks in flight look whether it is still there
  Completer* completer_ = nullptr;  // from initialize on
  // From initialize on; last: the answers to its questions use all of the above.
  std::unique_ptr<CompletionScheduler::Client> scheduler_;
};

}  // namespace tenon::server
