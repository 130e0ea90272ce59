#include "model/inference/inference_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <exception>
#include <iterator>
#include <list>

#include "model/inference/forward_pass.h"
#include "model/inference/llama_model.h"

namespace tenon::model {

namespace {

// The tokens of a stretch that may be cancelled. A cancelled stretch is lost, and people type on
// before a large model has read 256 tokens; stretches of 64 are a tenth slower.
constexpr size_t kCancellableStretch = 64;

// A text whose keys and values are kept.
struct Text {
  std::unique_ptr<KvCache> cache;
  std::vector<TokenId> tokens;
};

size_t Common(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

}  // namespace

static_assert(InferenceSession::kMaxDecoded <= ForwardPass::kMaxLogitRows);

struct InferenceSession::State {
  std::shared_ptr<const LlamaModel> model;
  int max_tokens = 0;
  // Made by the first Append, which catches the exceptions of its constructor.
  std::unique_ptr<ForwardPass> forward;
  // The current text first, then the others, the last used first. A text has no cache until a token
  // of it is computed.
  std::list<Text> texts{1};
  // forward->logits() belong to the last token of the current text.
  bool logits_valid = false;
  int last_prefill_tokens = 0;

  Text& current() { return texts.front(); }
  ModelError TooLong(size_t wanted) const {
    return {
        ModelErrorCode::kTooLong,
        fmt::format("{} tokens are more than the {} that this session holds", wanted, max_tokens)};
  }
  void GoTo(std::span<const TokenId> prompt);
  void DropOldTexts();
  tl::expected<std::span<float>, ModelError> Append(std::span<const TokenId> added,
                                                    const std::stop_token& cancel,
                                                    size_t logit_rows = 1);
  ModelError NotComputed(const std::exception& error);
};

// Makes that text the current one which has most of `prompt`. Where it would lose more than half of
// its tokens, it stays as it is, and a new text begins with a copy of the common ones.
void InferenceSession::State::GoTo(std::span<const TokenId> prompt) {
  auto best = texts.begin();
  size_t common = Common(prompt, best->tokens);
  for (auto text = std::next(texts.begin()); text != texts.end(); ++text) {
    const size_t of_text = Common(prompt, text->tokens);
    if (of_text <= common) continue;
    best = text;
    common = of_text;
  }
  if (2 * common < best->tokens.size()) {
    Text copy;
    if (common > 0) copy.cache = forward->Copy(*best->cache, static_cast<int>(common));
    copy.tokens.assign(prompt.begin(), prompt.begin() + static_cast<ptrdiff_t>(common));
    texts.push_front(std::move(copy));
    DropOldTexts();
  } else if (best != texts.begin()) {
    texts.splice(texts.begin(), texts, best);
  } else {
    return;
  }
  logits_valid = false;
}

void InferenceSession::State::DropOldTexts() {
  size_t bytes = 0, kept = 0;
  for (auto text = texts.begin(); text != texts.end();) {
    bytes += text->cache ? text->cache->bytes() : 0;
    const bool old = kept > 0 && (kept >= kMaxTexts || bytes > kMaxCacheBytes);
    text = old ? texts.erase(text) : std::next(text);
    ++kept;
  }
}

// A cache may be half grown: the next call computes all tokens anew.
ModelError InferenceSession::State::NotComputed(const std::exception& error) {
  texts.clear();
  texts.emplace_back();
  forward.reset();
  return {ModelErrorCode::kUnsupported,
          fmt::format("the model could not be computed: {}", error.what())};
}

// Computes `added` after the tokens of the current text, stretch by stretch, and the logits after
// each of the last logit_rows tokens.
tl::expected<std::span<float>, ModelError> InferenceSession::State::Append(
    std::span<const TokenId> added, const std::stop_token& cancel, size_t logit_rows) {
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
    Text& text = current();
    if (!text.cache) text.cache = forward->NewCache();
    logits_valid = false;
    while (!added.empty()) {
      const size_t most =
          cancel.stop_possible() ? kCancellableStretch : size_t{ForwardPass::kMaxStretch};
      auto stretch = added.first(std::min(added.size(), most));
      // The last token of many is computed alone, as it is where all others are held: so the same
      // prompt has the same logits, bit by bit, the second time.
      if (stretch.size() == added.size() && stretch.size() > kMaxDecoded)
        stretch = stretch.first(stretch.size() - 1);
      const int rows = stretch.size() == added.size() ? static_cast<int>(logit_rows) : 0;
      const auto position = static_cast<int>(text.tokens.size());
      if (!forward->Run(*text.cache, stretch, position, rows, cancel)) {
        return tl::unexpected(ModelError{ModelErrorCode::kCancelled, "cancelled"});
      }
      text.tokens.insert(text.tokens.end(), stretch.begin(), stretch.end());
      added = added.subspan(stretch.size());
    }
    logits_valid = logit_rows == 1;
    return forward->logits();
  } catch (const std::exception& error) {
    return tl::unexpected(NotComputed(error));
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
  state_->last_prefill_tokens = 0;
  try {
    state_->GoTo(prompt);
  } catch (const std::exception& error) {
    return tl::unexpected(state_->NotComputed(error));
  }
  const auto& held = tokens();
  size_t common = Common(prompt, held);
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
  return Decode(std::span(&token, 1));
}

tl::expected<std::span<float>, ModelError> InferenceSession::Decode(
    std::span<const TokenId> added) {
  assert(!added.empty() && added.size() <= kMaxDecoded && "few tokens are decoded at once");
  const size_t length = tokens().size() + added.size();
  if (length > static_cast<size_t>(state_->max_tokens))
    return tl::unexpected(state_->TooLong(length));
  return state_->Append(added, {}, added.size());
}

void InferenceSession::Truncate(size_t n_tokens) {
  assert(n_tokens <= tokens().size() && "the session holds fewer tokens than it shall keep");
  if (n_tokens == tokens().size()) return;
  state_->current().tokens.resize(n_tokens);
  state_->logits_valid = false;
}

size_t InferenceSession::Held(std::span<const TokenId> prompt) const {
  size_t held = 0;
  for (const Text& text : state_->texts) held = std::max(held, Common(prompt, text.tokens));
  return held;
}

const std::vector<TokenId>& InferenceSession::tokens() const { return state_->current().tokens; }
int InferenceSession::max_tokens() const { return state_->max_tokens; }
int InferenceSession::vocabulary() const { return state_->model->config().vocabulary; }
int InferenceSession::last_prefill_tokens() const { return state_->last_prefill_tokens; }

}  // namespace tenon::model
