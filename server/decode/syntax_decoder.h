// Draws a middle that adds no syntax error (server/syntax/syntax_middle.h). The model is free: no
// token is refused but at the beginning, and its end after an opening bracket; its text
// is cut.
//
// The prompt lacks the word at the cursor, so that the model may cut it into tokens in its own way.
// Only tokens are drawn first that write this *healed* text again. Example: of `retu|` the model
// sees the text before it, and ` return` is a token that begins with ` retu`.
//
// Cost: a decode and at most a few parses a token. Thread rule: one thread at a time.
#pragma once

#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "server/decode/candidates.h"
#include "server/decode/decoder.h"
#include "server/syntax/syntax_middle.h"

namespace tenon::server {

// How a middle without a grammar is drawn. REQUIRES: all of it outlives the decoding.
struct SyntaxDecoding {
  const model::Tokenizer& tokenizer;
  const std::vector<TokenId>& end_tokens;
  model::Sampler& sampler;
  DecodeText& text;
  const DecodeLimits& limits;
  const std::stop_token& cancel;
};

// Up to where the middle ends, to one of `end_tokens`, or to the limits' tokens or deadline. The
// result is closed where something fits. Closing brackets that the model did not write end it by
// Ended::kWitness. The first token that writes something new makes the middle distinct from all of
// `others` (server/request/visible_text.h). REQUIRES: `middle` has nothing written.
DecodeResult DecodeSyntax(const SyntaxDecoding& how, SyntaxMiddle middle, std::string healed,
                          std::span<const float> logits,
                          const std::vector<std::string>& others = {});

// Makes a text that fits the middle of `result`, which has ended; `written`: the text before it was
// cut or closed. Tokens that are not whole in the middle lose their nats.
void TakeFitting(FittingMiddle fitting, const std::string& written, DecodeResult& result);

// Several such middles (candidates.h), which branch at their first new token.
Candidates DecodeSyntaxCandidates(const SyntaxDecoding& how, const SyntaxMiddle& middle,
                                  const std::string& healed, std::span<const float> logits,
                                  const CandidateLimits& candidates);

}  // namespace tenon::server
