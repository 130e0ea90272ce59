// How likely a model finds a given text: the negative logarithm of its probability.
//
// A model that is certain of each token of a text gives the text 0 nats. Example: a model that
// finds two tokens as likely as each other gives either ln 2 = 0.69 nats. A text costs the sum of
// its tokens, each after those before it:
//
//   nats(t1 ... tn) = -sum over i of ln p(ti | prompt, t1 ... ti-1)
//   p(t) = exp(logit of t) / sum over all tokens u of exp(logit of u)
//
// Divided by the text's bytes it compares models of different vocabularies. The text's end is not
// part of it: the text is a beginning of all that the model may write.
// Source: the cross-entropy of Shannon, A Mathematical Theory of Communication (1948).
// Cost: a pass over the logits, and one decode, for each token. Thread rule: pure functions; that
// of the DecodeText.
#pragma once

#include <optional>
#include <span>

#include "server/decode/decoder.h"
#include "tenon/token_id.h"

namespace tenon::server {

// -ln p(token). REQUIRES: the token is one of the logits.
[[nodiscard]] double NatsOf(std::span<const float> logits, TokenId token);

// -ln p(token | the text goes on with `healed`): of the tokens that write `healed`, or its
// beginning or more, alone.
[[nodiscard]] double NatsOf(std::span<const float> logits, TokenId token,
                            const model::Tokenizer& tokenizer, std::string_view healed);

// Of all tokens in their order. `logits` follow the prompt, and `text` holds nothing yet.
// Nothing: the model's context is full.
[[nodiscard]] std::optional<double> NatsOf(std::span<const TokenId> tokens,
                                           std::span<const float> logits, DecodeText& text);

}  // namespace tenon::server
