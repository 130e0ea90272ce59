#include "server/lsp/lsp_server.h"

#include <utility>

#include <fmt/format.h>

#include "protocol/lsp_types.h"

namespace tenon::server {

using nlohmann::json;
using protocol::ErrorCode;

namespace {

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
      {"tenon/didMoveCursor", &LspServer::DidMoveCursor},
      {"tenon/lostMessage", &LspServer::LostMessage},
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
    : recorded_client_(outside.service.record ? outside.service.record->NewClient() : 0),
      outside_(Recorded(std::move(outside), recorded_client_)),
      requests_(outside_.send, outside_.service.request_ids),
      configuration_(outside_.service.settings, requests_, [this] { OnSettings(); }),
      notebooks_(documents_,
                 [this](const std::string& uri, const protocol::ContentChanges& changes) {
                   Edit(uri, changes);
                 }),
      capabilities_(requests_, client_, outside_.service.languages),
      completions_({.documents = documents_,
                    .notebooks = notebooks_,
                    .configuration = configuration_,
                    .client = client_,
                    .find_language = outside_.service.find_language,
                    .log = outside_.service.log,
                    .now = outside_.now,
                    .stages = outside_.service.stages,
                    .on_busy = [this] { OnStatus(); }}),
      loading_({.client = client_,
                .requests = requests_,
                .send = outside_.send,
                .post = outside_.post,
                .log = outside_.service.log,
                .now = outside_.now,
                .on_status = [this] { OnStatus(); },
                .on_ready = [this] { completions_.OnModelReady(); },
                .load_again =
                    [this] { outside_.service.completer->TryAgain(configuration_.settings()); }}),
      status_notices_(outside_.send),
      trace_(outside_.send, outside_.now),
      alive_(std::make_shared<char>()) {}

LspServer::~LspServer() = default;

LspServer::Outside LspServer::Recorded(Outside outside, int64_t client) {
  if (!outside.service.record) return outside;
  outside.send = [send = std::move(outside.send), record = outside.service.record,
                  client](const json& message) {
    record->Add(client, SessionRecord::From::kServer, protocol::Dump(message));
    send(message);
  };
  return outside;
}

void LspServer::OnFrame(const protocol::Frame& frame) {
  if (phase_ == Phase::kExited) return;
  if (const auto* broken = std::get_if<protocol::FramingError>(&frame)) {
    outside_.service.log->error("broken message from the client: {}", broken->message);
    outside_.send(protocol::MakeError(std::nullopt, ErrorCode::kParseError, broken->message));
    return OnLostMessage(broken->message);
  }
  if (outside_.service.record) {
    outside_.service.record->Add(recorded_client_, SessionRecord::From::kClient,
                                 std::get<std::string>(frame));
  }
  const auto message = protocol::ParseMessage(std::get<std::string>(frame));
  if (!message) {
    outside_.service.log->error("broken message from the client: {}", message.error().message);
    if (!message.error().in_response) {
      outside_.send(
          protocol::MakeError(message.error().id, message.error().code, message.error().message));
    }
    if (message.error().may_be_notification()) OnLostMessage(message.error().message);
    return;
  }
  std::visit([this](const auto& parsed) { Dispatch(parsed); }, *message);
}

void LspServer::OnInputEnd() {
  if (phase_ == Phase::kExited) return;
  outside_.service.log->info("the client closed the connection without 'exit'");
  Finish(1);
}

void LspServer::Dispatch(const protocol::Request& request) {
  const ReplyOnce reply(request.id, request.method, trace_.Around(request), outside_.service.log);
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
    outside_.service.log->debug("notification '{}' ignored", notification.method);
    return;
  }
  (this->*handler->second)(notification.params);
}

void LspServer::Dispatch(const protocol::Response& response) {
  if (phase_ != Phase::kRunning) return;
  if (response.error)
    outside_.service.log->warn("the client refuses the request {}: {}",
                               protocol::ToJson(response.id).dump(), *response.error);
  if (!loading_.OnResponse(response) && !requests_.OnResponse(response))
    outside_.service.log->debug("a response to no request of ours");
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
      outside_.service.log->info("the client's process ended");
      Finish(1);
    });
  }
  completer_ = &outside_.service.completer->Start(configuration_.settings());
  scheduler_ =
      std::make_unique<CompletionScheduler::Client>(outside_.service.completer->scheduler());
  completions_.Start(*completer_, *scheduler_);
  reply.Result({{"capabilities", capabilities_.Static(Switches().any_language)},
                {"serverInfo", {{"name", "tenon"}, {"version", outside_.service.version}}}});
}

void LspServer::AboutDaemon(const json& /*params*/, const ReplyOnce& reply) {
  if (!outside_.service.about) return reply.Error(ErrorCode::kMethodNotFound, "this is no daemon");
  reply.Result(outside_.service.about());
}

void LspServer::Initialized(const json& /*params*/) {
  initialized_ = true;
  TellSettingProblems();
  capabilities_.Start(Switches());
  configuration_.OnInitialized();
  if (client_.wants_status) status_notices_.Start();
  OnStatus();
  loading_.Start(*completer_);
  outside_.service.completer->WhenMadeAgain(alive_, [this] { loading_.Again(); });
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
  if (!uri) return outside_.service.log->error("textDocument/didOpen ignored: {}", uri.error());
  completions_.OnClose(*uri);  // another text of this URI may have been open
  scheduler_->SupersedeDocument(*uri);
}

void LspServer::DidChange(const json& params) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return outside_.service.log->error("textDocument/didChange ignored: {}", uri.error());
  Edit(*uri, protocol::ReadContentChanges(protocol::Find(params, "contentChanges")));
}

void LspServer::Edit(const std::string& uri, const protocol::ContentChanges& changes) {
  const ClientDocument* document = documents_.Find(uri);
  const bool was_in_step = document != nullptr && document->in_step;
  completions_.BeforeEdit(uri, changes);
  const auto edited = documents_.Change(uri, changes);
  if (!edited) outside_.service.log->error("an edit: {}", edited.error());
  if (!edited && was_in_step) TellOutOfStep(edited.error());
  if (!edited) return scheduler_->SupersedeDocument(uri);
  scheduler_->OnEdit(uri, document->text.text());
  completions_.OnEdit(uri, changes);
}

// The protocol has no way to ask for a text again; the user can send it.
void LspServer::TellOutOfStep(const std::string& fault) {
  outside_.send(protocol::MakeShowMessage(
      protocol::MessageType::kWarning,
      fmt::format("tenon: the editor has sent an edit that cannot be read. {}. Close the document "
                  "and open it again.",
                  fault)));
}

void LspServer::OnLostMessage(const std::string& fault) {
  if (!documents_.PutOutOfStep()) return;
  outside_.send(protocol::MakeShowMessage(
      protocol::MessageType::kWarning,
      fmt::format("tenon: the editor has sent a message that cannot be read, maybe an edit: {}. "
                  "Close the documents and open them again; until then they get no completions.",
                  fault)));
  scheduler_->SupersedeAll();
}

void LspServer::LostMessage(const json& params) {
  OnLostMessage(protocol::ReadString(params, "fault").value_or("its text is unknown"));
}

void LspServer::DidMoveCursor(const json& params) {
  if (const auto moved = completions_.OnCursor(params); !moved)
    outside_.service.log->error("tenon/didMoveCursor ignored: {}", moved.error());
}

void LspServer::DidClose(const json& params) {
  const auto uri = documents_.Close(params);
  if (!uri) return outside_.service.log->error("textDocument/didClose ignored: {}", uri.error());
  completions_.OnClose(*uri);
  scheduler_->SupersedeDocument(*uri);
}

void LspServer::DidOpenNotebook(const json& params) {
  const auto cells = notebooks_.Open(params, client_.encoding);
  if (cells) told_notebooks_.erase(NotebookOf(params));
  OnNotebook("didOpen", params, cells);
}

void LspServer::DidChangeNotebook(const json& params) {
  OnNotebook("didChange", params, notebooks_.Change(params, client_.encoding));
}

void LspServer::DidCloseNotebook(const json& params) {
  OnNotebook("didClose", params, notebooks_.Close(params));
  told_notebooks_.erase(NotebookOf(params));
}

// The text of each cell is part of the questions about the others.
void LspServer::OnNotebook(const char* what, const json& params, const Notebooks::Result& cells) {
  if (!cells) {
    outside_.service.log->error("notebookDocument/{}: {}", what, cells.error());
    if (told_notebooks_.insert(NotebookOf(params)).second) TellOutOfStep(cells.error());
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
    outside_.service.log->error("$/setTrace ignored: 'value' must be off, messages or verbose");
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
  outside_.service.log->warn(line);
  outside_.send(protocol::MakeShowMessage(protocol::MessageType::kWarning, "tenon: " + line));
}

void LspServer::CancelRequest(const json& params) {
  const json* id = protocol::Find(params, "id");
  if (id != nullptr && id->is_string()) return scheduler_->Cancel(id->get<std::string>());
  if (id != nullptr && id->is_number_integer()) return scheduler_->Cancel(id->get<int64_t>());
  outside_.service.log->error("$/cancelRequest ignored: 'id' must be an integer or a string");
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
                   [log = outside_.service.log](const protocol::Response& response) {
                     if (!protocol::IsTrue(response.result, "applied"))
                       log->warn("the editor did not write a sign that a line lacks");
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
