#include "server/complete/engine_completer.h"

#include <algorithm>
#include <chrono>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "constraint/gap/budgeted_gap.h"
#include "model/inference/inference.h"
#include "server/complete/decoder.h"
#include "server/complete/gap_caches.h"
#include "server/complete/gap_filter.h"
#include "server/complete/mask_stores.h"
#include "server/complete/token_cost.h"

namespace tenon::server {

namespace {

constexpr size_t kPromptTokens = 1200;  // the model's window of 2,100 bytes never needs more, but for odd texts

class Stopwatch {
 public:
  explicit Stopwatch(std::map<std::string, double>& timings) : timings_(timings), last_(Clock::now()) {}
  void Lap(const char* stage) {
    auto now = Clock::now();
    timings_[stage] = std::chrono::duration<double, std::milli>(now - last_).count();
    timings_["total"] += timings_[stage];
    last_ = now;
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::map<std::string, double>& timings_;
  Clock::time_point last_;
};

// The middle with the line ends of the text around it, where it closes the gap that way too.
std::string WithLineEndsOf(constraint::GapState gap, const std::string& middle, bool needs_member,
                           uint32_t most_tokens) {
  if (gap.line_end() != "\r\n") return middle;
  std::string converted;
  for (size_t i = 0; i < middle.size(); ++i) {
    if (middle[i] == '\n' && (i == 0 || middle[i - 1] != '\r')) converted += '\r';
    converted += middle[i];
  }
  if (gap.CountTokens(converted) > std::max(most_tokens, gap.CountTokens(middle))) return middle;
  return gap.Accept(converted) && (!needs_member || gap.Member()) ? converted : middle;
}

// The gap under the scope that was asked for, or under the next wider one within which it can be closed.
constraint::BudgetedGap Within(const constraint::GapState& gap, constraint::Scope scope, uint32_t budget) {
  for (;; scope = static_cast<constraint::Scope>(static_cast<uint8_t>(scope) - 1)) {
    bool free = scope == constraint::Scope::kFree;
    constraint::BudgetedGap budgeted(free ? gap : gap.WithScope(scope), budget);
    if (free || budgeted.feasible()) return budgeted;
  }
}

// What a session holds behind its prompt.
class SessionText : public DecodeText {
 public:
  explicit SessionText(model::InferenceSession& session) : session_(session), prompt_tokens_(session.tokens().size()) {}

  Logits Append(model::TokenId token) override {
    auto logits = session_.Decode(token);
    if (!logits) return std::nullopt;
    return *logits;
  }
  Logits Rewrite(size_t kept, std::span<const model::TokenId> tokens) override {
    const std::vector<model::TokenId>& held = session_.tokens();
    std::vector<model::TokenId> all(held.begin(), held.begin() + static_cast<std::ptrdiff_t>(prompt_tokens_ + kept));
    all.insert(all.end(), tokens.begin(), tokens.end());
    auto logits = session_.Prefill(all, {});
    if (!logits) return std::nullopt;
    return *logits;
  }

 private:
  model::InferenceSession& session_;
  size_t prompt_tokens_;
};

class EngineCompleter : public Completer {
 public:
  EngineCompleter(CompleterOptions options, std::shared_ptr<const LanguageRegistry> languages)
      : options_(std::move(options)), languages_(std::move(languages)), loader_([this] { Load(); }) {}
  ~EngineCompleter() override { loader_.join(); }

  CompleterStatus status() const override {
    std::lock_guard lock(mutex_);
    return status_;
  }

  CompletionAnswer Complete(const CompletionRequest& request, std::stop_token cancel) override {
    CompleterStatus now = status();
    if (now.state != CompleterState::kReady) return Nothing(now.message);
    if (request.offset_bytes > request.text.size()) return Nothing("the cursor lies behind the end of the text");
    if (request.prompt) return WriteOnBehind(request, cancel);
    auto language = languages_->Get(request.language_id);
    if (!language && request.constraint != ConstraintMode::kOff) return Nothing(language.error());
    CompletionAnswer answer;
    Stopwatch watch(answer.timings_ms);
    std::string_view text = request.text;
    std::string_view left = text.substr(0, request.offset_bytes), right = text.substr(request.offset_bytes);
    bool both = request.constraint == ConstraintMode::kBoth;
    if (request.constraint == ConstraintMode::kOff) return Unconstrained(request, left, right, cancel);

    const auto levels = (*language)->grammar.LevelsUpTo(request.level);
    if (!levels) return Nothing(levels.error());
    constraint::GapPolicy policy;
    policy.levels = *levels;
    policy.count = CanonicalCount(model_->tokenizer());
    constraint::GapCache& cache = gaps_.Of(*language, request.document, GapCaches::Clock::now());
    auto opened = cache.Open(left, both ? right : "", std::move(policy), cancel);
    if (!opened) return Cancelled();
    constraint::GapState& gap = *opened;
    if (gap.right_too_long()) return Nothing("the text right of the cursor is too long to be read for each completion");
    if (!gap.viable() && gap.too_ambiguous())
      return Nothing("the text around the cursor can be read in too many ways at once for all of them to be followed");
    if (!gap.viable()) return Nothing("the text around the cursor is not valid, or nothing can be written there");
    constraint::BudgetedGap budgeted =
        Within(gap, request.scope,
               both ? static_cast<uint32_t>(std::max(request.max_tokens, 0)) : constraint::kUnlimitedTokens);
    if (both && !budgeted.needs()) return Nothing("no text was found that joins both sides of the cursor");
    if (!budgeted.feasible()) return Infeasible(*budgeted.needs());
    watch.Lap("gap");
    if (cancel.stop_requested()) return Cancelled();

    size_t healed = HealedBytes(left);
    auto prompt = Prompt(request.name, left.substr(0, left.size() - healed), right);
    auto logits = session_->Prefill(prompt.tokens, cancel);
    watch.Lap("prefill");
    if (!logits)
      return logits.error().code == model::ModelErrorCode::kCancelled ? Cancelled() : Nothing(logits.error().message);
    model::Sampler sampler(request.temperature, request.seed, NeverDrawn(prompt.end_tokens));
    FilterOptions wanted;
    wanted.goal = both ? Goal::kJoin : Goal::kLine;
    wanted.healed = std::string(left.substr(left.size() - healed));
    wanted.right_line = std::string(right.substr(0, right.find_first_of("\r\n")));
    wanted.masks.store = [this, &language] { return stores_->Of(*language); };
    GapFilter filter(model_->tokenizer(), prompt.end_tokens, std::move(budgeted), std::move(wanted));
    DecodeLimits limits;
    limits.max_tokens = request.max_tokens;
    SessionText written(*session_);
    DecodeResult result = Decode(std::move(filter), sampler, *logits, written, limits, cancel);
    watch.Lap("decode");
    answer.statistics = result.statistics;
    if (result.cancelled) return Cancelled();
    if (!result.closed || IsBlank(result.middle)) {
      answer.reason = "nothing but blanks fits";
      return answer;
    }
    auto most = static_cast<uint32_t>(request.max_tokens);
    answer.items.push_back({WithLineEndsOf(std::move(gap), result.middle, both, most), request.offset_bytes,
                            request.offset_bytes, both ? Guarantee::kFile : Guarantee::kNone, result.ended,
                            result.tokens});
    return answer;
  }

 private:
  // The language that a prompt's text is in, or that of its expression; else why there is none.
  tl::expected<std::shared_ptr<const constraint::Language>, std::string> LanguageOf(
      const CompletionRequest& request) const {
    if (!request.regex) return languages_->Get(request.language_id);
    auto language = constraint::Language::FromRegex(*request.regex);
    if (!language) return tl::unexpected(language.error().ToString());
    return *language;
  }

  CompletionAnswer WriteOnBehind(const CompletionRequest& request, std::stop_token cancel) {
    const auto language = LanguageOf(request);
    if (!language) return Nothing(language.error());
    CompletionAnswer answer;
    Stopwatch watch(answer.timings_ms);
    const auto levels = (*language)->grammar.LevelsUpTo(request.level);
    if (!levels) return Nothing(levels.error());
    constraint::GapPolicy policy;
    policy.levels = *levels;
    policy.count = CanonicalCount(model_->tokenizer());
    const auto gap = constraint::GapState::Open(*language, request.regex ? "" : request.text, "", policy);
    if (!gap.viable()) return Nothing("the prompt is not the beginning of a valid text");
    if (request.regex) static_cast<void>(stores_->Vocabulary());  // read meanwhile
    watch.Lap("gap");
    std::vector<model::TokenId> tokens = model_->tokenizer().Encode(request.text, false);
    if (tokens.size() > kPromptTokens) tokens.erase(tokens.begin(), tokens.end() - kPromptTokens);
    const std::vector<model::TokenId>& ends = model_->fim_format().end_tokens();
    if (tokens.empty() && !ends.empty()) tokens.push_back(ends.back());  // a text begins behind another's end
    auto logits = session_->Prefill(tokens, cancel);
    watch.Lap("prefill");
    if (!logits)
      return logits.error().code == model::ModelErrorCode::kCancelled ? Cancelled() : Nothing(logits.error().message);
    // An expression is matched within the budget; of a text in a language the budget may leave the beginning alone.
    constraint::BudgetedGap budgeted(
        gap, request.regex ? static_cast<uint32_t>(std::max(request.max_tokens, 0)) : constraint::kUnlimitedTokens);
    if (!budgeted.feasible()) {
      return budgeted.needs() ? Infeasible(*budgeted.needs())
                              : Nothing("no text was found that the expression matches");
    }
    model::Sampler sampler(request.temperature, request.seed, NeverDrawn(ends));
    FilterOptions wanted;
    wanted.goal = Goal::kText;
    if (request.regex)
      wanted.masks.vocabulary = [this] { return stores_->Vocabulary(); };
    else
      wanted.masks.store = [this, &language] { return stores_->Of(*language); };
    DecodeLimits limits;
    limits.max_tokens = request.max_tokens;
    SessionText written(*session_);
    const DecodeResult result = Decode(GapFilter(model_->tokenizer(), ends, std::move(budgeted), std::move(wanted)),
                                       sampler, *logits, written, limits, cancel);
    watch.Lap("decode");
    if (result.cancelled) return Cancelled();
    answer.statistics = result.statistics;
    answer.items.push_back({result.middle, request.text.size(), request.text.size(),
                            result.whole ? Guarantee::kFile : Guarantee::kNone, result.ended, result.tokens});
    return answer;
  }

  void Load() {
    auto loaded = model::LlamaModel::Load(options_.model_path, {options_.threads, model::Precision::kAuto});
    std::lock_guard lock(mutex_);
    if (!loaded) {
      status_ = {CompleterState::kFailed, loaded.error().message};
      return;
    }
    model_ = *loaded;
    session_ = model_->NewSession(options_.context_tokens);
    stores_.emplace(model_->tokenizer(), languages_->cache());
    status_ = {CompleterState::kReady, options_.model_path};
  }

  static CompletionAnswer Nothing(std::string reason) {
    CompletionAnswer answer;
    answer.reason = std::move(reason);
    return answer;
  }
  static CompletionAnswer Cancelled() {
    CompletionAnswer answer;
    answer.cancelled = true;
    return answer;
  }

  static CompletionAnswer Infeasible(uint32_t needs) {
    CompletionAnswer answer = Nothing(fmt::format("infeasible, needs {} tokens", needs));
    answer.needs_tokens = needs;
    return answer;
  }

  model::FimPrompt Prompt(const std::string& name, std::string_view left, std::string_view right) const {
    return model_->fim_format().BuildPrompt(model_->tokenizer(), name, left, right, kPromptTokens);
  }

  // Control tokens direct the model and stand for no text; all but the ends are never drawn.
  std::vector<model::TokenId> NeverDrawn(const std::vector<model::TokenId>& ends) const {
    std::vector<model::TokenId> never;
    for (model::TokenId t = 0; t < model_->tokenizer().size(); ++t) {
      if (model_->tokenizer().Bytes(t).empty() && std::find(ends.begin(), ends.end(), t) == ends.end())
        never.push_back(t);
    }
    return never;
  }

  // The model alone, up to the line's end.
  CompletionAnswer Unconstrained(const CompletionRequest& request, std::string_view left, std::string_view right,
                                 std::stop_token cancel) {
    CompletionAnswer answer;
    Stopwatch watch(answer.timings_ms);
    auto prompt = Prompt(request.name, left, right);
    auto first = session_->Prefill(prompt.tokens, cancel);
    watch.Lap("prefill");
    if (!first)
      return first.error().code == model::ModelErrorCode::kCancelled ? Cancelled() : Nothing(first.error().message);
    std::span<const float> logits = *first;
    model::Sampler sampler(request.temperature, request.seed, NeverDrawn(prompt.end_tokens));
    CompletionItem item{"", request.offset_bytes, request.offset_bytes, Guarantee::kNone, Ended::kBudget, 0};
    SessionText written(*session_);
    while (item.tokens < request.max_tokens) {
      auto token = sampler.Draw(
          logits, [](model::TokenId) { return true; }, cancel);
      if (cancel.stop_requested()) return Cancelled();
      ++item.tokens;
      bool ends =
          !token || std::find(prompt.end_tokens.begin(), prompt.end_tokens.end(), *token) != prompt.end_tokens.end();
      if (!ends) item.text += model_->tokenizer().Bytes(*token);
      size_t first = item.text.find_first_not_of(" \t\r\n\f");  // leading line ends are kept
      size_t line = first == std::string::npos ? first : item.text.find_first_of("\r\n", first);
      if (line != std::string::npos) item.text.resize(line);
      if (ends || line != std::string::npos) {
        item.ended = Ended::kStop;
        break;
      }
      auto next = written.Append(*token);
      if (!next) break;
      logits = *next;
    }
    watch.Lap("decode");
    if (!IsBlank(item.text))
      answer.items.push_back(std::move(item));
    else
      answer.reason = "the model offers nothing";
    return answer;
  }

  CompleterOptions options_;
  std::shared_ptr<const LanguageRegistry> languages_;
  mutable std::mutex mutex_;  // of status_; model_, session_ and stores_ are written before it says ready
  CompleterStatus status_{CompleterState::kLoading, "the model is loading"};
  std::shared_ptr<const model::LlamaModel> model_;
  std::unique_ptr<model::InferenceSession> session_;
  std::optional<MaskStores> stores_;
  GapCaches gaps_;
  std::thread loader_;  // last: everything that it writes exists when it starts
};

}  // namespace

std::unique_ptr<Completer> MakeCompleter(CompleterOptions options, std::shared_ptr<const LanguageRegistry> languages) {
  return std::make_unique<EngineCompleter>(std::move(options), std::move(languages));
}

}  // namespace tenon::server
