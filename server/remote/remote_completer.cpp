#include "server/remote/remote_completer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "server/complete/completion_task.h"
#include "server/complete/prompt_surroundings.h"
#include "server/complete/shown_right.h"
#include "server/complete/stopwatch.h"
#include "server/complete/task_answer.h"
#include "server/remote/free_stream.h"
#include "server/remote/remote_source.h"
#include "server/remote/streamed_candidates.h"
#include "server/request/deadline_stop.h"

namespace tenon::server {

namespace {

uint32_t EstimateTokens(std::string_view text) {
  return static_cast<uint32_t>((text.size() + kBytesAToken - 1) / kBytesAToken);
}

bool IsAtCursor(const CompletionTask& task) {
  return !std::holds_alternative<PromptTask>(task) && !std::holds_alternative<ExpressionTask>(task);
}

class RemoteCompleter final : public Completer {
 public:
  RemoteCompleter(RemoteOptions options, std::shared_ptr<const LanguageRegistry> languages)
      : engine_(std::move(options.engine)),
        now_(std::move(options.now)),
        tasks_(EstimateTokens, languages,
               std::make_shared<SyntaxRegistry>(languages, std::move(options.syntax_folders))),
        surroundings_(std::move(languages)) {
    SetStatus(engine_ ? CompleterStatus{CompleterState::kReady, engine_->Name()}
                      : CompleterStatus{CompleterState::kFailed, engine_.error()});
  }

  CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) override {
    CompletionAnswer answer = Walk(request, cancel);
    unfinished_.reset();
    if (answer.cut_by_time) unfinished_ = request;
    return answer;
  }

  CompletionAnswer GoOn(std::stop_token stop) override {
    if (!unfinished_) return CompletionAnswer::Cancelled();
    CompletionRequest request = *std::exchange(unfinished_, std::nullopt);
    request.time_budget.reset();
    request.on_progress = {};
    return Walk(request, stop);
  }

 private:
  CompletionAnswer Walk(const CompletionRequest& request, const std::stop_token& cancel) {
    if (!engine_) return CompletionAnswer::Nothing(engine_.error());
    if (request.offset_bytes > request.text.size())
      return CompletionAnswer::Nothing("the cursor lies after the end of the text");
    std::map<std::string, double> timings_ms;
    Stopwatch watch(timings_ms);
    const Deadline deadline(request.time_budget, now_);
    auto task = tasks_.Prepare(request, DeadlineStop(deadline, cancel).token());
    if (!task) {
      if (!task.error().cancelled || cancel.stop_requested()) return std::move(task.error());
      return Late(request, "when the text around the cursor was being read");
    }
    if (!std::holds_alternative<UnconstrainedTask>(*task)) watch.Lap("gap");
    if (cancel.stop_requested()) return CompletionAnswer::Cancelled();
    auto found = Decode(request, *task, deadline, cancel);
    watch.Lap("decode");
    if (cancel.stop_requested() || (found && found->first.cancelled))
      return CompletionAnswer::Cancelled();
    if (!found) return CompletionAnswer::Nothing(std::move(found.error().message));
    const DecodeResult& first = found->first;
    if (first.ended == Ended::kTime && first.statistics.drawn == 0)
      return Late(request, "before the server wrote anything");
    CompletionAnswer answer = AnswerOf(*task, *found);
    answer.cut_by_time = first.ended == Ended::kTime;
    answer.timings_ms = std::move(timings_ms);
    return answer;
  }

  // Takes the gap out of the task.
  tl::expected<Candidates, StreamFault> Decode(const CompletionRequest& request,
                                               CompletionTask& task, const Deadline& deadline,
                                               const std::stop_token& cancel) {
    DecodeLimits limits;
    limits.max_tokens = request.max_tokens;
    limits.deadline = deadline;
    if (request.on_progress) {
      limits.on_middle = [&request](std::string_view middle) {
        if (!middle.empty()) request.on_progress({0, {}, middle});
      };
    }
    RemoteSource source(*engine_, record_, QuestionOf(request, task, cancel), deadline, cancel);
    TaskJudge judge(request, task, cancel);
    return Stream(request, task, source, limits, judge, cancel);
  }

  tl::expected<Candidates, StreamFault> Stream(const CompletionRequest& request,
                                               CompletionTask& task, TextSource& source,
                                               const DecodeLimits& limits, TaskJudge& judge,
                                               const std::stop_token& cancel) {
    const auto alone = [&judge](DecodeResult result) {
      Candidates only{std::move(result), {}};
      if (only.first.cancelled) return only;
      if (auto item = judge.Judge(only.first))
        only.wanted.push_back({only.first, *std::move(item)});
      return only;
    };
    if (auto* syntax = std::get_if<SyntaxTask>(&task)) {
      const DeadlineStop stop(limits.deadline, cancel);
      return StreamSyntax(syntax->middle.Fresh(), source, limits, stop.token()).map(alone);
    }
    if (std::holds_alternative<UnconstrainedTask>(task))
      return StreamLine(source, limits).map(alone);
    const CandidateLimits wanted{judge, static_cast<size_t>(std::max(request.candidates, 1)),
                                 request.already_offered.size()};
    // A branch costs a request.
    const bool branches = wanted.count + wanted.already_offered > 1 || !request.unwanted.empty();
    const std::string healed = HealedOf(task);
    const auto stream = [&](auto& constrained) {
      return DecodeStreamedCandidates(GapText(std::move(constrained.gap), constrained.filter.goal,
                                              healed, constrained.filter.right_line),
                                      source, limits, wanted, branches, cancel);
    };
    if (auto* gap = std::get_if<GapTask>(&task)) return stream(*gap);
    if (auto* prompt = std::get_if<PromptTask>(&task)) return stream(*prompt);
    return stream(std::get<ExpressionTask>(task));
  }

  // The end of the left context that the server's model writes anew, where the server can be told
  // so.
  std::string HealedOf(const CompletionTask& task) const {
    const auto* gap = std::get_if<GapTask>(&task);
    return gap != nullptr && engine_->sends_grammars ? gap->filter.healed : "";
  }

  TextQuestion QuestionOf(const CompletionRequest& request, const CompletionTask& task,
                          const std::stop_token& cancel) {
    TextQuestion question;
    question.prompt = IsAtCursor(task) ? CursorPrompt(request, HealedOf(task).size(), cancel)
                                       : engine_->format.BuildBeginning(request.text);
    question.max_tokens = request.max_tokens;
    question.temperature = request.temperature;
    question.seed = request.seed;
    question.model = engine_->model;
    question.ends = engine_->format.ends();
    return question;
  }

  std::string CursorPrompt(const CompletionRequest& request, size_t healed_bytes,
                           const std::stop_token& cancel) {
    const std::string_view text = request.text;
    const std::string_view left = text.substr(0, request.offset_bytes - healed_bytes);
    std::string_view right = text.substr(request.offset_bytes);
    if (request.constraint == ConstraintMode::kBoth) right = ShownRight(right);
    const auto beside =
        surroundings_.For(request, left, right, engine_->format.shows_files(), cancel);
    return engine_->format.Build(request.name, left, right, beside.outline, beside.snippets());
  }

  // The answer to a request whose time ended before anything was written.
  static CompletionAnswer Late(const CompletionRequest& request, std::string_view when) {
    CompletionAnswer late = CompletionAnswer::Nothing(
        fmt::format("the time of {} ms ended {}", request.time_budget->count(), when));
    late.cut_by_time = true;
    return late;
  }

  const tl::expected<RemoteEngine, std::string> engine_;
  const Deadline::Clock now_;
  TaskMaker tasks_;
  ServerRecord record_;
  PromptSurroundings surroundings_;
  std::optional<CompletionRequest> unfinished_;  // the last request, where its time cut it short
};

}  // namespace

std::unique_ptr<Completer> MakeRemoteCompleter(RemoteOptions options,
                                               std::shared_ptr<const LanguageRegistry> languages) {
  return std::make_unique<RemoteCompleter>(std::move(options), std::move(languages));
}

}  // namespace tenon::server
