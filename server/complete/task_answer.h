// From the middles that were decoded for a task to the answer.
//
// Example: for `x = |` with a file's end after it the middles `max(a, b)` and `min(a, b)` become
// two items of the guarantee kFile. A middle is no item where
//   nothing closed the gap, or it is blank
//   it repeats what follows the cursor (server/request/repetition.h)
//   the request says that nobody wants it
//   it was proved in a region alone, and gives the broken file more errors (region_guard.h)
// An item's text is written as the file is, and verified so (offered_text.h).
//
// Cost: a judgement of each middle. Thread rule: that of the task.
#pragma once

#include <optional>
#include <stop_token>

#include "server/complete/completion_task.h"
#include "server/decode/candidates.h"
#include "server/request/completer.h"

namespace tenon::server {

// Nothing where the middle is not to be offered.
[[nodiscard]] std::optional<CompletionItem> ItemOf(const CompletionRequest& request,
                                                   const CompletionTask& task,
                                                   const DecodeResult& result,
                                                   const std::stop_token& stop);

// Without timings. An answer without items says why.
[[nodiscard]] CompletionAnswer AnswerOf(const CompletionRequest& request,
                                        const CompletionTask& task, const Candidates& candidates,
                                        const std::stop_token& stop);

}  // namespace tenon::server
