#include "server/lsp/completion_requests.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "protocol/content_changes.h"
#include "protocol/lsp_types.h"
#include "server/lsp/capabilities.h"
#include "server/lsp/completion_list.h"
#include "server/request/line_ends.h"

namespace tenon::server {

using nlohmann::json;
using protocol::ErrorCode;

namespace {

// Did a person ask, and no keystroke? A request that does not say so counts as a person's. The
// protocol gives completion and inlineCompletion the same number for it.
bool IsInvoked(const json& params) {
  constexpr int kInvoked = 1;
  const json* kind = protocol::FindPath(params, "context/triggerKind");
  return kind == nullptr || !kind->is_number_integer() || kind->get<int64_t>() == kInvoked;
}

const char* FormOf(CompletionRequests::Kind kind) {
  return kind == CompletionRequests::Kind::kInline ? "inlineCompletion" : "completion";
}

json NothingToOffer(CompletionRequests::Kind kind) {
  if (kind == CompletionRequests::Kind::kInline) return nullptr;
  return {{"isIncomplete", true}, {"items", json::array()}};
}

// The item, moved from one text that holds the document to another; its beginning lies there at
// `from` and `to`.
CompletionItem Shifted(CompletionItem item, size_t from, size_t to) {
  item.range_begin_bytes = item.range_begin_bytes - from + to;
  item.range_end_bytes = item.range_end_bytes - from + to;
  return item;
}

// Of which the model may see stretches (server/context/snippets.h); drafts come from the first.
constexpr size_t kMaxOtherTexts = 8;

// Reading ahead copies the text, for questions that may never come.
constexpr size_t kMaxReadAheadBytes = size_t{1} << 20;

// Without its text.
CompletionRequest RequestOf(bool invoked, const ClientDocument& document,
                            const Settings& settings) {
  CompletionRequest request;
  request.name = document.name;
  request.constraint = settings.constraint;
  request.max_tokens = settings.max_tokens;
  request.time_budget = invoked ? settings.invoked_budget : settings.automatic_budget;
  request.scope = settings.scope;
  if (const auto level = settings.levels.find(document.language_id); level != settings.levels.end())
    request.level = level->second;
  request.any_language = settings.any_language;
  request.other_files = settings.other_files;
  request.temperature = settings.temperature;
  request.seed = settings.seed;
  request.candidates = invoked ? settings.candidates : 1;
  request.line_end = LineEndOf(document.text.text());
  return request;
}

}  // namespace

tl::expected<AskedPlace, std::string> CompletionRequests::ReadPlace(
    Kind kind, const json& params, const protocol::TextDocument& text) const {
  const auto position = protocol::ReadPosition(params, "position");
  if (!position) return tl::unexpected(position.error());
  AskedPlace place;
  place.cursor = place.selected_begin = place.selected_end = text.OffsetAt(*position);
  const json* selected = protocol::FindPath(params, "context/selectedCompletionInfo");
  if (kind == Kind::kList || selected == nullptr || selected->is_null()) return place;
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

std::optional<std::string> CompletionRequests::LanguageOf(Kind kind, const ClientDocument& document,
                                                          const Settings& settings) {
  const bool on = kind == Kind::kInline ? settings.inline_enabled : settings.list_enabled;
  if (!on || !settings.IsOn(document.language_id)) return std::nullopt;
  auto language_id = parts_.find_language(document.language_id, document.name);
  if (!language_id && settings.any_language) return document.language_id;
  if (!language_id) {
    LogOnce(fmt::format("no grammar for language '{}': its documents get no completions",
                        document.language_id));
  }
  return language_id;
}

void CompletionRequests::Ask(Kind kind, const json& params, const ReplyOnce& reply,
                             const Completer& completer, CompletionScheduler::Client& scheduler) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return reply.Error(ErrorCode::kInvalidParams, uri.error());
  const ClientDocument* document = parts_.documents.Find(*uri);
  if (document == nullptr) {
    LogOnce(fmt::format("'{}' is not open: it gets no completions", *uri));
    return reply.Result(NothingToOffer(kind));
  }
  const auto place = ReadPlace(kind, params, document->text);
  if (!place) return reply.Error(ErrorCode::kInvalidParams, place.error());
  const Settings& settings = parts_.configuration.SettingsOf(*uri);
  const auto language_id = LanguageOf(kind, *document, settings);
  if (!language_id || !document->in_step || completer.status().state != CompleterState::kReady)
    return reply.Result(NothingToOffer(kind));

  Question question{kind,
                    *uri,
                    *place,
                    RequestOf(IsInvoked(params), *document, settings),
                    std::nullopt,
                    parts_.now(),
                    IsInvoked(params)};
  question.terms.language_id = *language_id;
  question.terms.document = *uri;
  question.cells = parts_.notebooks.Around(*uri);
  Pose(std::move(question), reply, scheduler);
}

SharedText CompletionRequests::TextOf(const Question& question, const ClientDocument& document) {
  SharedText own = question.place.TextFor(document.text);
  if (!question.cells) return own;
  return question.cells->before + WithoutMagics(own, question.place.CursorFor()) +
         question.cells->after;
}

std::optional<CompletionAnswer> CompletionRequests::KnownAnswer(
    const Question& question, const CompletionRequest& request,
    const ClientDocument& document) const {
  if (auto known = document.known.Find(request)) {
    parts_.log->debug("in '{}': the rest of an earlier completion", question.uri);
    return known;
  }
  auto withheld = document.withheld.Find(request);
  if (withheld && IsWithheld(question, request, *withheld)) {
    parts_.log->debug("in '{}': withheld again", question.uri);
    withheld->items.clear();
  }
  return withheld;
}

void CompletionRequests::Pose(Question question, const ReplyOnce& reply,
                              CompletionScheduler::Client& scheduler) {
  ClientDocument& document = *parts_.documents.Find(question.uri);
  const char* method = question.kind == Kind::kInline ? "inline" : "list";
  question.terms.offset_bytes = question.place.CursorFor() + question.shift();
  CompletionRequest request = question.terms;
  request.text = TextOf(question, document);
  request.other_texts = parts_.documents.OtherTexts(document, kMaxOtherTexts);
  request.unwanted =
      unwanted_.At(question.uri, document.text.text(), question.place.cursor, parts_.now());
  question.terms.unwanted = request.unwanted;
  if (const auto known = KnownAnswer(question, request, document)) {
    scheduler.SupersedeMethod(method, question.uri);
    if (known->items.empty()) return reply.Result(NothingToOffer(question.kind));
    Answer(question, *known, reply);
    return CompleteAfter(question, request, *known, scheduler);
  }
  if (question.invoked) {
    auto fewer = document.known.FindFewer(request);
    if (!fewer) fewer = document.withheld.FindFewer(request);
    question.known = std::move(fewer).value_or(CompletionAnswer());
    AskBeside(question.known, request);
  }
  const std::string uri = question.uri;
  ++open_;
  CompletionScheduler::Learn on_whole;
  if (!question.in_cells()) on_whole = ahead_.OnWhole(uri, question.known, scheduler);
  const auto wait = question.invoked ? std::chrono::milliseconds(0) : rhythm_.Wait(parts_.now());
  scheduler.Ask({reply.id(), method, uri, std::move(request), std::move(on_whole), wait},
                [this, question = std::move(question), reply, &scheduler](
                    CompletionScheduler::Outcome outcome, const CompletionAnswer& answer) {
                  --open_;
                  if (outcome == CompletionScheduler::Outcome::kCancelled)
                    reply.Error(ErrorCode::kRequestCancelled, "cancelled by the client");
                  else
                    OnAnswer(question, outcome, answer, reply, scheduler);
                  parts_.on_busy();
                });
  parts_.on_busy();
}

void CompletionRequests::OnAnswer(const Question& question, CompletionScheduler::Outcome outcome,
                                  const CompletionAnswer& answer, const ReplyOnce& reply,
                                  CompletionScheduler::Client& scheduler) {
  ClientDocument* document = parts_.documents.Find(question.uri);
  // An edit supersedes the questions before it, so the document of an answered one is as it was
  // when it was asked about.
  const bool answered = outcome == CompletionScheduler::Outcome::kAnswered;
  if (const auto total = answer.timings_ms.find("total"); total != answer.timings_ms.end())
    rhythm_.OnAnswer(std::chrono::milliseconds(static_cast<int64_t>(total->second)));
  CompletionAnswer own = answer;
  if (answered) own = Joined(question.known, std::move(own));
  if (document != nullptr && answered && own.items.empty() && question.in_cells()) {
    Question alone = question;
    alone.cells = CellSurroundings();
    return Pose(std::move(alone), reply, scheduler);
  }
  if (parts_.stages && answered) {
    parts_.stages->Add(
        fmt::format("{} {}", FormOf(question.kind), protocol::ToJson(reply.id()).dump()),
        question.asked, parts_.now(), answer.timings_ms);
  }
  if (document != nullptr && answered) DropForeignItems(question, *document, own);
  if (document != nullptr && !own.items.empty()) {
    CompletionRequest request = question.terms;
    request.text = TextOf(question, *document);
    if (IsWithheld(question, request, own)) {
      parts_.log->debug("in '{}': withheld, the model is not sure", question.uri);
      document->withheld.Add(request, own);
      return reply.Result(NothingToOffer(question.kind));
    }
    document->known.Add(request, own);
    Answer(question, own, reply);
    return CompleteAfter(question, request, own, scheduler);
  }
  Answer(question, own, reply);
}

bool CompletionRequests::IsWithheld(const Question& question, const CompletionRequest& request,
                                    const CompletionAnswer& answer) const {
  const double least = parts_.configuration.SettingsOf(question.uri).sureness;
  return !question.invoked && NeedsSureness(request.text, request.offset_bytes) &&
         SurenessOf(answer.items.front().nats) < least;
}

void CompletionRequests::CompleteAfter(const Question& question, const CompletionRequest& request,
                                       const CompletionAnswer& answer,
                                       CompletionScheduler::Client& scheduler) {
  if (!question.in_cells() && parts_.configuration.SettingsOf(question.uri).work_ahead)
    ahead_.CompleteAfter(question.uri, request, answer, scheduler);
}

void CompletionRequests::ReadAhead(const std::string& uri, const json& params,
                                   const Completer& completer,
                                   CompletionScheduler::Client& scheduler) {
  const ClientDocument* document = parts_.documents.Find(uri);
  const json* changes = protocol::Find(params, "contentChanges");
  if (document == nullptr || changes == nullptr || !document->in_step) return;
  const Settings& settings = parts_.configuration.SettingsOf(uri);
  const auto end = protocol::EndOfLastEdit(*changes, document->text);
  if (!end || !settings.work_ahead || document->text.text().size() > kMaxReadAheadBytes ||
      completer.status().state != CompleterState::kReady || parts_.notebooks.Around(uri))
    return;
  const auto language_id = LanguageOf(Kind::kInline, *document, settings);
  if (!language_id) return;
  CompletionRequest request = RequestOf(false, *document, settings);
  request.language_id = *language_id;
  request.document = uri;
  request.offset_bytes = *end;
  request.text = SharedText(document->text.Snapshot());
  request.other_texts = parts_.documents.OtherTexts(*document, kMaxOtherTexts);
  ahead_.Read(std::move(request), scheduler);
}

void CompletionRequests::DropForeignItems(const Question& question, const ClientDocument& document,
                                          CompletionAnswer& answer) {
  const size_t shift = question.shift();
  const size_t end = question.place.TextFor(document.text).size() + shift;
  std::erase_if(answer.items, [shift, end](const CompletionItem& item) {
    return item.range_begin_bytes < shift || item.range_end_bytes > end;
  });
}

void CompletionRequests::Answer(const Question& question, const CompletionAnswer& answer,
                                const ReplyOnce& reply) {
  if (answer.statistics && !answer.known) statistics_.Cost(*answer.statistics);
  ClientDocument* document = parts_.documents.Find(question.uri);
  if (document == nullptr || answer.items.empty()) {
    if (document != nullptr && !answer.reason.empty()) document->last_answer.reason = answer.reason;
    if (!answer.reason.empty())
      parts_.log->info("nothing to offer in '{}': {}", question.uri, answer.reason);
    return reply.Result(NothingToOffer(question.kind));
  }
  json items = ShapeItems(question, *document, answer);
  if (items.empty()) {
    parts_.log->debug("in '{}': a completion that cannot be told to this client", question.uri);
    return reply.Result(NothingToOffer(question.kind));
  }
  document->last_answer = {answer.items.front().guarantee, ""};
  const bool is_inline = question.kind == Kind::kInline;
  const std::chrono::duration<double, std::milli> took = parts_.now() - question.asked;
  statistics_.Answered(FormOf(question.kind), took.count());
  if (is_inline) return reply.Result({{"items", std::move(items)}});
  reply.Result(ShapeCompletionList(std::move(items), parts_.client));
}

json CompletionRequests::ShapeItems(const Question& question, const ClientDocument& document,
                                    const CompletionAnswer& answer) {
  ClientProfile client = parts_.client;
  client.multiline_items =
      parts_.configuration.SettingsOf(question.uri).multiline.value_or(client.multiline_items);
  json items = json::array();
  for (const CompletionItem& of_text : answer.items) {
    const CompletionItem item = Shifted(of_text, question.shift(), 0);
    auto shaped = question.kind == Kind::kInline
                      ? ShapeInlineItem(document.text, question.place, item, client)
                      : ShapeCompletionItem(document.text, question.place, item, client,
                                            document.language_id);
    if (!shaped) continue;
    Offer(question, document, answer.known, *shaped);
    if (items.empty()) {
      OnShown(question, document, item, answer.known);
    } else if (question.kind == Kind::kList) {
      // Clients sort by this text.
      (*shaped)["sortText"] =
          (*shaped)["sortText"].get<std::string>() + std::to_string(items.size());
    }
    items.push_back(*std::move(shaped));
  }
  return items;
}

void CompletionRequests::Offer(const Question& question, const ClientDocument& document,
                               bool goes_on, json& shaped) {
  const bool is_inline = question.kind == Kind::kInline;
  const json& edit = is_inline ? shaped : shaped["textEdit"];
  const auto range = protocol::ReadRange(edit, "range");
  const int64_t number = offered_.Offer(question.uri, document.text.OffsetAt(range->start),
                                        edit[is_inline ? "insertText" : "newText"], goes_on);
  if (parts_.client.executes_commands) {
    shaped["command"] = {
        {"title", "accepted"}, {"command", kAcceptedCommand}, {"arguments", {number}}};
  }
}

std::optional<DocumentStatus> CompletionRequests::StatusOf(const std::string& uri) const {
  const ClientDocument* document = parts_.documents.Find(uri);
  if (document == nullptr) return std::nullopt;
  const bool is_known = parts_.find_language(document->language_id, document->name).has_value();
  return tenon::server::StatusOf(*document, parts_.configuration.SettingsOf(uri), is_known);
}

void CompletionRequests::OnShown(const Question& question, const ClientDocument& document,
                                 const CompletionItem& item, bool goes_on) {
  if (!goes_on) statistics_.Shown(item.guarantee);
  // A list may show the items of other servers.
  if (question.kind == Kind::kInline && item.range_begin_bytes == question.place.cursor)
    unwanted_.OnShown(question.uri, document.text.text(), question.place.cursor, item.text);
}

void CompletionRequests::BeforeEdit(const json& params) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  const ClientDocument* document = uri ? parts_.documents.Find(*uri) : nullptr;
  const json* changes = protocol::Find(params, "contentChanges");
  if (document == nullptr || changes == nullptr || !changes->is_array()) return;
  // Several edits at once, or a whole text, are no typing.
  if (changes->size() != 1 || protocol::Find(changes->front(), "range") == nullptr)
    return unwanted_.Forget(*uri);
  const auto range = protocol::ReadRange(changes->front(), "range");
  auto inserted = protocol::ReadString(changes->front(), "text");
  if (!range || !inserted) return;
  const size_t begin = document->text.OffsetAt(range->start),
               end = std::max(begin, document->text.OffsetAt(range->end));
  const std::string& text = document->text.text();
  unwanted_.OnEdit(*uri, text, {begin, text.substr(begin, end - begin), *std::move(inserted)},
                   parts_.now());
}

void CompletionRequests::OnEdit(const std::string& uri, const json& params) {
  ClientDocument* document = parts_.documents.Find(uri);
  const json* changes = protocol::Find(params, "contentChanges");
  if (document == nullptr || changes == nullptr) return;
  document->withheld.Forget();
  rhythm_.OnKey(parts_.now());
  size_t inserted_bytes = 0;
  for (const json& change : *changes) {
    const auto text = protocol::ReadString(change, "text");
    // A whole new text does not say what was inserted.
    if (text && protocol::Find(change, "range") != nullptr)
      inserted_bytes = std::max(inserted_bytes, text->size());
  }
  for (size_t i = offered_.OnEdit(uri, document->text.text(), inserted_bytes); i > 0; --i)
    statistics_.Accepted();
}

void CompletionRequests::OnAccepted(int64_t number) {
  if (offered_.OnCommand(number)) statistics_.Accepted();
}

void CompletionRequests::LogOnce(const std::string& line) {
  constexpr size_t kMaxLines = 100;  // a client may name any number of languages
  if (logged_.size() < kMaxLines && logged_.insert(line).second) parts_.log->warn(line);
}

}  // namespace tenon::server
