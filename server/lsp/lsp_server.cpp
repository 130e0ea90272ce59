#include "server/lsp/lsp_server.h"

#include <utility>

#include <fmt/format.h>

#include "protocol/content_changes.h"
#include "protocol/lsp_types.h"
#include "protocol/position_encoding.h"
#include "protocol/uri.h"

namespace tenon::server {

using nlohmann::json;
using protocol::ErrorCode;

namespace {

constexpr int kMessageError = 1;    // MessageType.Error
constexpr int kMessageWarning = 2;  // MessageType.Warning

// Did a person ask, and no keystroke? A request that does not say so counts as a person's. The
// protocol gives completion and inlineCompletion the same number for it.
bool IsInvoked(const json& params) {
  constexpr int kInvoked = 1;
  const json* kind = protocol::FindPath(params, "context/triggerKind");
  return kind == nullptr || !kind->is_number_integer() || kind->get<int64_t>() == kInvoked;
}

json Capabilities(const ClientProfile& client) {
  return {{"positionEncoding", protocol::ToString(client.encoding)},
          {"textDocumentSync", {{"openClose", true}, {"change", 2}}},  // Incremental
          {"completionProvider",
           {{"triggerCharacters", {".", "(", "[", "{", "=", ","}}, {"resolveProvider", false}}},
          {"inlineCompletionProvider", true}};
}

}  // namespace

const std::map<std::string_view, LspServer::OnRequest>& LspServer::Requests() {
  static const std::map<std::string_view, OnRequest> kRequests = {
      {"initialize", &LspServer::Initialize},
      {"shutdown", &LspServer::Shutdown},
      {"textDocument/completion", &LspServer::Completion},
      {"textDocument/inlineCompletion", &LspServer::InlineCompletion},
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
    : outside_(std::move(outside)), progress_(outside_.send), alive_(std::make_shared<char>()) {}

LspServer::~LspServer() = default;

void LspServer::OnFrame(const protocol::Frame& frame) {
  if (phase_ == Phase::kExited) return;
  if (const auto* broken = std::get_if<protocol::FramingError>(&frame)) {
    outside_.log->error("broken message from the client: {}", broken->message);
    outside_.send(protocol::MakeError(std::nullopt, ErrorCode::kParseError, broken->message));
    return;
  }
  const auto message = protocol::ParseMessage(std::get<std::string>(frame));
  if (!message) {
    outside_.log->error("broken message from the client: {}", message.error().message);
    outside_.send(
        protocol::MakeError(message.error().id, message.error().code, message.error().message));
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
  const ReplyOnce reply(request.id, request.method, outside_.send, outside_.log);
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
  if (!progress_.OnResponse(response)) outside_.log->debug("a response to no request of ours");
}

void LspServer::Initialize(const json& params, const ReplyOnce& reply) {
  if (phase_ != Phase::kFresh)
    return reply.Error(ErrorCode::kInvalidRequest, "'initialize' came a second time");
  if (!params.is_object())
    return reply.Error(ErrorCode::kInvalidParams, "'initialize' needs an object as params");
  phase_ = Phase::kRunning;
  client_ = ReadClientProfile(params);
  const json* options = protocol::Find(params, "initializationOptions");
  ReadSettings read = SettingsFromJson(options != nullptr ? *options : json(), outside_.defaults);
  settings_ = std::move(read.settings);
  setting_problems_ = std::move(read.problems);
  if (settings_.multiline) client_.multiline_items = *settings_.multiline;
  if (client_.process_id) {
    outside_.on_process_end(*client_.process_id, [this, alive = std::weak_ptr<char>(alive_)] {
      if (alive.expired() || phase_ == Phase::kExited) return;
      outside_.log->info("the client's process ended");
      Finish(1);
    });
  }
  completer_ = &outside_.completer->Start(settings_);
  scheduler_ = std::make_unique<CompletionScheduler::Client>(outside_.completer->scheduler());
  reply.Result({{"capabilities", Capabilities(client_)},
                {"serverInfo", {{"name", "tenon"}, {"version", outside_.version}}}});
}

void LspServer::Initialized(const json& /*params*/) {
  if (!setting_problems_.empty()) {
    const std::string line = fmt::format("settings that were left at their defaults: {}",
                                         fmt::join(setting_problems_, "; "));
    setting_problems_.clear();
    outside_.log->warn(line);
    outside_.send(protocol::MakeNotification("window/logMessage",
                                             {{"type", kMessageWarning}, {"message", line}}));
  }
  if (completer_->status().state != CompleterState::kLoading) return AfterLoading();
  if (client_.work_done_progress) progress_.Start();
  completer_->WhenLoaded([this, alive = std::weak_ptr<char>(alive_), post = outside_.post] {
    post([this, alive] {
      if (!alive.expired() && phase_ == Phase::kRunning) AfterLoading();
    });
  });
}

void LspServer::AfterLoading() {
  const CompleterStatus status = completer_->status();
  progress_.End(status.message);
  if (status.state == CompleterState::kReady) {
    outside_.log->info("ready: {}", status.message);
    return;
  }
  outside_.log->error("no completions: {}", status.message);
  outside_.send(protocol::MakeNotification(
      "window/showMessage", {{"type", kMessageError}, {"message", "tenon: " + status.message}}));
}

void LspServer::Shutdown(const json& /*params*/, const ReplyOnce& reply) {
  phase_ = Phase::kShutDown;
  scheduler_->SupersedeAll();
  reply.Result(nullptr);
}

void LspServer::Exit(const json& /*params*/) { Finish(phase_ == Phase::kShutDown ? 0 : 1); }

void LspServer::Finish(int exit_code) {
  phase_ = Phase::kExited;
  if (scheduler_ != nullptr) scheduler_->SupersedeAll();
  outside_.exit(exit_code);
}

void LspServer::DidOpen(const json& params) {
  auto uri = protocol::ReadString(params, "textDocument/uri");
  auto language_id = protocol::ReadString(params, "textDocument/languageId");
  auto text = protocol::ReadString(params, "textDocument/text");
  for (const auto* part : {&uri, &language_id, &text}) {
    if (!*part) return outside_.log->error("textDocument/didOpen ignored: {}", part->error());
  }
  scheduler_->SupersedeDocument(*uri);
  std::string name = protocol::BaseName(*uri);
  documents_.insert_or_assign(*std::move(uri),
                              Document{*std::move(language_id), std::move(name),
                                       protocol::TextDocument(*std::move(text), client_.encoding)});
}

void LspServer::DidChange(const json& params) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return outside_.log->error("textDocument/didChange ignored: {}", uri.error());
  const auto found = documents_.find(*uri);
  if (found == documents_.end())
    return outside_.log->error("textDocument/didChange ignored: '{}' is not open", *uri);
  Document& document = found->second;
  scheduler_->SupersedeDocument(*uri);
  const json* changes = protocol::Find(params, "contentChanges");
  const json edits = changes != nullptr ? *changes : json();
  if (!document.in_step && !protocol::ContainsWholeText(edits)) return;
  const auto applied = protocol::ApplyContentChanges(edits, document.text);
  document.in_step = applied.has_value();
  if (!applied) {
    outside_.log->error(
        "'{}' gets no completions until its whole text comes again: textDocument/didChange: {}",
        *uri, applied.error());
  }
}

void LspServer::DidClose(const json& params) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return outside_.log->error("textDocument/didClose ignored: {}", uri.error());
  scheduler_->SupersedeDocument(*uri);
  documents_.erase(*uri);
}

void LspServer::CancelRequest(const json& params) {
  const json* id = protocol::Find(params, "id");
  if (id != nullptr && id->is_string()) return scheduler_->Cancel(id->get<std::string>());
  if (id != nullptr && id->is_number_integer()) return scheduler_->Cancel(id->get<int64_t>());
  outside_.log->error("$/cancelRequest ignored: 'id' must be an integer or a string");
}

void LspServer::Completion(const json& params, const ReplyOnce& reply) {
  Complete(Kind::kCompletion, params, reply);
}

void LspServer::InlineCompletion(const json& params, const ReplyOnce& reply) {
  Complete(Kind::kInline, params, reply);
}

json LspServer::NothingToOffer(Kind kind) const {
  if (kind == Kind::kInline) return nullptr;
  return {{"isIncomplete", true}, {"items", json::array()}};
}

tl::expected<AskedPlace, std::string> LspServer::ReadPlace(
    Kind kind, const json& params, const protocol::TextDocument& text) const {
  const auto position = protocol::ReadPosition(params, "position");
  if (!position) return tl::unexpected(position.error());
  AskedPlace place;
  place.cursor = place.selected_begin = place.selected_end = text.OffsetAt(*position);
  const json* selected = protocol::FindPath(params, "context/selectedCompletionInfo");
  if (kind == Kind::kCompletion || selected == nullptr || selected->is_null()) return place;
  const auto range = protocol::ReadRange(*selected, "range");
  if (!range) return tl::unexpected("in 'selectedCompletionInfo': " + range.error());
  auto selected_text = protocol::ReadString(*selected, "text");
  if (!selected_text)
    return tl::unexpected("in 'selectedCompletionInfo': " + selected_text.error());
  const size_t begin = text.OffsetAt(range->start);
  const size_t end = text.OffsetAt(range->end);
  if (begin > place.cursor || end < place.cursor) {
    return tl::unexpected(
        std::string("in 'selectedCompletionInfo': 'range' must contain the position"));
  }
  place.selected_begin = begin;
  place.selected_end = end;
  place.selected_text = *std::move(selected_text);
  return place;
}

void LspServer::Complete(Kind kind, const json& params, const ReplyOnce& reply) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return reply.Error(ErrorCode::kInvalidParams, uri.error());
  const auto found = documents_.find(*uri);
  if (found == documents_.end()) {
    return reply.Error(ErrorCode::kInvalidParams, fmt::format("'{}' is not open", *uri));
  }
  const Document& document = found->second;
  const auto place = ReadPlace(kind, params, document.text);
  if (!place) return reply.Error(ErrorCode::kInvalidParams, place.error());
  const auto language_id = outside_.find_language(document.language_id, document.name);
  if (!language_id) {
    LogOnce(fmt::format("no grammar for language '{}': its documents get no completions",
                        document.language_id));
    return reply.Result(NothingToOffer(kind));
  }
  if (!document.in_step || completer_->status().state != CompleterState::kReady) {
    return reply.Result(NothingToOffer(kind));
  }

  const char* method = kind == Kind::kInline ? "inline" : "list";
  CompletionRequest request = RequestAt(*place, *uri, document, *language_id);
  request.time_budget = IsInvoked(params) ? settings_.invoked_budget : settings_.automatic_budget;
  if (const auto known = document.known.Find(request)) {
    outside_.log->debug("in '{}': the rest of an earlier completion", *uri);
    scheduler_->SupersedeMethod(method, *uri);
    return AnswerCompletion(kind, *uri, *place, *known, reply);
  }
  CompletionRequest terms = request;
  terms.text = SharedText();
  scheduler_->Ask({reply.id(), method, *uri, std::move(request)},
                  [this, kind, terms = std::move(terms), place = *place, reply](
                      CompletionScheduler::Outcome outcome, const CompletionAnswer& answer) {
                    if (outcome == CompletionScheduler::Outcome::kCancelled) {
                      return reply.Error(ErrorCode::kRequestCancelled, "cancelled by the client");
                    }
                    LearnAnswer(terms, place, answer);
                    AnswerCompletion(kind, terms.document, place, answer, reply);
                  });
}

CompletionRequest LspServer::RequestAt(const AskedPlace& place, const std::string& uri,
                                       const Document& document,
                                       const std::string& language_id) const {
  CompletionRequest request;
  request.text = place.TextFor(document.text);
  request.offset_bytes = place.CursorFor();
  request.language_id = language_id;
  request.name = document.name;
  request.document = uri;
  request.constraint = settings_.constraint;
  request.max_tokens = settings_.max_tokens;
  request.scope = settings_.scope;
  if (const auto level = settings_.levels.find(document.language_id);
      level != settings_.levels.end())
    request.level = level->second;
  request.temperature = settings_.temperature;
  request.seed = settings_.seed;
  return request;
}

void LspServer::LearnAnswer(CompletionRequest request, const AskedPlace& place,
                            const CompletionAnswer& answer) {
  const auto found = documents_.find(request.document);
  if (found == documents_.end() || answer.items.empty()) return;
  request.text = place.TextFor(found->second.text);
  found->second.known.Add(request, answer);
}

void LspServer::AnswerCompletion(Kind kind, const std::string& uri, const AskedPlace& place,
                                 const CompletionAnswer& answer, const ReplyOnce& reply) {
  const auto found = documents_.find(uri);
  // An edit supersedes the questions before it, so a document that is there is the one that was
  // asked about.
  if (found == documents_.end() || answer.items.empty()) {
    if (!answer.reason.empty())
      outside_.log->info("nothing to offer in '{}': {}", uri, answer.reason);
    return reply.Result(NothingToOffer(kind));
  }
  const Document& document = found->second;
  json items = json::array();
  for (const CompletionItem& item : answer.items) {
    auto shaped = kind == Kind::kInline ? ShapeInlineItem(document.text, place, item, client_)
                                        : ShapeCompletionItem(document.text, place, item, client_,
                                                              document.language_id);
    if (shaped) items.push_back(*std::move(shaped));
  }
  if (items.empty()) {
    outside_.log->debug("in '{}': a completion that cannot be told to this client", uri);
    return reply.Result(NothingToOffer(kind));
  }
  if (kind == Kind::kInline) return reply.Result({{"items", std::move(items)}});
  reply.Result({{"isIncomplete", true}, {"items", std::move(items)}});
}

void LspServer::LogOnce(const std::string& line) {
  if (logged_.insert(line).second) outside_.log->warn(line);
}

}  // namespace tenon::server
