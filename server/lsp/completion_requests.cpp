#include "server/lsp/completion_requests.h"

#include <utility>

#include <fmt/format.h>

#include "protocol/lsp_types.h"
#include "server/client/capabilities.h"
#include "server/offers/completion_list.h"
#include "server/request/lines.h"

namespace tenon::server {

using nlohmann::json;
using protocol::ErrorCode;

namespace {

json NothingToOffer(QuestionForm form) {
  if (form == QuestionForm::kInline) return nullptr;
  return {{"isIncomplete", true}, {"items", json::array()}};
}

// Of which the model may see stretches (server/context/snippets.h); drafts come from the first.
constexpr size_t kMaxOtherTexts = 8;

// Reading ahead copies the text, for questions that may never come.
constexpr size_t kMaxReadAheadBytes = size_t{1} << 20;

// The text of the line around `offset` left of it.
std::string LineUpTo(const ClientDocument& document, size_t offset) {
  const std::string_view text = document.text.text();
  const size_t begin = LineBeginAt(text, offset);
  return std::string(text.substr(begin, offset - begin));
}

}  // namespace

std::optional<std::string> CompletionRequests::LanguageOf(QuestionForm form,
                                                          const ClientDocument& document,
                                                          const Settings& settings) {
  const bool on = form == QuestionForm::kInline ? settings.inline_enabled : settings.list_enabled;
  if (!on || !settings.IsOn(document.language_id)) return std::nullopt;
  auto language_id = parts_.find_language(document.language_id, document.name);
  if (!language_id && settings.any_language) return document.language_id;
  if (!language_id) {
    LogOnce(fmt::format("no grammar for language '{}': its documents get no completions",
                        document.language_id));
  }
  return language_id;
}

void CompletionRequests::Ask(QuestionForm form, const json& params, const ReplyOnce& reply) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return reply.Error(ErrorCode::kInvalidParams, uri.error());
  ClientDocument* document = parts_.documents.Find(*uri);
  if (document == nullptr) {
    LogOnce(fmt::format("'{}' is not open: it gets no completions", *uri));
    return reply.Result(NothingToOffer(form));
  }
  const auto place = ReadPlace(form, params, document->text);
  if (!place) return reply.Error(ErrorCode::kInvalidParams, place.error());
  const Settings& settings = parts_.configuration.SettingsOf(*uri);
  const auto language_id = LanguageOf(form, *document, settings);
  const CompleterState state = completer_->status().state;
  if (state == CompleterState::kLoading) ReadAhead(*uri, *document, place->cursor);
  if (!language_id || !document->in_step || state != CompleterState::kReady)
    return reply.Result(NothingToOffer(form));

  CompletionQuestion question;
  question.form = form;
  question.uri = *uri;
  question.place = *place;
  question.asked = parts_.now();
  std::optional<EditEnd>& last_edit = document->edit_end;
  question.invoked =
      IsInvoked(form, params, parts_.client.keeps_edits_back ? std::nullopt : last_edit,
                place->cursor, question.asked);
  if (form == QuestionForm::kList && last_edit && last_edit->offset_bytes == place->cursor)
    last_edit->has_had_list = true;
  question.terms = TermsFor(form, question.invoked, *uri, *document, *language_id);
  question.cells = parts_.notebooks.Around(*uri);
  Pose(std::move(question), reply);
}

CompletionRequest CompletionRequests::TermsFor(QuestionForm form, bool invoked,
                                               const std::string& uri,
                                               const ClientDocument& document,
                                               const std::string& language_id) const {
  CompletionRequest terms = TermsOf(invoked, document, parts_.configuration.SettingsOf(uri));
  terms.language_id = language_id;
  terms.adds_missing_sign = WritesMissingSigns(form);
  terms.document = uri;
  return terms;
}

std::optional<CompletionAnswer> CompletionRequests::KnownAnswer(
    const CompletionQuestion& question, const CompletionRequest& request,
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

void CompletionRequests::Pose(CompletionQuestion question, const ReplyOnce& reply) {
  ClientDocument& document = *parts_.documents.Find(question.uri);
  const char* method = ToString(question.form);
  question.terms.offset_bytes = question.place.CursorFor() + question.shift();
  CompletionRequest request = question.terms;
  request.text = question.TextFor(document);
  request.other_texts = parts_.documents.OtherTexts(document, kMaxOtherTexts);
  request.unwanted = reactions_.UnwantedAt(question.uri, document, question.place.cursor);
  question.terms.unwanted = request.unwanted;
  if (const auto known = KnownAnswer(question, request, document)) {
    scheduler_->SupersedeMethod(method, question.uri);
    if (known->items.empty()) return reply.Result(NothingToOffer(question.form));
    Answer(question, *known, reply);
    return CompleteAfter(question, request, *known);
  }
  if (question.invoked) {
    auto fewer = document.known.FindFewer(request);
    if (!fewer) fewer = document.withheld.FindFewer(request);
    question.earlier = std::move(fewer).value_or(CompletionAnswer());
    AskBeside(question.earlier, request);
  }
  const std::string uri = question.uri;
  ++open_;
  CompletionScheduler::Learn on_whole;
  if (!question.in_cells()) {
    on_whole = ahead_.OnWhole(
        uri, question.earlier, *scheduler_,
        [this, asked = question](const CompletionRequest& of, const CompletionAnswer& answer) {
          return IsWithheld(asked, of, answer);
        });
  }
  const auto wait = question.invoked || question.asked_again ? std::chrono::milliseconds(0)
                                                             : rhythm_.Wait(parts_.now());
  scheduler_->Ask({.id = reply.id(),
                   .method = method,
                   .uri = uri,
                   .request = std::move(request),
                   .learn = std::move(on_whole),
                   .wait = wait},
                  [this, question = std::move(question), reply](
                      CompletionScheduler::Outcome outcome, const CompletionAnswer& answer) {
                    --open_;
                    if (outcome == CompletionScheduler::Outcome::kCancelled)
                      reply.Error(ErrorCode::kRequestCancelled, "cancelled by the client");
                    else
                      OnAnswer(question, outcome, answer, reply);
                    parts_.on_busy();
                  });
  parts_.on_busy();
}

void CompletionRequests::OnAnswer(const CompletionQuestion& question,
                                  CompletionScheduler::Outcome outcome,
                                  const CompletionAnswer& answer, const ReplyOnce& reply) {
  ClientDocument* document = parts_.documents.Find(question.uri);
  // An edit supersedes the questions before it, so the document of an answered one is as it was
  // when it was asked about.
  const bool answered = outcome == CompletionScheduler::Outcome::kAnswered;
  if (const auto total = answer.timings_ms.find("total"); total != answer.timings_ms.end())
    rhythm_.OnAnswer(std::chrono::milliseconds(static_cast<int64_t>(total->second)));
  CompletionAnswer own = answer;
  if (answered) own = Joined(question.earlier, std::move(own));
  if (document != nullptr && answered && own.items.empty() && question.in_cells()) {
    if (auto alone = WithoutNeighbours(question)) return Pose(*std::move(alone), reply);
  }
  if (parts_.stages && answered) {
    parts_.stages->Add(
        fmt::format("{} {}", ToString(question.form), protocol::ToJson(reply.id()).dump()),
        question.asked, parts_.now(), answer.timings_ms);
  }
  if (document != nullptr && answered) question.DropForeignItems(*document, own);
  if (document != nullptr && !own.items.empty()) {
    CompletionRequest request = question.terms;
    request.text = question.TextFor(*document);
    if (IsWithheld(question, request, own)) {
      parts_.log->debug("in '{}': withheld, the model is not sure", question.uri);
      document->withheld.Add(request, own);
      return reply.Result(NothingToOffer(question.form));
    }
    document->known.Add(request, own);
    Answer(question, own, reply);
    return CompleteAfter(question, request, own);
  }
  Answer(question, own, reply);
}

std::optional<CompletionQuestion> CompletionRequests::WithoutNeighbours(
    CompletionQuestion question) const {
  question.cells = CellSurroundings();
  question.asked_again = true;
  std::optional<std::chrono::milliseconds>& left = question.terms.time_budget;
  if (left) {
    *left -= std::chrono::duration_cast<std::chrono::milliseconds>(parts_.now() - question.asked);
    if (left->count() <= 0) return std::nullopt;
  }
  return question;
}

bool CompletionRequests::IsWithheld(const CompletionQuestion& question,
                                    const CompletionRequest& request,
                                    const CompletionAnswer& answer) const {
  return !question.invoked &&
         !MayBeShownUnasked(answer.items.front(), request.text, request.offset_bytes,
                            parts_.configuration.SettingsOf(question.uri).sureness);
}

void CompletionRequests::CompleteAfter(const CompletionQuestion& question,
                                       const CompletionRequest& request,
                                       const CompletionAnswer& answer) {
  if (!question.in_cells() && parts_.configuration.SettingsOf(question.uri).work_ahead)
    ahead_.CompleteAfter(question.uri, request, answer, *scheduler_);
}

void CompletionRequests::ReadAhead(const std::string& uri, const ClientDocument& document,
                                   size_t offset_bytes) {
  const CompleterState state = completer_->status().state;
  if (state == CompleterState::kLoading) read_when_loaded_ = {uri, offset_bytes};
  const Settings& settings = parts_.configuration.SettingsOf(uri);
  if (state != CompleterState::kReady || !document.in_step || !settings.work_ahead ||
      document.text.text().size() > kMaxReadAheadBytes || parts_.notebooks.IsCell(uri))
    return;
  const auto language_id = LanguageOf(QuestionForm::kInline, document, settings);
  if (!language_id) return;
  CompletionRequest request = TermsFor(QuestionForm::kInline, false, uri, document, *language_id);
  request.offset_bytes = offset_bytes;
  request.text = SharedText(document.text.Snapshot());
  request.other_texts = parts_.documents.OtherTexts(document, kMaxOtherTexts);
  ahead_.Read(std::move(request), *scheduler_);
}

void CompletionRequests::Answer(const CompletionQuestion& question, const CompletionAnswer& answer,
                                const ReplyOnce& reply) {
  if (answer.statistics && !answer.is_rest) reactions_.statistics().Cost(*answer.statistics);
  ClientDocument* document = parts_.documents.Find(question.uri);
  if (document == nullptr || answer.items.empty()) {
    if (document != nullptr && !answer.reason.empty()) document->last_answer.reason = answer.reason;
    if (!answer.reason.empty())
      parts_.log->info("nothing to offer in '{}': {}", question.uri, answer.reason);
    return reply.Result(NothingToOffer(question.form));
  }
  json items = ShapeItems(question, *document, answer);
  if (items.empty()) {
    parts_.log->debug("in '{}': a completion that cannot be told to this client", question.uri);
    return reply.Result(NothingToOffer(question.form));
  }
  document->last_answer = {answer.items.front().guarantee, ""};
  const bool is_inline = question.form == QuestionForm::kInline;
  const std::chrono::duration<double, std::milli> took = parts_.now() - question.asked;
  reactions_.statistics().Answered(ToString(question.form), took.count());
  if (is_inline) return reply.Result({{"items", std::move(items)}});
  reply.Result(ShapeCompletionList(std::move(items), parts_.client));
}

json CompletionRequests::ShapeItems(const CompletionQuestion& question,
                                    const ClientDocument& document,
                                    const CompletionAnswer& answer) {
  ClientProfile client = parts_.client;
  client.multiline_items =
      parts_.configuration.SettingsOf(question.uri).multiline.value_or(client.multiline_items);
  json items = json::array();
  for (const CompletionItem& of_text : answer.items) {
    const CompletionItem item = question.InDocument(of_text);
    auto shaped = question.form == QuestionForm::kInline
                      ? ShapeInlineItem(document.text, question.place, item, client)
                      : ShapeCompletionItem(document.text, question.place, item, client,
                                            document.language_id);
    if (!shaped) continue;
    Offer(question, document, answer.is_rest, item, *shaped);
    if (items.empty()) {
      reactions_.OnShown(question.uri, document, question.place.cursor, item, answer.is_rest,
                         question.form == QuestionForm::kInline);
    } else if (question.form == QuestionForm::kList) {
      // Clients sort by this text.
      (*shaped)["sortText"] =
          (*shaped)["sortText"].get<std::string>() + std::to_string(items.size());
    }
    items.push_back(*std::move(shaped));
  }
  return items;
}

void CompletionRequests::Offer(const CompletionQuestion& question, const ClientDocument& document,
                               bool goes_on, const CompletionItem& item, json& shaped) {
  const bool is_inline = question.form == QuestionForm::kInline;
  const json& edit = is_inline ? shaped : shaped["textEdit"];
  const auto range = protocol::ReadRange(edit, "range");
  std::optional<OwedSign> owed;
  if (item.missing_sign && !shaped.contains("additionalTextEdits"))
    owed = {question.uri, *item.missing_sign, LineUpTo(document, item.missing_sign->offset_bytes)};
  const int64_t number =
      reactions_.OnOffered(question.uri, document.text.OffsetAt(range->start),
                           edit[is_inline ? "insertText" : "newText"], goes_on, std::move(owed));
  if (parts_.client.executes_commands) {
    shaped["command"] = {
        {"title", "accepted"}, {"command", kAcceptedCommand}, {"arguments", {number}}};
  }
}

std::optional<json> CompletionRequests::OnAccepted(int64_t number) {
  const auto owed = reactions_.OnCommand(number);
  const ClientDocument* document = owed ? parts_.documents.Find(owed->uri) : nullptr;
  if (document == nullptr) return std::nullopt;
  // The user may have written the sign, or something above it.
  const std::string_view text = document->text.text();
  const size_t at = owed->sign.offset_bytes;
  if (at > text.size() || LineUpTo(*document, at) != owed->line ||
      text.substr(at).starts_with(owed->sign.text))
    return std::nullopt;
  return json{{"changes", {{owed->uri, json::array({SignEdit(document->text, owed->sign)})}}}};
}

std::optional<DocumentStatus> CompletionRequests::StatusOf(const std::string& uri) const {
  const ClientDocument* document = parts_.documents.Find(uri);
  if (document == nullptr) return std::nullopt;
  const bool is_known = parts_.find_language(document->language_id, document->name).has_value();
  return tenon::server::StatusOf(*document, parts_.configuration.SettingsOf(uri), is_known);
}

void CompletionRequests::BeforeEdit(const std::string& uri,
                                    const protocol::ContentChanges& changes) {
  const ClientDocument* document = parts_.documents.Find(uri);
  if (document != nullptr && document->in_step) reactions_.BeforeEdit(uri, *document, changes);
}

void CompletionRequests::OnEdit(const std::string& uri, const protocol::ContentChanges& changes) {
  ClientDocument* document = parts_.documents.Find(uri);
  if (document == nullptr || !document->in_step) return;
  document->withheld.Forget();
  ForgetPlaceIn(uri);
  const auto now = parts_.now();
  rhythm_.OnKey(now);
  reactions_.AfterEdit(uri, *document, changes);
  document->edit_end.reset();
  const auto end = protocol::EndOfLastEdit(changes, document->text);
  if (!end) return;
  document->edit_end = EditEnd{*end, now};
  ReadAhead(uri, *document, *end);
}

tl::expected<void, std::string> CompletionRequests::OnCursor(const json& params) {
  const auto uri = protocol::ReadString(params, "textDocument/uri");
  if (!uri) return tl::unexpected(uri.error());
  const ClientDocument* document = parts_.documents.Find(*uri);
  if (document == nullptr) return tl::unexpected(fmt::format("'{}' is not open", *uri));
  const auto place = ReadPlace(QuestionForm::kInline, params, document->text);
  if (!place) return tl::unexpected(place.error());
  ReadAhead(*uri, *document, place->cursor);
  return {};
}

void CompletionRequests::OnModelReady() {
  const auto place = std::exchange(read_when_loaded_, std::nullopt);
  if (!place) return;
  const ClientDocument* document = parts_.documents.Find(place->uri);
  if (document != nullptr) ReadAhead(place->uri, *document, place->offset_bytes);
}

void CompletionRequests::OnClose(const std::string& uri) {
  reactions_.OnClose(uri);
  ForgetPlaceIn(uri);
}

void CompletionRequests::ForgetPlaceIn(const std::string& uri) {
  if (read_when_loaded_ && read_when_loaded_->uri == uri) read_when_loaded_.reset();
}

void CompletionRequests::LogOnce(const std::string& line) {
  constexpr size_t kMaxLines = 100;  // a client may name any number of languages
  if (logged_.size() < kMaxLines && logged_.insert(line).second) parts_.log->warn(line);
}

}  // namespace tenon::server
