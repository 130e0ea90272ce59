#include "server/complete/engine_completer.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "server/complete/completion_task.h"
#include "server/complete/hurried_prompts.h"
#include "server/complete/overloaded.h"
#include "server/complete/prompt_maker.h"
#include "server/complete/request_stages.h"
#include "server/complete/task_answer.h"
#include "server/complete/unfinished_request.h"
#include "server/decode/candidates.h"
#include "server/decode/decoder.h"
#include "server/decode/draft_texts.h"
#include "server/decode/drafted_text.h"
#include "server/decode/gap_filter.h"
#include "server/decode/likelihood.h"
#include "server/decode/syntax_decoder.h"

namespace tenon::server {

namespace {

// Of a session: prompt and middle together.
constexpr int kContextTokens = 4096;

class EngineCompleter : public Completer {
 public:
  EngineCompleter(CompleterOptions options, std::shared_ptr<const LanguageRegistry> languages)
      : options_(std::move(options)),
        languages_(std::move(languages)),
        loader_([this] { Load(); }) {}
  ~EngineCompleter() override { loader_.join(); }

  CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) override {
    CompletionAnswer answer = Walk(request, cancel);
    unfinished_.Note(request, answer);
    return answer;
  }

  CompletionAnswer GoOn(std::stop_token stop) override {
    const auto request = unfinished_.Take();
    return request ? Walk(*request, stop, extent_) : CompletionAnswer::Cancelled();
  }

  void ReadAhead(const CompletionRequest& request, std::stop_token stop) override {
    unfinished_.Forget();
    if (status().state != CompleterState::kReady || request.offset_bytes > request.text.size())
      return;
    RequestStages stages(request, options_.now, stop);
    const auto task = stages.Prepare(*tasks_);
    if (!task || stop.stop_requested()) return;
    // The next question may have little time.
    const HurriedPrompts prompts = PromptsInAHurry(stages.request(), *task, stop);
    (void)Prefill(request, prompts.first(), Deadline(), stop);
    if (prompts.near && !stop.stop_requested())
      (void)Prefill(request, prompts.whole, Deadline(), stop);
    draft_texts_->Learn(request.other_texts, stop);
  }

  tl::expected<double, std::string> NatsOf(const CompletionRequest& request,
                                           std::string_view middle) override {
    const CompleterStatus now = status();
    if (now.state != CompleterState::kReady) return tl::unexpected(now.message);
    if (request.offset_bytes > request.text.size())
      return tl::unexpected(std::string("the cursor lies after the end of the text"));
    const std::vector<TokenId> tokens = model_->tokenizer().Encode(middle, false);
    if (model_->tokenizer().Decode(tokens) != middle)
      return tl::unexpected(std::string("the model's vocabulary cannot write this text"));
    const auto logits =
        session_->Prefill(prompts_->AtCursor(request, PromptExtent::kAll, {}).tokens);
    if (!logits) return tl::unexpected(logits.error().message);
    DraftedText written(*session_, model_->tokenizer());
    const auto nats = server::NatsOf(tokens, *logits, written);
    if (!nats) return tl::unexpected(std::string("the text does not fit into the model's context"));
    return *nats;
  }

 private:
  using Logits = std::span<const float>;

  // The four stages. extent: of the prompt; absent: as the request's time allows.
  CompletionAnswer Walk(const CompletionRequest& asked, const std::stop_token& cancel,
                        std::optional<PromptExtent> extent = {}) {
    extent_ = extent.value_or(PromptExtent::kAll);
    CompleterStatus now = status();
    if (now.state != CompleterState::kReady) return CompletionAnswer::Nothing(now.message);
    RequestStages stages(asked, options_.now, cancel);
    auto task = stages.Prepare(*tasks_);
    if (!task) return std::move(task.error());
    const CompletionRequest& request = stages.request();
    const Deadline& deadline = stages.deadline();
    const Prompt prompt = deadline.exists() ? PromptsInAHurry(request, *task, cancel).first()
                                            : prompts_->For(request, *task, extent_, cancel);
    extent_ = prompt.extent;
    const auto logits = Prefill(request, prompt, deadline, cancel);
    stages.End("prefill");
    if (!logits) return logits.error();
    const Candidates found = Decode(request, *task, *logits, deadline, cancel);
    stages.End("decode");
    if (found.first.cancelled || cancel.stop_requested()) return CompletionAnswer::Cancelled();
    return stages.Answer(*task, found);
  }

  void Load() {
    model::LoadOptions how{options_.threads, model::Precision::kAuto, options_.adapter};
    how.engine = model::EngineOf(options_.engine).value_or(model::Engine::kKernels);
    how.device = model::DeviceOf(options_.device).value_or(model::Device::kAuto);
    how.available_bytes = options_.available_bytes;
    how.panels = options_.panels;
    how.on_progress = [this](uint64_t read_bytes, uint64_t all_bytes) {
      CompleterStatus now = status();
      const auto percent = static_cast<int>(100 * read_bytes / all_bytes);
      if (percent == now.percent) return;
      now.percent = percent;
      SetStatus(std::move(now));
    };
    auto loaded = model::LlamaModel::Load(options_.model_path, how);
    if (!loaded) return SetStatus({CompleterState::kFailed, loaded.error().message});
    model_ = *loaded;
    session_ = model_->NewSession(kContextTokens);
    never_drawn_ = NeverDrawn();
    draft_texts_.emplace(model_->tokenizer());
    prompts_.emplace(model_, languages_);
    tasks_.emplace(model_->tokenizer(), languages_,
                   std::make_shared<SyntaxRegistry>(languages_, options_.syntax_folders));
    SetStatus({CompleterState::kReady, options_.model_path});
    model_->KeepPanels();
  }

  const std::vector<TokenId>& end_tokens() const { return model_->fim_format().end_tokens(); }

  // Control tokens direct the model and stand for no text; all but the ends are never drawn.
  std::vector<TokenId> NeverDrawn() const {
    std::vector<TokenId> never;
    for (uint32_t id = 0; id < model_->tokenizer().size(); ++id) {
      const TokenId token{id};
      if (model_->tokenizer().Bytes(token).empty() && !model::IsOneOf(token, end_tokens()))
        never.push_back(token);
    }
    return never;
  }

  HurriedPrompts PromptsInAHurry(const CompletionRequest& request, const CompletionTask& task,
                                 const std::stop_token& cancel) {
    return MakeHurriedPrompts(
        [&](PromptExtent extent) { return prompts_->For(request, task, extent, cancel); },
        [this](const Prompt& prompt) {
          return prompt.tokens.size() - session_->Held(prompt.tokens);
        });
  }

  // The logits after the prompt; the error is the whole answer.
  tl::expected<Logits, CompletionAnswer> Prefill(const CompletionRequest& request,
                                                 const Prompt& prompt, const Deadline& deadline,
                                                 const std::stop_token& cancel) {
    const auto tell = [&](size_t read) {
      if (request.on_progress) request.on_progress({read, prompt.tokens, {}});
    };
    const auto stop = [&] {
      tell(session_->tokens().size());
      return cancel.stop_requested() || deadline.passed();
    };
    tell(session_->Held(prompt.tokens));
    const bool stoppable = cancel.stop_possible() || deadline.exists() || request.on_progress;
    const auto logits = session_->Prefill(
        prompt.tokens, stoppable ? stop : model::InferenceSession::StopCheck(), prompt.healed);
    if (logits) return *logits;
    if (logits.error().code != model::ModelErrorCode::kCancelled)
      return tl::unexpected(CompletionAnswer::Nothing(logits.error().message));
    if (cancel.stop_requested()) return tl::unexpected(CompletionAnswer::Cancelled());
    const size_t read = session_->tokens().size();
    return tl::unexpected(CompletionAnswer::Late(
        *request.time_budget,
        fmt::format("when {} of the prompt's {} tokens were read ({} %)", read,
                    prompt.tokens.size(), 100 * read / prompt.tokens.size())));
  }

  // Takes the gap out of the task.
  Candidates Decode(const CompletionRequest& request, CompletionTask& task, Logits logits,
                    const Deadline& deadline, const std::stop_token& cancel) {
    model::Sampler sampler(request.temperature, request.seed, never_drawn_);
    // Finding the tokens of other texts takes a while: it is no part of anybody's time.
    if (!request.time_budget) draft_texts_->Learn(request.other_texts, cancel);
    DraftedText written(*session_, model_->tokenizer(), model::InferenceSession::kMaxDecoded - 1,
                        draft_texts_->tokens());
    DecodeLimits limits;
    limits.max_tokens = request.max_tokens;
    limits.deadline = deadline;
    std::vector<TokenId> prompt;
    if (request.on_progress) {
      prompt.assign(session_->tokens().begin(), session_->tokens().end());
      limits.on_middle = [&request, &prompt](std::string_view middle) {
        request.on_progress({prompt.size(), prompt, middle});
      };
      limits.on_middle({});  // the prompt is read
    }
    TaskJudge judge(request, task, cancel);
    const CandidateLimits wanted = judge.wanted();
    Candidates found = std::visit(
        Overloaded{
            [&](UnconstrainedTask&) {
              return JudgeFirst(DecodeUnconstrained(model_->tokenizer(), end_tokens(), sampler,
                                                    logits, written, limits, cancel),
                                judge);
            },
            [&](SyntaxTask& syntax) {
              const SyntaxDecoding how{
                  model_->tokenizer(), end_tokens(), sampler, written, limits, cancel};
              return DecodeSyntaxCandidates(how, syntax.middle, syntax.healed, logits, wanted);
            },
            [&](auto& constrained) {
              const GapFilter filter(model_->tokenizer(), end_tokens(), std::move(constrained.gap),
                                     constrained.filter);
              return DecodeCandidates(filter, sampler, logits, written, limits, wanted, cancel);
            }},
        task);
    found.first.statistics.passes = written.passes();
    return found;
  }

  CompleterOptions options_;
  std::shared_ptr<const LanguageRegistry> languages_;
  // These are written before the status says kReady, and read after it.
  std::shared_ptr<const model::LlamaModel> model_;
  std::unique_ptr<model::InferenceSession> session_;
  std::vector<TokenId> never_drawn_;
  UnfinishedRequest unfinished_;
  PromptExtent extent_ = PromptExtent::kAll;  // of the last prompt, which GoOn shows again
  std::optional<TaskMaker> tasks_;
  std::optional<DraftTexts> draft_texts_;
  std::optional<PromptMaker> prompts_;
  std::thread loader_;  // last: everything that it writes exists when it starts
};

}  // namespace

std::unique_ptr<Completer> MakeCompleter(CompleterOptions options,
                                         std::shared_ptr<const LanguageRegistry> languages) {
  return std::make_unique<EngineCompleter>(std::move(options), std::move(languages));
}

}  // namespace tenon::server
