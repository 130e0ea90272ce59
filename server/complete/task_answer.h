// Turns the middles that were decoded for a task into the answer: which of them are items, and how
// each is written.
//
// Example: for `x = |` with a file's end after it the middles `max(a, b)` and `min(a, b)` become
// two items of the guarantee kFile. A middle is no item where
//   it does not close the gap, or is blank
//   it repeats the text after the cursor (server/request/repetition.h)
//   the request has it among `unwanted` or `already_offered`
//   it declares a name again that its scope may declare once (name_guard.h)
//   it was proved in a region alone, and gives the broken file more errors (region_guard.h)
//   the guard cuts it to a text that is not distinct from an earlier item (visible_text.h)
// An item's text gets the file's line ends and indentation, and is verified as it stands then
// (offered_text.h).
//
// Example of the last rule, in a broken file: the first item is `a + b + c`. Of the next middle
// `a + b⏎x = = 1` the guard leaves `a + b`, the beginning of that item.
//
// Cost: each middle is written and verified once, as it is drawn; the answer takes the item that
// came of it. Thread rule: that of the task.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "server/complete/completion_task.h"
#include "server/complete/name_guard.h"
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
  // As many candidates as the request wants, each judged by this.
  [[nodiscard]] CandidateLimits wanted();
  // Parses of a broken file so far.
  [[nodiscard]] int parses() const { return guard_ ? guard_->parses() : 0; }

 private:
  // Nothing where the middle is no item by itself.
  [[nodiscard]] std::optional<CompletionItem> ItemOf(const DecodeResult& result);
  // Does the item write R's next lines, or the rest of the cursor's?
  [[nodiscard]] bool RepeatsRight(const CompletionItem& item) const;
  // Are L and R whole without a middle, and the cursor in no comment?
  [[nodiscard]] bool JoinsWithoutMiddle() const;
  [[nodiscard]] bool IsRefused(const CompletionItem& item) const;

  const CompletionRequest& request_;
  const CompletionTask& task_;
  const std::stop_token stop_;
  std::optional<RegionGuard> guard_;      // of a task in a region
  std::optional<NameGuard> name_guard_;   // of a gap in a file whose language has rules for names
  std::vector<std::string> judged_good_;  // texts of the items so far
  // A middle before wrote R's lines, where none is needed: another one is unneeded.
  bool nothing_is_missing_ = false;
};

// Without timings. An answer without items says why.
[[nodiscard]] CompletionAnswer AnswerOf(const CompletionTask& task, const Candidates& candidates);

}  // namespace tenon::server
