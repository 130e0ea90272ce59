#include "model/llama.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <exception>
#include <thread>

#include "model/forward.h"
#include "model/llama_weights.h"

namespace tenon::model {
namespace {

// More threads than this gain little: decoding is bound by memory, and an editor runs beside.
constexpr int kMostThreadsUnasked = 4;
constexpr int kMostThreads = 64;

int ThreadsFor(const LoadOptions& options) {
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  return options.threads > 0 ? std::min(options.threads, kMostThreads) : std::min(cores, kMostThreadsUnasked);
}

Precision PrecisionFor(const LoadOptions& options) {
  if (options.precision != Precision::kAuto) return options.precision;
  return HasFastBFloat16() ? Precision::kBFloat16 : Precision::kFloat32;
}

}  // namespace

LlamaModel::LlamaModel(std::string path, LlamaConfig config, Tokenizer tokenizer, FimFormat fim_format,
                       std::unique_ptr<LlamaWeights> weights)
    : path_(std::move(path)),
      config_(config),
      tokenizer_(std::move(tokenizer)),
      fim_format_(std::move(fim_format)),
      weights_(std::move(weights)) {}

LlamaModel::~LlamaModel() = default;

tl::expected<std::shared_ptr<const LlamaModel>, ModelError> LlamaModel::Load(const std::string& path,
                                                                             const LoadOptions& options) {
  // oneDNN reports failure, such as a lack of memory, by exceptions.
  try {
    auto file = GgufFile::Open(path);
    if (!file) return tl::unexpected(file.error());
    auto config = ReadLlamaConfig(*file);
    if (!config) return tl::unexpected(config.error());
    config->threads = ThreadsFor(options);
    config->precision = PrecisionFor(options);
    auto tokenizer = Tokenizer::FromGguf(*file);
    if (!tokenizer) return tl::unexpected(tokenizer.error());
    if (tokenizer->size() > config->vocabulary) {
      return tl::unexpected(
          ModelError{ModelErrorCode::kFormat, fmt::format("{}: {} tokens, but tensor token_embd.weight has {} rows",
                                                          path, tokenizer->size(), config->vocabulary)});
    }
    auto fim_format = FimFormat::Detect(*file, *tokenizer);
    if (!fim_format) return tl::unexpected(fim_format.error());
    KeepOpenMpInThisThread();
    auto weights = PackLlamaWeights(*file, *config);
    if (!weights) return tl::unexpected(weights.error());
    return std::shared_ptr<const LlamaModel>(new LlamaModel(path, *config, std::move(*tokenizer),
                                                            std::move(*fim_format),
                                                            std::make_unique<LlamaWeights>(std::move(*weights))));
  } catch (const std::exception& error) {
    return tl::unexpected(ModelError{
        ModelErrorCode::kUnsupported,
        fmt::format(
            "{}: the weights could not be prepared for this machine: {}; free some memory, or try precision f32", path,
            error.what())});
  }
}

std::unique_ptr<Session> LlamaModel::NewSession(int max_tokens) const {
  const int most = max_tokens > 0 ? std::min(max_tokens, config_.context) : config_.context;
  return std::unique_ptr<Session>(new Session(shared_from_this(), most));
}

struct Session::State {
  std::shared_ptr<const LlamaModel> model;
  int max_tokens = 0;
  // Made at the first call, so that an exception in it is met where the others are.
  std::unique_ptr<ForwardPass> forward;
  // What the cache holds; forward's logits are those after the last of them if logits_valid.
  std::vector<TokenId> tokens;
  bool logits_valid = false;
  int last_prefill_tokens = 0;

  ModelError TooLong(size_t wanted) const {
    return {ModelErrorCode::kTooLong,
            fmt::format("{} tokens are more than the {} that this session holds", wanted, max_tokens)};
  }
  tl::expected<std::span<float>, ModelError> Append(std::span<const TokenId> added, const std::stop_token& cancel);
};

// Computes `added` behind what the cache holds, stretch by stretch.
tl::expected<std::span<float>, ModelError> Session::State::Append(std::span<const TokenId> added,
                                                                  const std::stop_token& cancel) {
  for (const TokenId token : added) {
    if (token < 0 || token >= model->config().vocabulary) {
      return tl::unexpected(ModelError{ModelErrorCode::kFormat, fmt::format("token {} is none of this model's {}",
                                                                            token, model->config().vocabulary)});
    }
  }
  // oneDNN and libtorch report failure, such as a lack of memory, by exceptions.
  try {
    KeepOpenMpInThisThread();
    if (!forward) forward = MakeForwardPass(model->config(), *model->weights_, max_tokens);
    logits_valid = false;
    while (!added.empty()) {
      const auto stretch = added.first(std::min<size_t>(added.size(), ForwardPass::kMaxStretch));
      const bool last = stretch.size() == added.size();
      if (!forward->Run(stretch, static_cast<int>(tokens.size()), last, cancel)) {
        return tl::unexpected(ModelError{ModelErrorCode::kCancelled, "cancelled"});
      }
      tokens.insert(tokens.end(), stretch.begin(), stretch.end());
      added = added.subspan(stretch.size());
    }
    logits_valid = true;
    return forward->logits();
  } catch (const std::exception& error) {
    // The cache may be half grown; what it held is computed anew next time.
    forward.reset();
    tokens.clear();
    return tl::unexpected(
        ModelError{ModelErrorCode::kUnsupported, fmt::format("the model could not be computed: {}", error.what())});
  }
}

Session::Session(std::shared_ptr<const LlamaModel> model, int max_tokens) : state_(std::make_unique<State>()) {
  state_->model = std::move(model);
  state_->max_tokens = max_tokens;
}

Session::~Session() = default;

tl::expected<std::span<float>, ModelError> Session::Prefill(std::span<const TokenId> prompt, std::stop_token cancel) {
  assert(!prompt.empty() && "a prompt has at least one token");
  if (prompt.size() > static_cast<size_t>(state_->max_tokens)) return tl::unexpected(state_->TooLong(prompt.size()));
  const auto& held = state_->tokens;
  const auto mismatch = std::mismatch(prompt.begin(), prompt.end(), held.begin(), held.end());
  auto common = static_cast<size_t>(mismatch.first - prompt.begin());
  state_->last_prefill_tokens = 0;
  if (common == prompt.size()) {
    if (held.size() == prompt.size() && state_->logits_valid) return state_->forward->logits();
    // Logits are not kept a position, so the last one is computed again.
    --common;
  }
  Truncate(common);
  state_->last_prefill_tokens = static_cast<int>(prompt.size() - common);
  return state_->Append(prompt.subspan(common), cancel);
}

tl::expected<std::span<float>, ModelError> Session::Decode(TokenId token) {
  if (state_->tokens.size() >= static_cast<size_t>(state_->max_tokens)) {
    return tl::unexpected(state_->TooLong(state_->tokens.size() + 1));
  }
  return state_->Append({&token, 1}, {});
}

void Session::Truncate(size_t n_tokens) {
  assert(n_tokens <= state_->tokens.size() && "only what is held can be kept");
  if (n_tokens == state_->tokens.size()) return;
  state_->tokens.resize(n_tokens);
  state_->logits_valid = false;
}

const std::vector<TokenId>& Session::tokens() const { return state_->tokens; }
int Session::max_tokens() const { return state_->max_tokens; }
int Session::last_prefill_tokens() const { return state_->last_prefill_tokens; }

}  // namespace tenon::model
