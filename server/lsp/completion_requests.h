// Completion and inlineCompletion: from the params of a request to its answer.
//
// Example: `textDocument/inlineCompletion` at line 3, character 7 becomes a question about the
// document's text at byte 61. The completer's item becomes an InlineCompletionItem whose range is
// in line 3 again.
//
// An answer has nothing to offer (null, or an empty incomplete list) and is no error where
//   the model is loading, or there is none
//   a newer request or an edit has superseded this one
//   the document is not open, its language is unknown, or completion is off
//   nothing fits
//   nobody asked by hand, and the model is not sure where it must be (server/request/sureness.h)
// because editors show errors to the user, at each keystroke.
//
// Source: LSP 3.18, textDocument/completion and textDocument/inlineCompletion.
// Cost: the document's text is copied once between two edits, for all questions together; that of
// a cell for each. Thread rule: the I/O thread.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include <spdlog/logger.h>
#include <nlohmann/json.hpp>
#include <tl/expected.hpp>

#include "server/client/client_profile.h"
#include "server/client/configuration.h"
#include "server/client/reply_once.h"
#include "server/documents/client_documents.h"
#include "server/documents/document_status.h"
#include "server/documents/notebooks.h"
#include "server/lsp/ahead_work.h"
#include "server/offers/completion_question.h"
#include "server/offers/user_reactions.h"
#include "server/scheduling/completion_scheduler.h"
#include "server/scheduling/typing_rhythm.h"
#include "server/session/stage_trace.h"

namespace tenon::server {

class CompletionRequests {
 public:
  // Each lives longer than the requests.
  struct Parts {
    ClientDocuments& documents;
    const Notebooks& notebooks;
    const Configuration& configuration;
    const ClientProfile& client;
    const std::function<std::optional<std::string>(std::string_view language_id,
                                                   std::string_view name)>& find_language;
    std::shared_ptr<spdlog::logger> log;
    Deadline::Clock now;
    std::shared_ptr<StageTrace> stages;  // may be null
    std::function<void()> on_busy;       // called when is_busy() may have changed
  };

  explicit CompletionRequests(Parts parts)
      : parts_(std::move(parts)), ahead_(parts_.documents), reactions_(parts_.now) {}

  // Before the first question. REQUIRES: both live as long as questions come.
  void Start(const Completer& completer, CompletionScheduler::Client& scheduler) {
    completer_ = &completer;
    scheduler_ = &scheduler;
  }
  void Ask(QuestionForm form, const nlohmann::json& params, const ReplyOnce& reply);
  // The document is about to be edited: does the user refuse the offered items?
  void BeforeEdit(const std::string& uri, const protocol::ContentChanges& changes);
  // The document was edited: was an item accepted? Then the model reads ahead.
  void OnEdit(const std::string& uri, const protocol::ContentChanges& changes);
  // The cursor rests at a place where the user has not typed yet: the model reads ahead. The error
  // says what is wrong with the params.
  tl::expected<void, std::string> OnCursor(const nlohmann::json& params);
  // The model is ready: it reads where the cursor has been last while it was loading.
  void OnModelReady();
  void OnClose(const std::string& uri);
  // The client ran the command of an item. Returns the WorkspaceEdit that writes the sign which the
  // line above the item lacks, where it lacks one.
  [[nodiscard]] std::optional<nlohmann::json> OnAccepted(int64_t number);
  // Nothing where no document of this URI is open.
  [[nodiscard]] std::optional<DocumentStatus> StatusOf(const std::string& uri) const;
  // A question is being answered.
  [[nodiscard]] bool is_busy() const { return open_ > 0; }
  [[nodiscard]] const CompletionStatistics& statistics() const { return reactions_.statistics(); }

 private:
  struct CursorPlace {
    std::string uri;
    size_t offset_bytes = 0;
  };

  // Nothing where completion is off for the document, or its language is unknown.
  [[nodiscard]] std::optional<std::string> LanguageOf(QuestionForm form,
                                                      const ClientDocument& document,
                                                      const Settings& settings);
  // The answer to the request, out of an earlier one; nothing: the completer has to be asked.
  [[nodiscard]] std::optional<CompletionAnswer> KnownAnswer(const CompletionQuestion& question,
                                                            const CompletionRequest& request,
                                                            const ClientDocument& document) const;
  // The terms of a question about a document in a language, without text and place.
  [[nodiscard]] CompletionRequest TermsFor(QuestionForm form, bool invoked, const std::string& uri,
                                           const ClientDocument& document,
                                           const std::string& language_id) const;
  // The model reads the text around a place at which it may be asked, now or once it is loaded.
  void ReadAhead(const std::string& uri, const ClientDocument& document, size_t offset_bytes);
  void Pose(CompletionQuestion question, const ReplyOnce& reply);
  void OnAnswer(const CompletionQuestion& question, CompletionScheduler::Outcome outcome,
                const CompletionAnswer& answer, const ReplyOnce& reply);
  // Completes ahead at the end of the answer, where the settings allow it.
  void CompleteAfter(const CompletionQuestion& question, const CompletionRequest& request,
                     const CompletionAnswer& answer);
  // The question about a cell alone, in the time that is left of it; nothing: none is left.
  [[nodiscard]] std::optional<CompletionQuestion> WithoutNeighbours(
      CompletionQuestion question) const;
  // Is the model not sure enough of an item that nobody has asked for?
  [[nodiscard]] bool IsWithheld(const CompletionQuestion& question,
                                const CompletionRequest& request,
                                const CompletionAnswer& answer) const;
  void Answer(const CompletionQuestion& question, const CompletionAnswer& answer,
              const ReplyOnce& reply);
  // The items as the client is told them.
  [[nodiscard]] nlohmann::json ShapeItems(const CompletionQuestion& question,
                                          const ClientDocument& document,
                                          const CompletionAnswer& answer);
  // Lets the client say that the item was accepted.
  void Offer(const CompletionQuestion& question, const ClientDocument& document, bool goes_on,
             const CompletionItem& item, nlohmann::json& shaped);
  // Can the client write the sign that the line above an item lacks? An item of a list brings the
  // edit; an inline item may bring the command alone after which the server asks for it.
  [[nodiscard]] bool WritesMissingSigns(QuestionForm form) const {
    return form == QuestionForm::kList || parts_.client.writes_inline_edits ||
           (parts_.client.executes_commands && parts_.client.applies_edits);
  }
  // The document's text is another one now, and so a place in it may be another one.
  void ForgetPlaceIn(const std::string& uri);
  void LogOnce(const std::string& line);

  Parts parts_;
  const Completer* completer_ = nullptr;              // null before Start
  CompletionScheduler::Client* scheduler_ = nullptr;  // null before Start
  AheadWork ahead_;
  UserReactions reactions_;
  TypingRhythm rhythm_;
  std::optional<CursorPlace> read_when_loaded_;
  int open_ = 0;                  // questions that are with the scheduler
  std::set<std::string> logged_;  // lines that are worth saying once
};

}  // namespace tenon::server
