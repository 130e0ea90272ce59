// A language model of any program, as this library drives one: token ids in, logits out.
//
// The library has no model. A program that has one (llama.cpp's, ONNX Runtime's, one on a GPU)
// derives a small class from TokenModel, and Complete (complete.h) draws through it.
// examples/llama_cpp does it for llama.cpp in 60 lines.
//
// A model holds a *text*: the tokens that it has read, mostly as keys and values of attention.
// Example, a token in each box:
//
//   call                  text after it        logits of the token after
//   Append({def, f, (})   |def| f|(|           `(`
//   Append({a})           |def| f|(|a|         `a`
//   Rewind(2)             |def| f|             -
//   Append({_, x, (})     |def| f|_|x|(|       `(`
//
// Append is both of a model's problems. Of many tokens it is *prefill*, bound by arithmetic; of one
// token it is *decode*, bound by memory. Rewind keeps the prefix that the next prompt shares.
//
// The logits are a number for each token: the larger, the likelier the token comes next. A token's
// id is its offset, here as in the Vocabulary (vocabulary.h) that masks are made with. A program
// makes the vocabulary from the bytes that the model's own tokenizer has for each id; control
// tokens have none. Logits without a token in the vocabulary (models pad them) are never drawn.
//
// Source: ours; the shape is that of llama.cpp's llama_decode and llama_memory_seq_rm.
// Cost: the model's. Thread rule: one thread at a time; the library calls a model from the thread
// that called it, and from no other.
#pragma once

#include <cstddef>
#include <span>

#include "tenon/error.h"
#include "tenon/export.h"
#include "tenon/token_id.h"

namespace tenon {

class TENON_API TokenModel {
 public:
  TokenModel() = default;
  TokenModel(const TokenModel&) = delete;
  TokenModel& operator=(const TokenModel&) = delete;
  virtual ~TokenModel() = default;

  // [TokenId] Natural logits, before any softmax. Infinity and NaN are allowed: a token with minus
  // infinity or NaN is never drawn.
  using Logits = std::span<const float>;

  // The text. Valid until the next Append or Rewind.
  [[nodiscard]] virtual std::span<const TokenId> tokens() const = 0;
  // Reads `tokens` after the text. Returns the logits after the last of them, valid until the next
  // call. Error: they do not fit into the model's context, or it failed; tokens() then says how
  // many are held. REQUIRES: `tokens` is not empty, and no part of tokens().
  [[nodiscard]] virtual Result<Logits> Append(std::span<const TokenId> tokens) = 0;
  // Forgets all tokens but the first n_tokens. A model that cannot forget a part of its text (a
  // recurrent one) forgets more; tokens() then says what is left. REQUIRES: n_tokens is at most
  // tokens().size().
  virtual void Rewind(size_t n_tokens) = 0;
};

// Makes `prompt` the model's text and returns the logits after it. The longest beginning that both
// share stays; the last token is read in any case, for its logits. Error: that of Append.
// REQUIRES: `prompt` is not empty.
[[nodiscard]] TENON_API Result<TokenModel::Logits> Prefill(TokenModel& model,
                                                           std::span<const TokenId> prompt);

}  // namespace tenon
