#include "server/complete/request_stages.h"

#include <utility>
#include <variant>

#include "server/complete/missing_sign.h"
#include "server/complete/task_answer.h"
#include "server/request/deadline_stop.h"

namespace tenon::server {
namespace {

// Of the request's time, the sign that the line above lacks is looked for in one part of so many:
// without it, too, there is something to complete.
constexpr int kShareForSign = 3;

}  // namespace

RequestStages::RequestStages(CompletionRequest request, Deadline::Clock now, std::stop_token cancel)
    : request_(std::move(request)),
      cancel_(std::move(cancel)),
      now_(std::move(now)),
      deadline_(request_.time_budget, now_) {}

tl::expected<CompletionTask, CompletionAnswer> RequestStages::Prepare(TaskMaker& tasks) {
  if (request_.offset_bytes > request_.text.size())
    return tl::unexpected(CompletionAnswer::Nothing("the cursor lies after the end of the text"));
  FindSign(tasks);
  const DeadlineStop stop(deadline_, cancel_);
  auto task = tasks.Prepare(request_, stop.token());
  if (!task) {
    // The deadline cancels the maker, too.
    if (!task.error().cancelled || cancel_.stop_requested()) return task;
    return tl::unexpected(CompletionAnswer::Late(*request_.time_budget,
                                                 "when the text around the cursor was being read"));
  }
  if (auto* gap = std::get_if<GapTask>(&*task)) gap->added_sign = sign_;
  if (!std::holds_alternative<UnconstrainedTask>(*task)) End("gap");
  if (cancel_.stop_requested()) return tl::unexpected(CompletionAnswer::Cancelled());
  return task;
}

void RequestStages::FindSign(TaskMaker& tasks) {
  std::optional<std::chrono::milliseconds> share = request_.time_budget;
  if (share) *share /= kShareForSign;
  const DeadlineStop stop(Deadline(share, now_), cancel_);
  sign_ = tasks.FindMissingSign(request_, stop.token());
  if (sign_) request_ = WithSign(std::move(request_), *sign_);
}

CompletionAnswer RequestStages::Answer(const CompletionTask& task,
                                       const Candidates& candidates) const {
  CompletionAnswer answer = AnswerOf(task, candidates);
  if (sign_) AnswerWithoutSign(answer, *sign_);
  answer.cut_by_time = candidates.first.ended == Ended::kTime;
  answer.timings_ms = timings_ms_;
  return answer;
}

}  // namespace tenon::server
