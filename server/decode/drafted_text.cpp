#include "server/decode/drafted_text.h"

#include <utility>
#include <vector>

#include "server/decode/ngram_drafts.h"

namespace tenon::server {

DraftedText::DraftedText(model::InferenceSession& session, const model::Tokenizer& tokenizer,
                         size_t most_drafted, std::vector<std::span<const TokenId>> others)
    : session_(session),
      tokenizer_(tokenizer),
      most_drafted_(most_drafted),
      prompt_tokens_(session.tokens().size()),
      passes_before_(session.passes()),
      others_(std::move(others)) {}

DecodeText::Logits DraftedText::Append(TokenId token) {
  const std::span<const TokenId> held = session_.tokens();
  std::vector<TokenId> text(held.begin(), held.end());
  text.push_back(token);
  const auto logits = session_.Decode(token, DraftAfter(text, most_drafted_, tokenizer_, others_));
  if (!logits) return std::nullopt;
  return *logits;
}

DecodeText::Logits DraftedText::Rewrite(size_t kept, std::span<const TokenId> tokens) {
  const std::span<const TokenId> held = session_.tokens().first(prompt_tokens_ + kept);
  std::vector<TokenId> text(held.begin(), held.end());
  text.insert(text.end(), tokens.begin(), tokens.end());
  const auto logits = session_.Prefill(text);
  if (!logits) return std::nullopt;
  return *logits;
}

}  // namespace tenon::server
