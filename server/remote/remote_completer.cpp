#include "server/remote/remote_completer.h"

#include <utility>
#include <variant>

#include "server/complete/completion_task.h"
#include "server/complete/prompt_surroundings.h"
#include "server/complete/request_stages.h"
#include "server/complete/shown_right.h"
#include "server/complete/task_answer.h"
#include "server/complete/unfinished_request.h"
#include "server/remote/free_stream.h"
#include "server/remote/remote_source.h"
#include "server/remote/streamed_candidates.h"
#include "server/request/deadline_stop.h"

namespace tenon::server {

namespace {

uint32_t EstimateTokens(std::string_view text) {
  return static_cast<uint32_t>((text.size() + kBytesAToken - 1) / kBytesAToken);
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
    unfinished_.Note(request, answer);
    return answer;
  }

  // A request may cost money, or another user's turn.
  CompletionAnswer CompleteAhead(const CompletionRequest& /*request*/,
                                 std::stop_token /*stop*/) override {
    return CompletionAnswer::Cancelled();
  }

  CompletionAnswer GoOn(std::stop_token stop) override {
    const auto request = unfinished_.Take();
    return request ? Walk(*request, stop) : CompletionAnswer::Cancelled();
  }

 private:
  CompletionAnswer Walk(const CompletionRequest& asked, const std::stop_token& cancel) {
    if (!engine_) return CompletionAnswer::Nothing(engine_.error());
    RequestStages stages(asked, now_, cancel);
    auto task = stages.Prepare(tasks_);
    if (!task) return std::move(task.error());
    const CompletionRequest& request = stages.request();
    auto found = Decode(request, *task, stages.deadline(), cancel);
    stages.End("decode");
    if (cancel.stop_requested() || (found && found->first.cancelled))
      return CompletionAnswer::Cancelled();
    if (!found) return CompletionAnswer::Nothing(std::move(found.error().message));
    const DecodeResult& first = found->first;
    if (first.ended == Ended::kTime && first.statistics.drawn == 0)
      return CompletionAnswer::Late(*request.time_budget, "before the server wrote anything");
    return stages.Answer(*task, *found);
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
      return JudgeFirst(std::move(result), judge);
    };
    if (auto* syntax = std::get_if<SyntaxTask>(&task)) {
      const DeadlineStop stop(limits.deadline, cancel);
      return StreamSyntax(syntax->middle.Fresh(), source, limits, stop.token()).map(alone);
    }
    if (std::holds_alternative<UnconstrainedTask>(task))
      return StreamLine(source, limits).map(alone);
    const CandidateLimits wanted = judge.wanted();
    // A branch costs a request.
    const bool branches = wanted.count + wanted.already_offered > 1 || !request.unwanted.empty();
    const std::string healed = HealedOf(task);
    const auto stream = [&](auto& constrained) {
      CursorText cursor = constrained.filter.cursor;
      cursor.healed = healed;
      return DecodeStreamedCandidates(
          GapText(std::move(constrained.gap), constrained.filter.goal, std::move(cursor)), source,
          limits, wanted, branches, cancel);
    };
    if (auto* gap = std::get_if<GapTask>(&task)) return stream(*gap);
    if (auto* prompt = std::get_if<PromptTask>(&task)) return stream(*prompt);
    return stream(std::get<ExpressionTask>(task));
  }

  // The end of the left context that the server's model writes anew, where the server can be told
  // so.
  std::string HealedOf(const CompletionTask& task) const {
    const auto* gap = std::get_if<GapTask>(&task);
    return gap != nullptr && engine_->sends_grammars ? gap->filter.cursor.healed : "";
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

  const tl::expected<RemoteEngine, std::string> engine_;
  const Deadline::Clock now_;
  TaskMaker tasks_;
  ServerRecord record_;
  PromptSurroundings surroundings_;
  UnfinishedRequest unfinished_;
};

}  // namespace

std::unique_ptr<Completer> MakeRemoteCompleter(RemoteOptions options,
                                               std::shared_ptr<const LanguageRegistry> languages) {
  return std::make_unique<RemoteCompleter>(std::move(options), std::move(languages));
}

}  // namespace tenon::server
