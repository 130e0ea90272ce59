#include "model/inference/inference_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <exception>

#include "model/inference/forward_pass.h"
#include "model/inference/llama_model.h"

namespace tenon::model {

struct InferenceSession::State {
  std::shared_ptr<const LlamaModel> model;
  int max_tokens = 0;
  // Made by the first Append, which catches the exceptions of its constructor.
  std::unique_ptr<ForwardPass> forward;
  // The tokens that the cache holds. With logits_valid, forward->logits() belong to the last of
  // them.
  std::vector<TokenId> tokens;
  bool logits_valid = false;
  int last_prefill_tokens = 0;

  ModelError TooLong(size_t wanted) const {
    return {
        ModelErrorCode::kTooLong,
        fmt::format("{} tokens are more than the {} that this session holds", wanted, max_tokens)};
  }
  tl::expected<std::span<float>, ModelError> Append(std::span<const TokenId> added,
                                                    const std::stop_token& cancel);
};

// Computes `added` after the tokens that the cache holds, stretch by stretch.
tl::expected<std::span<float>, ModelError> InferenceSession::State::Append(
    std::span<const TokenId> added, const std::stop_token& cancel) {
  for (const TokenId token : added) {
    if (token < 0 || token >= model->config().vocabulary) {
      return tl::unexpected(ModelError{
          ModelErrorCode::kFormat,
          fmt::format("token {} is none of this model's {}", token, model->config().vocabulary)});
    }
  }
  // oneDNN and libtorch report failures, such as a lack of memory, by exceptions.
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
    // The cache may be half grown: the next call computes all tokens anew.
    forward.reset();
    tokens.clear();
    return tl::unexpected(
        ModelError{ModelErrorCode::kUnsupported,
                   fmt::format("the model could not be computed: {}", error.what())});
  }
}

InferenceSession::InferenceSession(std::shared_ptr<const LlamaModel> model, int max_tokens)
    : state_(std::make_unique<State>()) {
  state_->model = std::move(model);
  state_->max_tokens = max_tokens;
}

InferenceSession::~InferenceSession() = default;

tl::expected<std::span<float>, ModelError> InferenceSession::Prefill(
    std::span<const TokenId> prompt, std::stop_token cancel) {
  assert(!prompt.empty() && "a prompt has at least one token");
  if (prompt.size() > static_cast<size_t>(state_->max_tokens))
    return tl::unexpected(state_->TooLong(prompt.size()));
  const auto& held = state_->tokens;
  const auto mismatch = std::mismatch(prompt.begin(), prompt.end(), held.begin(), held.end());
  auto common = static_cast<size_t>(mismatch.first - prompt.begin());
  state_->last_prefill_tokens = 0;
  if (common == prompt.size()) {
    if (held.size() == prompt.size() && state_->logits_valid) return state_->forward->logits();
    // The logits of earlier positions are not kept, so the last token is computed again.
    --common;
  }
  Truncate(common);
  state_->last_prefill_tokens = static_cast<int>(prompt.size() - common);
  return state_->Append(prompt.subspan(common), cancel);
}

tl::expected<std::span<float>, ModelError> InferenceSession::Decode(TokenId token) {
  if (state_->tokens.size() >= static_cast<size_t>(state_->max_tokens)) {
    return tl::unexpected(state_->TooLong(state_->tokens.size() + 1));
  }
  return state_->Append({&token, 1}, {});
}

void InferenceSession::Truncate(size_t n_tokens) {
  assert(n_tokens <= state_->tokens.size() && "the session holds fewer tokens than it shall keep");
  if (n_tokens == state_->tokens.size()) return;
  state_->tokens.resize(n_tokens);
  state_->logits_valid = false;
}

const std::vector<TokenId>& InferenceSession::tokens() const { return state_->tokens; }
int InferenceSession::last_prefill_tokens() const { return state_->last_prefill_tokens; }

}  // namespace tenon::model
