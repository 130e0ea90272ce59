// The text that an inference session holds after its prompt (DecodeText), computed with drafts.
//
// A pass of the model over a few tokens takes little longer than over one: the weights are read
// once. So the token that was drawn is computed together with a draft of the tokens that may follow
// it (ngram_drafts.h). Where the next draw is the drafted token, its logits are there already.
// Where it is another one, the rest of the draft is forgotten. The same holds for tokens that an
// earlier request drew at this place: the session keeps them (inference_session.h).
//
//   drawn           pass of the model             logits come from
//   `for`           `for` + ` item`, ` in`        the pass
//   ` item`         none                          the pass before: the draft was right
//   ` of`           ` of` + its own draft         the pass; ` in` is forgotten
//
// The logits are those of decoding token by token, so the same tokens are drawn, whatever the
// temperature.
// Source: Leviathan, Kalman, Matias 2023, "Fast Inference from Transformers via Speculative
// Decoding", with drafts whose tokens are certain.
// Thread rule: that of the session.
#pragma once

#include <span>
#include <vector>

#include "model/inference/inference.h"
#include "server/decode/decoder.h"

namespace tenon::server {

class DraftedText : public DecodeText {
 public:
  // The text after the tokens that the session holds now, its prompt. most_drafted: the longest
  // draft; 0: no drafts. others: tokens of other texts, from which drafts come, too. REQUIRES: the
  // session, the tokenizer and these tokens outlive this.
  DraftedText(model::InferenceSession& session, const model::Tokenizer& tokenizer,
              size_t most_drafted = model::InferenceSession::kMaxDecoded - 1,
              std::vector<std::span<const TokenId>> others = {});

  Logits Append(TokenId token) override;
  [[nodiscard]] bool LiesAhead(TokenId token) const override { return session_.LiesAhead(token); }
  Logits Rewrite(size_t kept, std::span<const TokenId> tokens) override;

  // The passes of the model so far.
  int passes() const { return session_.passes() - passes_before_; }

 private:
  model::InferenceSession& session_;
  const model::Tokenizer& tokenizer_;
  const size_t most_drafted_;
  const size_t prompt_tokens_;
  const int passes_before_;
  const std::vector<std::span<const TokenId>> others_;
};

}  // namespace tenon::server
