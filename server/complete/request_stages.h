// The stages of a request that are the same whichever model writes the middle, and its time.
//
//   Prepare   first: the task is made and its gap opened
//   Answer    last: the middles become items
//
// The stages between are the completer's own. A local model reads a prompt and draws tokens
// (engine_completer.h); a server is asked for text (server/remote/remote_completer.h).
//
// Example: a request with a time of 300 ms whose gap is open after 40 ms leaves 260 ms for the
// middle, as deadline() says. Its answer has the timings {"gap": 40, …}.
//
// Cost: that of the task and of its items; a look at the clock for each stage. Thread rule: one
// thread at a time.
#pragma once

#include <map>
#include <optional>
#include <stop_token>
#include <string>

#include <tl/expected.hpp>

#include "server/complete/completion_task.h"
#include "server/complete/stopwatch.h"
#include "server/decode/candidates.h"
#include "server/request/completer.h"
#include "server/request/deadline.h"

namespace tenon::server {

class RequestStages {
 public:
  // The time of the request begins now.
  RequestStages(CompletionRequest request, Deadline::Clock now, std::stop_token cancel);
  RequestStages(const RequestStages&) = delete;
  RequestStages& operator=(const RequestStages&) = delete;

  [[nodiscard]] const Deadline& deadline() const { return deadline_; }

  // The request to walk on with: after Prepare, that of the text with the sign that the line above
  // lacks, where it lacks one.
  [[nodiscard]] const CompletionRequest& request() const { return request_; }

  // The error is the whole answer: the cursor is not in the text, there is no task, or the request
  // was cancelled or late.
  [[nodiscard]] tl::expected<CompletionTask, CompletionAnswer> Prepare(TaskMaker& tasks);
  // The stage of this name ends now.
  void End(const char* stage) { watch_.Lap(stage); }
  // The items of the candidates, with the timings of the stages that have ended.
  [[nodiscard]] CompletionAnswer Answer(const CompletionTask& task,
                                        const Candidates& candidates) const;

 private:
  void FindSign(TaskMaker& tasks);

  CompletionRequest request_;
  std::optional<MissingSign> sign_;  // that request_ has and the text lacks
  const std::stop_token cancel_;
  const Deadline::Clock now_;
  std::map<std::string, double> timings_ms_;
  Stopwatch watch_{timings_ms_};
  const Deadline deadline_;
};

}  // namespace tenon::server
