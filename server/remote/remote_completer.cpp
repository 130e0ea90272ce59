#include "server/remote/remote_completer.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "server/complete/completion_task.h"
#include "server/complete/outline.h"
#include "server/complete/shown_right.h"
#include "server/complete/stopwatch.h"
#include "server/complete/task_answer.h"
#include "server/context/shown_snippets.h"
#include "server/remote/free_stream.h"
#include "server/remote/remote_source.h"
#include "server/remote/streamed_decoder.h"
#include "server/request/deadline_stop.h"

namespace tenon::server {

namespace {

// Lines that a prompt shows in front of its left window (server/complete/outline.h).
constexpr size_t kMaxOutlineBytes = 640;

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
        languages_(std::move(languages)),
        tasks_(EstimateTokens, languages_,
               std::make_shared<SyntaxRegistry>(languages_, std::move(options.syntax_folders))) {
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
    auto result = Stream(task, source, limits, cancel);
    if (!result) return tl::unexpected(std::move(result.error()));
    Candidates found{*std::move(result), {}};
    if (found.first.cancelled) return found;
    if (auto item = judge.Judge(found.first))
      found.wanted.push_back({found.first, *std::move(item)});
    return found;
  }

  tl::expected<DecodeResult, StreamFault> Stream(CompletionTask& task, TextSource& source,
                                                 const DecodeLimits& limits,
                                                 const std::stop_token& cancel) {
    if (auto* syntax = std::get_if<SyntaxTask>(&task)) {
      const DeadlineStop stop(limits.deadline, cancel);
      return StreamSyntax(syntax->middle.Fresh(), source, limits, stop.token());
    }
    if (std::holds_alternative<UnconstrainedTask>(task)) return StreamLine(source, limits);
    const auto stream = [&](auto& constrained) {
      return DecodeStreamed(GapText(std::move(constrained.gap), constrained.filter.goal, "",
                                    constrained.filter.right_line),
                            source, limits);
    };
    if (auto* gap = std::get_if<GapTask>(&task)) return stream(*gap);
    if (auto* prompt = std::get_if<PromptTask>(&task)) return stream(*prompt);
    return stream(std::get<ExpressionTask>(task));
  }

  TextQuestion QuestionOf(const CompletionRequest& request, const CompletionTask& task,
                          const std::stop_token& cancel) {
    TextQuestion question;
    question.prompt = IsAtCursor(task) ? CursorPrompt(request, cancel)
                                       : engine_->format.BuildBeginning(request.text);
    question.max_tokens = request.max_tokens;
    question.temperature = request.temperature;
    question.seed = request.seed;
    question.model = engine_->model;
    question.ends = engine_->format.ends();
    return question;
  }

  std::string CursorPrompt(const CompletionRequest& request, const std::stop_token& cancel) {
    const std::string_view text = request.text;
    const std::string_view left = text.substr(0, request.offset_bytes);
    std::string_view right = text.substr(request.offset_bytes);
    if (request.constraint == ConstraintMode::kBoth) right = ShownRight(right);
    const std::vector<std::string> imports = languages_->Imports(request.language_id);
    const auto outline = [&imports](std::string_view hidden, std::string_view shown) {
      return Outline(hidden, shown, imports, kMaxOutlineBytes);
    };
    std::vector<Snippet> snippets;
    if (engine_->format.shows_files()) snippets = snippets_.For(request, left, right, cancel);
    std::vector<model::FimSnippet> shown;
    for (const Snippet& snippet : snippets) shown.push_back({snippet.source.name, snippet.text()});
    return engine_->format.Build(request.name, left, right, outline, shown);
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
  const std::shared_ptr<const LanguageRegistry> languages_;
  TaskMaker tasks_;
  ServerRecord record_;
  ShownSnippets snippets_;
  std::optional<CompletionRequest> unfinished_;  // the last request, where its time cut it short
};

}  // namespace

std::unique_ptr<Completer> MakeRemoteCompleter(RemoteOptions options,
                                               std::shared_ptr<const LanguageRegistry> languages) {
  return std::make_unique<RemoteCompleter>(std::move(options), std::move(languages));
}

}  // namespace tenon::server
