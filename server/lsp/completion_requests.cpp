#include "server/lsp/completion_requests.h"

#include <utility>

#include <fmt/format.h>

#include "protocol/lsp_types.h"

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

json NothingToOffer(CompletionRequests::Kind kind) {
  if (kind == CompletionRequests::Kind::kInline) return nullptr;
  return {{"isIncomplete", true}, {"items", json::array()}};
}

CompletionRequest RequestOf(const json& params, const AskedPlace& place,
                            const ClientDocument& document, const Settings& settings) {
  CompletionRequest request;
  request.text = place.TextFor(document.text);
  request.offset_bytes = place.CursorFor();
  request.name = document.name;
  request.constraint = settings.constraint;
  request.max_tokens = settings.max_tokens;
  request.time_budget = IsInvoked(params) ? settings.invoked_budget : settings.automatic_budget;
  request.scope = settings.scope;
  if (const auto level = settings.levels.find(document.language_id); level != settings.levels.end())
    request.level = level->second;
  request.temperature = settings.temperature;
  request.seed = settings.seed;
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
  ClientDocument* document = parts_.documents.Find(*uri);
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

  const char* method = kind == Kind::kInline ? "inline" : "list";
  CompletionRequest request = RequestOf(params, *place, *document, settings);
  request.language_id = *language_id;
  request.document = *uri;
  if (const auto known = document->known.Find(request)) {
    parts_.log->debug("in '{}': the rest of an earlier completion", *uri);
    scheduler.SupersedeMethod(method, *uri);
    return Answer(kind, *uri, *place, *known, reply);
  }
  CompletionRequest terms = request;
  terms.text = SharedText();
  scheduler.Ask({reply.id(), method, *uri, std::move(request)},
                [this, kind, terms = std::move(terms), place = *place, reply](
                    CompletionScheduler::Outcome outcome, const CompletionAnswer& answer) {
                  if (outcome == CompletionScheduler::Outcome::kCancelled) {
                    return reply.Error(ErrorCode::kRequestCancelled, "cancelled by the client");
                  }
                  Learn(terms, place, answer);
                  Answer(kind, terms.document, place, answer, reply);
                });
}

void CompletionRequests::Learn(CompletionRequest request, const AskedPlace& place,
                               const CompletionAnswer& answer) {
  ClientDocument* document = parts_.documents.Find(request.document);
  if (document == nullptr || answer.items.empty()) return;
  request.text = place.TextFor(document->text);
  document->known.Add(request, answer);
}

void CompletionRequests::Answer(Kind kind, const std::string& uri, const AskedPlace& place,
                                const CompletionAnswer& answer, const ReplyOnce& reply) const {
  const ClientDocument* document = parts_.documents.Find(uri);
  // An edit supersedes the questions before it, so a document that is there is the one that was
  // asked about.
  if (document == nullptr || answer.items.empty()) {
    if (!answer.reason.empty())
      parts_.log->info("nothing to offer in '{}': {}", uri, answer.reason);
    return reply.Result(NothingToOffer(kind));
  }
  ClientProfile client = parts_.client;
  client.multiline_items =
      parts_.configuration.SettingsOf(uri).multiline.value_or(client.multiline_items);
  json items = json::array();
  for (const CompletionItem& item : answer.items) {
    auto shaped = kind == Kind::kInline ? ShapeInlineItem(document->text, place, item, client)
                                        : ShapeCompletionItem(document->text, place, item, client,
                                                              document->language_id);
    if (shaped) items.push_back(*std::move(shaped));
  }
  if (items.empty()) {
    parts_.log->debug("in '{}': a completion that cannot be told to this client", uri);
    return reply.Result(NothingToOffer(kind));
  }
  if (kind == Kind::kInline) return reply.Result({{"items", std::move(items)}});
  reply.Result({{"isIncomplete", true}, {"items", std::move(items)}});
}

void CompletionRequests::LogOnce(const std::string& line) {
  constexpr size_t kMaxLines = 100;  // a client may name any number of languages
  if (logged_.size() < kMaxLines && logged_.insert(line).second) parts_.log->warn(line);
}

}  // namespace tenon::server
