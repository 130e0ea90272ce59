#include "server/lsp/lsp_server.h"

#include <utility>

#include <fmt/format.h>

#include "protocol/lsp_types.h"

namespace tenon::server {

using nlohmann::json;
using protocol::ErrorCode;

namespace {

constexpr int kMessageWarning = 2;  // MessageType.Warning

// The URI of the notebook that a notification is about; empty where it names none.
std::string NotebookOf(const json& params) {
  return protocol::ReadString(params, "notebookDocument/uri").value_or("");
}

}  // namespace

const std::map<std::string_view, LspServer::OnRequest>& LspServer::Requests() {
  static const std::map<std::string_view, OnRequest> kRequests = {
      {"initialize", &LspServer::Initialize},
      {"tenon/daemon", &LspServer::AboutDaemon},
      {"shutdown", &LspServer::Shutdown},
      {"textDocument/completion", &LspServer::Completion},
      {"textDocument/inlineCompletion", &LspServer::InlineCompletion},
      {"completionItem/resolve", &LspServer::ResolveItem},
      {"workspace/executeCommand", &LspServer::ExecuteCommand},
      {"tenon/status", &LspServer::Status},
      {"tenon/text", &LspServer::Text},
  };
  return kRequests;
}

const std::map<std::string_view, LspServer::OnNotification>& LspServer::Notifications() {
  static const std::map<std::string_view, OnNotification> kNotifications = {
      {"initialized", &LspServer::Initialized},
      {"exit", &LspServer::Exit},
      {"textDocument/didOpen", &LspServer::DidOpen},
      {"textDocument/didChange", &LspServer::DidChange},
      {"textDocument/didClose", &LspServer::DidClose},
      {"textDocument/didSave", &LspServer::Ignore},
      {"notebookDocument/didOpen", &LspServer::DidOpenNotebook},
      {"notebookDocument/didChange", &LspServer::DidChangeNotebook},
      {"notebookDocument/didClose", &LspServer::DidCloseNotebook},
      {"notebookDocument/didSave", &LspServer::Ignore},
      {"window/workDoneProgress/cancel", &LspServer::CancelProgress},
      {"$/setTrace", &LspServer::SetTrace},
      {"workspace/didChangeConfiguration", &LspServer::DidChangeConfiguration},
      {"workspace/didChangeWorkspaceFolders", &LspServer::DidChangeWorkspaceFolders},
      {"$/cancelRequest", &LspServer::CancelRequest},
  };
  return kNotifications;
}

std::vector<std::string> LspServer::HandledMethods() {
  std::vector<std::string> methods;
  for (const auto& [method, handler] : Requests()) methods.emplace_back(method);
  for (const auto& [method, handler] : Notifications()) methods.emplace_back(method);
  return methods;
}

LspServer::LspServer(Outside outside)
    : recorded_client_(outside.record ? outside.record->NewClient() : 0),
      outside_(Recorded(std::move(outside), recorded_client_)),
      requests_(outside_.send),
      configuration_(outside_.settings, requests_, [this] { OnSettings(); }),
      notebooks_(documents_),
      capabilities_(requests_, client_, outside_.languages),
      completions_({.documents = documents_,
                    .notebooks = notebooks_,
                    .configuration = configuration_,
                    .client = client_,
                    .find_language = outside_.find_language,
                    .log = outside_.log,
                    .now = outside_.now,
                    .stages = outside_.stages,
                    .on_busy = [this] { OnStatus(); }}),
      loading_({.client = client_,
                .requests = requests_,
                .send = outside_.send,
                .post = outside_.post,
                .log = outside_.log,
                .now = outside_.now,
                .on_status = [this] { OnStatus(); },
                .load_again = [this] { outside_.completer->TryAgain(configuration_.settings()); }}),
      status_notices_(outside_.send),
      trace_(outside_.send, outside_.now),
      alive_(std::make_shared<char>()) {}

LspServer::~LspServer() = default;

LspServer::Outside LspServer::Recorded(Outside outside, int64_t client) {
  if (!outside.record) return outside;
  outside.send = [send = std::move(outside.send), record = outside.record,
                  client](const json& message) {
    record->Add(client, SessionRecord::From::kServer, protocol::Dump(message));
    send(message);
  };
  return outside;
}

void LspServer::OnFrame(const protocol::Frame& frame) {
  if (phase_ == Phase::kExited) return;
  if (const auto* broken = std::get_if<protocol::FramingError>(&frame)) {
    outside_.log->error("broken message from the client: {}", broken->message);
    outside_.send(protocol::MakeError(std::nullopt, ErrorCode::kParseError, broken->message));
    return;
  }
  if (outside_.record) {
    outside_.record->Add(recorded_client_, SessionRecord::From::kClient,
                         std::get<std::string>(frame));
  }
  const auto message = protocol::ParseMessage(std::get<std::string>(frame));
  if (!message) {
    outside_.log->error("broken message from the client: {}", message.error().message);
    if (!message.error().in_response) {
      outside_.send(
          protocol::MakeError(message.error().id, message.error().code, message.error().message));
    }
    return;
  }
  std::visit([this](const auto& parsed) { Dispatch(parsed); }, *message);
}

void LspServer::OnInputEnd() {
  if (phase_ == Phase::kExited) return;
  outside_.log->info("the client closed the connection without 'exit'");
  Finish(1);
}

void LspServer::Dispatch(const protocol::Request& request) {
  const ReplyOnce reply(request.id, request.method, trace_.Around(request), outside_.log);
  if (request.method == "tenon/daemon") return AboutDaemon(request.params, reply);
  if (phase_ == Phase::kFresh && request.method != "initialize") {
    return reply.Error(ErrorCode::kServerNotInitialized, "'initialize' must come first");
  }
  if (phase_ == Phase::kShutDown)
    return reply.Error(ErrorCode::kInvalidRequest, "the server was shut down");
  const auto handler = Requests().find(request.method);
  if (handler == Requests().end()) {
    return reply.Error(ErrorCode::kMethodNotFound, fmt::format("no method '{}'", request.method));
  }
  (this->*handler->second)(request.params, reply);
}

void LspServer::Dispatch(const protocol::Notification& notification) {
  const auto handler = Notifications().find(notification.method);
  const bool accepted = phase_ == Phase::kRunning || notification.method == "exit";
  if (handler == Notifications().end() || !accepted) {
    outside_.log->debug("notification '{}' ignored", notification.method);
    return;
  }
  (this->*handler->second)(notification.params);
}

void LspServer::Dispatch(const protocol::Response& response) {
  if (phase_ != Phase::kRunning) return;
  if (!loading_.OnResponse(response) && !requests_.OnResponse(response))
    outside_.log->debug("a response to no request of ours");
}

void LspServer::Initialize(const json& params, const ReplyOnce& reply) {
  if (phase_ != Phase::kFresh)
    return reply.Error(ErrorCode::kInvalidRequest, "'initialize' came a second time");
  if (!params.is_object())
    return reply.Error(ErrorCode::kInvalidParams, "'initialize' needs an object as params");
  phase_ = Phase::kRunning;
  client_ = ReadClientProfile(params);
  trace_.Set(protocol::ReadString(params, "trace").value_or("off"));
  configuration_.OnInitialize(params);
  if (client_.process_id) {
    outside_.on_process_end(*client_.process_id, [this, alive = std::weak_ptr<char>(alive_)] {
      if (alive.expired() || phase_ == Phase::kExited) return;
      outside_.log->info("the client's process ended");
      Finish(1);
    });
  }
  completer_ = &outside_.completer->Start(configuration_.settings());
  scheduler_ = std::make_unique<CompletionScheduler::Client>(outside_.completer->scheduler());
  completions_.Start(*completer_, *scheduler_);
  reply.Result({{"capabilities", capabilities_.Static(Switches().any_language)},
                {"serverInfo", {{"name", "tenon"}, {"version", outside_.version}}}});
}

void LspServer::AboutDaemon(const json& /*params*/, const ReplyOnce& reply) {
  if (!outside_.about) return reply.Error(ErrorCode::kMethodNotFound, "this is no daemon");
  reply.Result(outside_.about());
}

void LspServer::Initialized(const json& /*params*/) {
  initialized_ = true;
  TellSettingProblems();
  capabilities_.Start(Switches());
  configuration_.OnInitialized();
  if (client_.wants_status) status_notices_.Start();
  OnStatus();
  loading_.Start(*completer_);
}

void LspServer::OnStatus() {
  if (phase_ != Phase::kRunning || !initialized_) return;
  status_notices_.Update(
      StatusOf(completer_->status(), configuration_.settings(), completions_.is_busy()));
}

void LspServer::Shutdown(const json& /*params*/, const ReplyOnce& reply) {
  phase_ = Phase::kShutDown;
  loading_.Stop();
  scheduler_->SupersedeAll();
  reply.Result(nullptr);
}

void LspServer::Exit(const json& /*params*/) { Finish(phase_ == Phase::kShutDown ? 0 : 1); }

void LspServer::Finish(int exit_code) {
  phase_ = Phase::kExited;
  loading_.Stop();
  if (scheduler_ != nullptr) scheduler_->SupersedeAll();
  outside_.exit(exit_code);
}

void LspServer::DidOpen(const json& params) {
  const auto uri = documents_.Open(params, client_.encoding);
  if (!uri) return outside_.log->error("textDocument/didOpen ignored: {}", uri.error());
  scheduler_->SupersedeDocument(*uri);
}

void LspServer::DidChange(const json& params) {
  completions_.BeforeEdit(params);
  const auto changed = documents_.Change(params);
  if (!changed)
    outside_.log->error("textDocument/didChange: {}", changed.error());
  else
    completions_.OnEdit(*changed, params);
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return;
  const ClientDocument* document = documents_.Find(*uri);
  if (!changed && document != nullptr) TellOutOfStep(*uri, changed.error());
  scheduler_->SupersedeDocument(*uri);
  if (changed) completions_.ReadAhead(*changed, params);
}

// The protocol has no way to ask for a text again; the user can send it.
void LspServer::TellOutOfStep(const std::string& uri, const std::string& fault) {
  if (!told_out_of_step_.insert(uri).second) return;
  outside_.send(protocol::MakeNotification(
      "window/showMessage",
      {{"type", kMessageWarning},
       {"message", fmt::format("tenon: the editor has sent an edit that cannot be read. {}. Close "
                               "the document and open it again.",
                               fault)}}));
}

void LspServer::DidClose(const json& params) {
  const auto uri = documents_.Close(params);
  if (!uri) return outside_.log->error("textDocument/didClose ignored: {}", uri.error());
  completions_.OnClose(*uri);
  told_out_of_step_.erase(*uri);
  scheduler_->SupersedeDocument(*uri);
}

void LspServer::DidOpenNotebook(const json& params) {
  OnNotebook("didOpen", params, notebooks_.Open(params, client_.encoding));
}

void LspServer::DidChangeNotebook(const json& params) {
  OnNotebook("didChange", params, notebooks_.Change(params, client_.encoding));
}

void LspServer::DidCloseNotebook(const json& params) {
  OnNotebook("didClose", params, notebooks_.Close(params));
  told_out_of_step_.erase(NotebookOf(params));
}

// The text of each cell is part of the questions about the others.
void LspServer::OnNotebook(const char* what, const json& params, const Notebooks::Result& cells) {
  if (!cells) {
    outside_.log->error("notebookDocument/{}: {}", what, cells.error());
    TellOutOfStep(NotebookOf(params), cells.error());
    return scheduler_->SupersedeAll();
  }
  for (const std::string& cell : *cells) {
    scheduler_->SupersedeDocument(cell);
    if (documents_.Find(cell) == nullptr) completions_.OnClose(cell);
  }
}

void LspServer::CancelProgress(const json& params) {
  const json* token = protocol::Find(params, "token");
  if (token != nullptr) loading_.OnCancel(*token);
}

void LspServer::SetTrace(const json& params) {
  const auto value = protocol::ReadString(params, "value");
  if (!value || !trace_.Set(*value))
    outside_.log->error("$/setTrace ignored: 'value' must be off, messages or verbose");
}

void LspServer::Ignore(const json& /*params*/) {}

void LspServer::DidChangeConfiguration(const json& params) {
  configuration_.OnDidChangeConfiguration(params);
}

void LspServer::DidChangeWorkspaceFolders(const json& params) {
  configuration_.OnDidChangeWorkspaceFolders(params);
}

// Questions that were asked under other settings are superseded.
void LspServer::OnSettings() {
  if (!initialized_) return;
  TellSettingProblems();
  scheduler_->SupersedeAll();
  capabilities_.Switch(Switches());
  OnStatus();
}

Capabilities::Switches LspServer::Switches() const {
  const Settings& settings = configuration_.settings();
  return {settings.enabled && settings.list_enabled, settings.enabled && settings.inline_enabled,
          configuration_.IsAnywhere([](const Settings& each) { return each.any_language; })};
}

void LspServer::TellSettingProblems() {
  const std::vector<std::string> problems = configuration_.TakeProblems();
  if (problems.empty()) return;
  const std::string line =
      fmt::format("settings that were left as they were: {}", fmt::join(problems, "; "));
  outside_.log->warn(line);
  outside_.send(protocol::MakeNotification(
      "window/showMessage", {{"type", kMessageWarning}, {"message", "tenon: " + line}}));
}

void LspServer::CancelRequest(const json& params) {
  const json* id = protocol::Find(params, "id");
  if (id != nullptr && id->is_string()) return scheduler_->Cancel(id->get<std::string>());
  if (id != nullptr && id->is_number_integer()) return scheduler_->Cancel(id->get<int64_t>());
  outside_.log->error("$/cancelRequest ignored: 'id' must be an integer or a string");
}

void LspServer::Completion(const json& params, const ReplyOnce& reply) {
  completions_.Ask(QuestionForm::kList, params, reply);
}

void LspServer::ResolveItem(const json& params, const ReplyOnce& reply) {
  auto item = tenon::server::ResolveItem(params, client_);
  if (!item) return reply.Error(ErrorCode::kInvalidParams, item.error());
  reply.Result(*std::move(item));
}

void LspServer::ExecuteCommand(const json& params, const ReplyOnce& reply) {
  const std::string command = protocol::ReadString(params, "command").value_or("");
  if (command != kAcceptedCommand) {
    return reply.Error(ErrorCode::kInvalidParams,
                       fmt::format("no command '{}'; there is '{}'", command, kAcceptedCommand));
  }
  const json* arguments = protocol::Find(params, "arguments");
  if (arguments == nullptr || !arguments->is_array() || arguments->size() != 1 ||
      !arguments->front().is_number_integer()) {
    return reply.Error(ErrorCode::kInvalidParams, "'arguments' must be the number of an item");
  }
  auto edit = completions_.OnAccepted(arguments->front().get<int64_t>());
  reply.Result(nullptr);
  if (edit) {
    requests_.Send("workspace/applyEdit", {{"label", "tenon"}, {"edit", *std::move(edit)}},
                   [log = outside_.log](const protocol::Response& response) {
                     if (response.error)
                       log->warn("the editor did not write a sign that a line lacks: {}",
                                 *response.error);
                   });
  }
}

void LspServer::Status(const json& params, const ReplyOnce& reply) {
  json status =
      StatusOf(completer_->status(), configuration_.settings(), completions_.is_busy()).ToJson();
  status.update(completions_.statistics().ToJson());
  if (const auto uri = protocol::ReadString(params, "textDocument/uri")) {
    if (const auto document = completions_.StatusOf(*uri)) status["document"] = document->ToJson();
  }
  reply.Result(std::move(status));
}

void LspServer::Text(const json& params, const ReplyOnce& reply) {
  if (!client_.wants_text)
    return reply.Error(ErrorCode::kMethodNotFound, "'tenon/text' is for clients that announce it");
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return reply.Error(ErrorCode::kInvalidParams, uri.error());
  const ClientDocument* document = documents_.Find(*uri);
  if (document == nullptr) return reply.Result(nullptr);
  reply.Result({{"text", document->text.text()},
                {"languageId", document->language_id},
                {"inStep", document->in_step}});
}

void LspServer::InlineCompletion(const json& params, const ReplyOnce& reply) {
  completions_.Ask(QuestionForm::kInline, params, reply);
}

}  // namespace tenon::server
