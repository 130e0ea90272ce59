// A text that a model continues: its tokens so far, and their keys and values (the KV cache).
//
// Attention at a position reads the keys and values of all earlier positions. The keys and values
// of a position depend only on the tokens up to the position, so a session keeps them: a longer
// text with the same beginning costs only its new tokens. Example, one token for each box:
//
//   held     |def| f|(|a|)|
//   prompt   |def| f|(|b|)|:|     Prefill keeps 3 tokens, forgets 2 and computes 3: `b`, `)`, `:`
//
// Other texts. People go from place to place and come back. A prompt with little in common with the
// current text begins another text, and the session keeps the caches of the last ones, up to
// kMaxTexts and kMaxCacheBytes; the cache that was used longest ago goes first. Prefill goes on in
// the text that has most of the prompt. The beginning that another text shares is copied.
//
//   prompts    AAAA   AAAB   XXXX   AAABC
//   texts      AAAA   AAAB   AAAB   AAABC        AAABC costs one token
//                            XXXX   XXXX
//
// Tokens ahead. Tokens that were computed after the current text's end stay, with the logits after
// each, until the text goes on with another token. So a draft of the next tokens is computed along
// with a token, and a text that is written a second time costs nothing. Example: the model wrote
// ` total`, ` =`, ` 1`, and the user typed ` total`:
//
//   call               current text   ahead       computed
//   Prefill(`x +`)     x +            total = 1   nothing
//   Decode(` total`)   x + total      = 1         nothing
//   Decode(` -`)       x + total -                ` -`; ` =` and ` 1` are forgotten
//
// Two functions compute, because they are two problems. Prefill computes many positions at once
// and is bound by arithmetic. Decode computes one position, or a few with its draft, and is bound
// by reading every weight from memory.
//
// Cost: docs/models.md has times. Memory: keys and values of each position in every layer, in 16
// bits but for precision f32; the small model takes 23 KB a token, Qwen2.5-Coder-1.5B 28 KB.
// Thread rule: one thread at a time. A session computes on LlamaConfig::threads threads of its own
// (the caller is one of them), which sleep between calls. OpenMP, which libtorch and oneDNN would
// use, is set to one thread in each thread that calls Prefill or Decode.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <tl/expected.hpp>
#include <vector>

#include "model/model_error.h"
#include "tenon/token_id.h"

namespace tenon::model {

class LlamaModel;

class InferenceSession {
 public:
  ~InferenceSession();
  InferenceSession(const InferenceSession&) = delete;
  InferenceSession& operator=(const InferenceSession&) = delete;

  static constexpr size_t kMaxTexts = 16;
  static constexpr size_t kMaxCacheBytes = size_t{512} << 20;
  // The logits of so many tokens are kept, 39 MB for Qwen2.5-Coder; those after the shortest
  // beginnings go first.
  static constexpr size_t kMaxKeptLogits = 64;

  // The logits after a token, [vocabulary]; valid until the next call on this session.
  using Logits = tl::expected<std::span<const float>, ModelError>;
  // Shall the computation end?
  using StopCheck = std::function<bool()>;

  // Makes the current text exactly `prompt` and returns the logits after its last token. Tokens
  // that a text of the session and the prompt have in common at their beginnings are not computed
  // again.
  // With `stop` the prompt is computed in stretches of about kStretchTime each, and `stop` is asked
  // after each of them but the last. Each call computes one stretch at least, so calls that are
  // stopped again and again finish any prompt.
  // Errors: kTooLong; kCancelled where `stop` said so (tokens() is the beginning that is computed);
  // kFormat for an id outside the vocabulary; kUnsupported where memory runs out (the cache is then
  // empty). REQUIRES: prompt is not empty, and less than kMaxDecoded tokens of `draft`.
  // The tokens of `draft` are computed with the prompt's last token, as in Decode.
  static constexpr std::chrono::milliseconds kStretchTime{200};
  Logits Prefill(std::span<const TokenId> prompt, const StopCheck& stop = {},
                 std::span<const TokenId> draft = {});

  // Appends a token to the current text and returns the logits after it. Where that token is not
  // computed yet, the tokens of `draft` are computed with it, as far as the session has room: they
  // lie ahead then. Reading the weights once for all of them makes this quicker than as many calls.
  // Errors: kTooLong, kFormat, kUnsupported, as above. REQUIRES: less than kMaxDecoded tokens of a
  // draft.
  static constexpr size_t kMaxDecoded = 8;
  Logits Decode(TokenId token, std::span<const TokenId> draft = {});
  // Would Decode compute nothing?
  bool LiesAhead(TokenId token) const;

  // Forgets all tokens of the current text but the first n_tokens, and all tokens ahead.
  // REQUIRES: n_tokens <= tokens().size().
  void Truncate(size_t n_tokens);

  // The tokens at the beginning of `prompt` that Prefill would not compute again.
  size_t Held(std::span<const TokenId> prompt) const;
  // The tokens of the current text.
  std::span<const TokenId> tokens() const;
  // The most tokens of a text, and the number of logits after a token.
  int max_tokens() const;
  int vocabulary() const;
  // The number of tokens that the last Prefill computed; the rest of its prompt was reused.
  int last_prefill_tokens() const;
  // The passes through the model's layers so far.
  int passes() const;

 private:
  friend class LlamaModel;
  struct State;
  InferenceSession(std::shared_ptr<const LlamaModel> model, int max_tokens);
  std::unique_ptr<State> state_;
};

}  // namespace tenon::model
