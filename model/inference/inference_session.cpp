#include "model/inference/inference_session.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <exception>
#include <iterator>
#include <list>
#include <map>
#include <utility>
#include <vector>

#include "model/inference/forward_pass.h"
#include "model/inference/llama_model.h"

namespace tenon::model {

namespace {

// The stretches of a prompt that may be stopped: the first one's tokens, and the fewest.
constexpr size_t kFirstStretch = 16;
constexpr size_t kShortestStretch = 8;

// A text whose keys and values are kept.
struct Text {
  std::unique_ptr<KvCache> cache;
  std::vector<TokenId> tokens;  // all that are computed; of the current text the ones ahead, too
};

size_t Common(std::span<const TokenId> a, std::span<const TokenId> b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

}  // namespace

static_assert(InferenceSession::kMaxDecoded <= ForwardPass::kMaxLogitRows);
static_assert(InferenceSession::kMaxDecoded <= InferenceSession::kMaxKeptLogits);

struct InferenceSession::State {
  std::shared_ptr<const LlamaModel> model;
  int max_tokens = 0;
  // Made by the first Append, which catches the exceptions of its constructor.
  std::unique_ptr<ForwardPass> forward;
  // The current text first, then the others, the last used first. A text has no cache until a token
  // of it is computed.
  std::list<Text> texts{1};
  size_t length = 0;  // of the current text; the tokens after it lie ahead
  // Of the current text: the logits after its first n tokens, by n.
  std::map<size_t, std::vector<float>> logits;
  size_t stretch = kFirstStretch;  // the next one's tokens, of a prompt that may be stopped
  int last_prefill_tokens = 0;
  int passes = 0;

  Text& current() { return texts.front(); }
  ModelError TooLong(size_t wanted) const {
    return {
        ModelErrorCode::kTooLong,
        fmt::format("{} tokens are more than the {} that this session holds", wanted, max_tokens)};
  }
  void GoTo(std::span<const TokenId> prompt);
  void DropOldTexts();
  void Forget(size_t from);
  void Keep(std::span<const float> rows, size_t n_rows);
  void Adapt(size_t tokens, std::chrono::steady_clock::duration taken);
  tl::expected<void, ModelError> Append(std::span<const TokenId> added, const StopCheck& stop,
                                        size_t logit_rows);
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
  if (common < prompt.size() && 2 * common < best->tokens.size()) {
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
  logits.clear();
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

// Forgets the current text's tokens from `from` on.
void InferenceSession::State::Forget(size_t from) {
  current().tokens.resize(from);
  logits.erase(logits.upper_bound(from), logits.end());
}

// The logits after the last n_rows tokens of the current text and those ahead.
void InferenceSession::State::Keep(std::span<const float> rows, size_t n_rows) {
  const size_t row = rows.size() / n_rows, computed = current().tokens.size();
  for (size_t i = 0; i < n_rows; ++i) {
    if (logits.size() >= kMaxKeptLogits) logits.erase(logits.begin());
    const auto values = rows.subspan(i * row, row);
    logits[computed - n_rows + 1 + i].assign(values.begin(), values.end());
  }
}

// The next stretch, after one of so many tokens took that time.
void InferenceSession::State::Adapt(size_t tokens, std::chrono::steady_clock::duration taken) {
  if (tokens < stretch) return;
  const double share = std::chrono::duration<double>(kStretchTime) / taken;
  const auto next = static_cast<size_t>(static_cast<double>(stretch) * std::clamp(share, 0.5, 2.0));
  stretch = std::clamp(next, kShortestStretch, size_t{ForwardPass::kMaxStretch});
}

// A cache may be half grown: the next call computes all tokens anew.
ModelError InferenceSession::State::NotComputed(const std::exception& error) {
  texts.clear();
  texts.emplace_back();
  length = 0;
  logits.clear();
  forward.reset();
  return {ModelErrorCode::kUnsupported,
          fmt::format("the model could not be computed: {}", error.what())};
}

// Computes `added` after the tokens of the current text, which has none ahead, stretch by stretch,
// and keeps the logits after each of the last logit_rows tokens.
tl::expected<void, ModelError> InferenceSession::State::Append(std::span<const TokenId> added,
                                                               const StopCheck& stop,
                                                               size_t logit_rows) {
  for (const TokenId token : added) {
    if (token.value >= static_cast<uint32_t>(model->config().vocabulary)) {
      return tl::unexpected(ModelError{
          ModelErrorCode::kFormat, fmt::format("token {} is none of this model's {}", token.value,
                                               model->config().vocabulary)});
    }
  }
  // oneDNN and libtorch report failures, such as a lack of memory, by exceptions.
  try {
    KeepOpenMpInThisThread();
    if (!forward) forward = model->NewForwardPass(max_tokens);
    Text& text = current();
    if (!text.cache) text.cache = forward->NewCache();
    // The last token of many is computed alone, or with its draft, as it is where all others are
    // held: so the same prompt has the same logits, bit by bit, the second time.
    const bool are_many = added.size() > kMaxDecoded;
    while (!added.empty()) {
      const size_t most = stop ? stretch : size_t{ForwardPass::kMaxStretch};
      const size_t before_last =
          are_many && added.size() > logit_rows ? added.size() - logit_rows : added.size();
      const auto part = added.first(std::min(before_last, most));
      const size_t rows = part.size() == added.size() ? logit_rows : 0;
      const auto begin = std::chrono::steady_clock::now();
      forward->Run(*text.cache, part, static_cast<int>(text.tokens.size()), static_cast<int>(rows));
      ++passes;
      text.tokens.insert(text.tokens.end(), part.begin(), part.end());
      length = text.tokens.size();
      added = added.subspan(part.size());
      if (rows > 0) Keep(forward->logits(), rows);
      if (!stop) continue;
      Adapt(part.size(), std::chrono::steady_clock::now() - begin);
      if (!added.empty() && stop())
        return tl::unexpected(ModelError{ModelErrorCode::kCancelled, "cancelled"});
    }
    return {};
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

InferenceSession::Logits InferenceSession::Prefill(std::span<const TokenId> prompt,
                                                   const StopCheck& stop,
                                                   std::span<const TokenId> draft) {
  assert(!prompt.empty() && "a prompt has at least one token");
  assert(draft.size() < kMaxDecoded && "few tokens are decoded at once");
  if (prompt.size() > static_cast<size_t>(state_->max_tokens))
    return tl::unexpected(state_->TooLong(prompt.size()));
  state_->last_prefill_tokens = 0;
  try {
    state_->GoTo(prompt);
  } catch (const std::exception& error) {
    return tl::unexpected(state_->NotComputed(error));
  }
  size_t common = Common(prompt, state_->current().tokens);
  if (common < prompt.size() || !state_->logits.contains(common)) {
    // Without its logits the last token is computed again.
    common = std::min(common, prompt.size() - 1);
    state_->length = common;
    state_->Forget(common);
    state_->last_prefill_tokens = static_cast<int>(prompt.size() - common);
    const auto room = static_cast<size_t>(state_->max_tokens) - prompt.size();
    draft = draft.first(std::min(draft.size(), room));
    std::vector<TokenId> added(prompt.begin() + static_cast<ptrdiff_t>(common), prompt.end());
    added.insert(added.end(), draft.begin(), draft.end());
    if (auto done = state_->Append(added, stop, 1 + draft.size()); !done)
      return tl::unexpected(std::move(done.error()));
  }
  state_->length = prompt.size();
  return std::span<const float>(state_->logits.at(prompt.size()));
}

InferenceSession::Logits InferenceSession::Decode(TokenId token, std::span<const TokenId> draft) {
  assert(draft.size() < kMaxDecoded && "few tokens are decoded at once");
  const size_t length = state_->length + 1;
  if (!LiesAhead(token)) {
    const auto room = static_cast<size_t>(state_->max_tokens);
    if (length > room) return tl::unexpected(state_->TooLong(length));
    draft = draft.first(std::min(draft.size(), room - length));
    std::vector<TokenId> added = {token};
    added.insert(added.end(), draft.begin(), draft.end());
    state_->Forget(length - 1);
    if (auto done = state_->Append(added, {}, added.size()); !done)
      return tl::unexpected(std::move(done.error()));
  }
  state_->length = length;
  return std::span<const float>(state_->logits.at(length));
}

bool InferenceSession::LiesAhead(TokenId token) const {
  const std::vector<TokenId>& computed = state_->current().tokens;
  const size_t length = state_->length;
  return length < computed.size() && computed[length] == token &&
         state_->logits.contains(length + 1);
}

void InferenceSession::Truncate(size_t n_tokens) {
  assert(n_tokens <= tokens().size() && "the session holds fewer tokens than it shall keep");
  state_->length = n_tokens;
  state_->Forget(n_tokens);
}

size_t InferenceSession::Held(std::span<const TokenId> prompt) const {
  size_t held = 0;
  for (const Text& text : state_->texts) held = std::max(held, Common(prompt, text.tokens));
  return held;
}

std::span<const TokenId> InferenceSession::tokens() const {
  return std::span(state_->current().tokens).first(state_->length);
}
int InferenceSession::max_tokens() const { return state_->max_tokens; }
int InferenceSession::vocabulary() const { return state_->model->config().vocabulary; }
int InferenceSession::last_prefill_tokens() const { return state_->last_prefill_tokens; }
int InferenceSession::passes() const { return state_->passes; }

}  // namespace tenon::model
