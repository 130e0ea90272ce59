#include "server/complete/session_text.h"

#include <algorithm>

#include "server/complete/ngram_drafts.h"

namespace tenon::server {

SessionText::SessionText(model::InferenceSession& session, const model::Tokenizer& tokenizer,
                         size_t most_drafted)
    : session_(session),
      tokenizer_(tokenizer),
      most_drafted_(most_drafted),
      length_(session.tokens().size()),
      prompt_tokens_(length_) {}

DecodeText::Logits SessionText::Append(model::TokenId token) {
  const std::vector<model::TokenId>& held = session_.tokens();
  const auto vocabulary = static_cast<size_t>(session_.vocabulary());
  if (length_ < held.size() && held[length_] == token) {
    ++length_;
    ++rows_used_;
    return computed_.subspan((rows_used_ - 1) * vocabulary, vocabulary);
  }
  session_.Truncate(length_);
  std::vector<model::TokenId> pass(held.begin(), held.end());
  pass.push_back(token);
  const auto room = static_cast<size_t>(session_.max_tokens());
  const std::vector<model::TokenId> draft =
      DraftAfter(pass, std::min(most_drafted_, room - std::min(room, pass.size())), tokenizer_);
  pass.erase(pass.begin(), pass.end() - 1);
  pass.insert(pass.end(), draft.begin(), draft.end());
  const auto logits = session_.Decode(pass);
  if (!logits) return std::nullopt;
  ++passes_;
  ++length_;
  computed_ = *logits;
  rows_used_ = 1;
  return computed_.first(vocabulary);
}

DecodeText::Logits SessionText::Rewrite(size_t kept, std::span<const model::TokenId> tokens) {
  const std::vector<model::TokenId>& held = session_.tokens();
  std::vector<model::TokenId> all(
      held.begin(), held.begin() + static_cast<std::ptrdiff_t>(prompt_tokens_ + kept));
  all.insert(all.end(), tokens.begin(), tokens.end());
  const auto logits = session_.Prefill(all, {});
  if (!logits) return std::nullopt;
  ++passes_;
  length_ = all.size();
  computed_ = {};
  rows_used_ = 0;
  return *logits;
}

}  // namespace tenon::server
