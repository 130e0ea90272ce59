// From the middles that were decoded for a task to the answer.
//
// Example: for `x = |` with a file's end after it the middles `max(a, b)` and `min(a, b)` become
// two items of the guarantee kFile. A middle is no item where
//   nothing closed the gap, or it is blank
//   it repeats what follows the cursor (server/request/repetition.h)
//   the request says that nobody wants it
//   it was proved in a region alone, and gives the broken file more errors (region_guard.h)
//   what is left of it without those errors shows nothing that an earlier item does not
// An item's text is written as the file is, and verified so (offered_text.h).
//
// Example of the last rule, in a broken file: of `a + b⏎x = = 1` the guard leaves `a + b`, which is
// the beginning of the item `a + b + c` before it.
//
// Cost: each middle is written and verified once, as it is drawn; the answer takes the item that
// came of it. Thread rule: that of the task.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "server/complete/completion_task.h"
#include "server/complete/region_guard.h"
#include "server/decode/candidates.h"
#include "server/request/completer.h"

namespace tenon::server {

class TaskJudge final : public CandidateJudge {
 public:
  // REQUIRES: request and task live longer. The gap that the task is decoded in may be moved out of
  // it.
  TaskJudge(const CompletionRequest& request, const CompletionTask& task, std::stop_token stop);

  [[nodiscard]] std::optional<VerifiedItem> Judge(const DecodeResult& result) override;
  // Parses of a broken file so far.
  [[nodiscard]] int parses() const { return guard_ ? guard_->parses() : 0; }

 private:
  // Nothing where the middle is no item by itself.
  [[nodiscard]] std::optional<CompletionItem> ItemOf(const DecodeResult& result);
  [[nodiscard]] bool IsRefused(const CompletionItem& item) const;

  const CompletionRequest& request_;
  const CompletionTask& task_;
  const std::stop_token stop_;
  std::optional<RegionGuard> guard_;      // of a task in a region
  std::vector<std::string> judged_good_;  // texts of the items so far
};

// Without timings. An answer without items says why.
[[nodiscard]] CompletionAnswer AnswerOf(const CompletionTask& task, const Candidates& candidates);

}  // namespace tenon::server
