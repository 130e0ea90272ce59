// The language server between two streams of messages: the effect of each LSP method, without any
// I/O of its own.
//
// Everything from outside is passed in (send, post, completer, exit), so that tests run the same
// server without processes. Life: initialize, work, shutdown, exit. Before initialize requests get
// ServerNotInitialized, after shutdown InvalidRequest.
//
// Errors are kept for faults of a message, because editors show them to the user. Where there is
// nothing to offer, inlineCompletion answers null and completion an empty incomplete list:
//   the model is loading
//   a newer request or an edit has superseded this one
//   the language is unknown
//   nothing fits
//
// Source: LSP 3.18. Cost: documents are kept whole, once. Thread rule: every function on the I/O
// thread.
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
#include "protocol/text_document.h"
#include "server/lsp/client_profile.h"
#include "server/lsp/completion_scheduler.h"
#include "server/lsp/item_shape.h"
#include "server/lsp/known_completions.h"
#include "server/lsp/load_progress.h"
#include "server/lsp/reply_once.h"
#include "server/lsp/settings.h"
#include "server/lsp/shared_completer.h"

namespace tenon::server {

class LspServer {
 public:
  struct Outside {
    SendMessage send;
    PostTask post;
    // Outlives the server; shared with the other clients of the process.
    SharedCompleter* completer = nullptr;
    // The id under which a document's language is known: by its own id, else by the document's
    // name. Nothing where there is no grammar.
    std::function<std::optional<std::string>(std::string_view language_id, std::string_view name)>
        find_language;
    // Calls the task on the I/O thread when that process ends.
    std::function<void(int64_t process_id, std::function<void()>)> on_process_end;
    // The server is done; nothing more will be sent.
    std::function<void(int exit_code)> exit;
    std::shared_ptr<spdlog::logger> log;
    Settings defaults;
    std::string version;
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

  // The methods of requests and notifications that the server acts on; "$/" ones included.
  [[nodiscard]] static std::vector<std::string> HandledMethods();

 private:
  enum class Phase : uint8_t { kFresh, kRunning, kShutDown, kExited };
  enum class Kind : uint8_t { kCompletion, kInline };
  struct Document {
    std::string language_id;
    std::string name;
    protocol::TextDocument text;
    bool in_step = true;  // false: an edit could not be read, and the editor has another text
    KnownCompletions known = {};
  };
  using OnRequest = void (LspServer::*)(const nlohmann::json& params, const ReplyOnce& reply);
  using OnNotification = void (LspServer::*)(const nlohmann::json& params);
  static const std::map<std::string_view, OnRequest>& Requests();
  static const std::map<std::string_view, OnNotification>& Notifications();

  void Dispatch(const protocol::Request& request);
  void Dispatch(const protocol::Notification& notification);
  void Dispatch(const protocol::Response& response);

  void Initialize(const nlohmann::json& params, const ReplyOnce& reply);
  void Shutdown(const nlohmann::json& params, const ReplyOnce& reply);
  void Completion(const nlohmann::json& params, const ReplyOnce& reply);
  void InlineCompletion(const nlohmann::json& params, const ReplyOnce& reply);
  void Initialized(const nlohmann::json& params);
  void Exit(const nlohmann::json& params);
  void DidOpen(const nlohmann::json& params);
  void DidChange(const nlohmann::json& params);
  void DidClose(const nlohmann::json& params);
  void CancelRequest(const nlohmann::json& params);

  void Complete(Kind kind, const nlohmann::json& params, const ReplyOnce& reply);
  [[nodiscard]] CompletionRequest RequestAt(const AskedPlace& place, const std::string& uri,
                                            const Document& document,
                                            const std::string& language_id) const;
  // So that what the user writes of an answer needs no further one. `request` lacks its text.
  void LearnAnswer(CompletionRequest request, const AskedPlace& place,
                   const CompletionAnswer& answer);
  void AnswerCompletion(Kind kind, const std::string& uri, const AskedPlace& place,
                        const CompletionAnswer& answer, const ReplyOnce& reply);
  [[nodiscard]] nlohmann::json NothingToOffer(Kind kind) const;
  [[nodiscard]] tl::expected<AskedPlace, std::string> ReadPlace(
      Kind kind, const nlohmann::json& params, const protocol::TextDocument& text) const;
  // Tells the client and the log how loading has ended.
  void AfterLoading();
  void LogOnce(const std::string& line);
  void Finish(int exit_code);

  Outside outside_;
  Phase phase_ = Phase::kFresh;
  ClientProfile client_;
  Settings settings_;
  std::vector<std::string> setting_problems_;
  std::map<std::string, Document> documents_;  // by URI
  std::set<std::string> logged_;               // lines that are worth saying once
  LoadProgress progress_;
  std::shared_ptr<char> alive_;     // tasks in flight look whether it is still there
  Completer* completer_ = nullptr;  // from initialize on
  // From initialize on; last: the answers to its questions use all of the above.
  std::unique_ptr<CompletionScheduler::Client> scheduler_;
};

}  // namespace tenon::server
