// Work ahead: completions and prompts that are computed for a document while nobody waits.
//
// *Reading ahead*: an edit says where the cursor is, and the question about that place follows when
// the client's own delay is over, or with the next key. Until then the worker opens the gap there
// and reads the prompt. Example: the user types `(` in `print`; by the time that the editor asks
// at `print(|)` the model has read the text, and draws.
//
// *Completing ahead*: while the user reads a completion, the next one is computed, as if the
// user had accepted it. Example: at `x = |` the answer was `max(a, b)`. The worker completes
// `x = max(a, b)|`; once the user gets there, the answer is known.
//
// An answer that its time cut short comes once more, whole, and then the completion after it.
//
// Where the known completions (server/scheduling/known_completions.h) have an answer nothing is
// read or completed.
// Cost: on the I/O thread a copy of the text for each completion ahead. Thread rule: the I/O
// thread.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "server/documents/client_documents.h"
#include "server/scheduling/completion_scheduler.h"

namespace tenon::server {

class AheadWork {
 public:
  // REQUIRES: the documents live longer.
  explicit AheadWork(ClientDocuments& documents)
      : documents_(documents), alive_(std::make_shared<char>()) {}

  // Reads the text of a request ahead of it. `request`: as a question at the end of the last edit
  // would make it.
  void Read(CompletionRequest request, CompletionScheduler::Client& scheduler);
  // `answer` is known for the document of this URI.
  void CompleteAfter(const std::string& uri, const CompletionRequest& request,
                     const CompletionAnswer& answer, CompletionScheduler::Client& scheduler);
  // May an answer not be shown to whoever asked?
  using IsWithheld =
      std::function<bool(const CompletionRequest& request, const CompletionAnswer& answer)>;
  // The whole answer to a question has come: it becomes known, and the completion after it is
  // computed, or it becomes one that is withheld. `known`: the items that it was asked beside, if
  // any (AskBeside). REQUIRES: the scheduler lives longer than this.
  [[nodiscard]] CompletionScheduler::Learn OnWhole(const std::string& uri, CompletionAnswer known,
                                                   CompletionScheduler::Client& scheduler,
                                                   IsWithheld is_withheld);

 private:
  // The answer, which is known from then on.
  CompletionAnswer Learn(const std::string& uri, const CompletionRequest& request,
                         CompletionAnswer answer);

  ClientDocuments& documents_;
  std::shared_ptr<char> alive_;  // work in flight looks whether this is still there
};

}  // namespace tenon::server
