#include "server/complete/request_stages.h"

#include <utility>
#include <variant>

#include "server/complete/task_answer.h"
#include "server/request/deadline_stop.h"

namespace tenon::server {

RequestStages::RequestStages(const CompletionRequest& request, const Deadline::Clock& now,
                             std::stop_token cancel)
    : request_(request), cancel_(std::move(cancel)), deadline_(request.time_budget, now) {}

tl::expected<CompletionTask, CompletionAnswer> RequestStages::Prepare(TaskMaker& tasks) {
  if (request_.offset_bytes > request_.text.size())
    return tl::unexpected(CompletionAnswer::Nothing("the cursor lies after the end of the text"));
  auto task = tasks.Prepare(request_, DeadlineStop(deadline_, cancel_).token());
  if (!task) {
    // The deadline cancels the maker, too.
    if (!task.error().cancelled || cancel_.stop_requested()) return task;
    return tl::unexpected(CompletionAnswer::Late(*request_.time_budget,
                                                 "when the text around the cursor was being read"));
  }
  if (!std::holds_alternative<UnconstrainedTask>(*task)) End("gap");
  if (cancel_.stop_requested()) return tl::unexpected(CompletionAnswer::Cancelled());
  return task;
}

CompletionAnswer RequestStages::Answer(const CompletionTask& task,
                                       const Candidates& candidates) const {
  CompletionAnswer answer = AnswerOf(task, candidates);
  answer.cut_by_time = candidates.first.ended == Ended::kTime;
  answer.timings_ms = timings_ms_;
  return answer;
}

}  // namespace tenon::server
