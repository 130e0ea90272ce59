#include "server/decode/likelihood.h"

#include <algorithm>
#include <cmath>

namespace tenon::server {

double NatsOf(std::span<const float> logits, TokenId token) {
  // The greatest logit is taken out of the sum, so that no power overflows.
  const double greatest = *std::max_element(logits.begin(), logits.end());
  double sum = 0;
  for (const float logit : logits) sum += std::exp(static_cast<double>(logit) - greatest);
  return std::log(sum) + greatest - static_cast<double>(logits[token.value]);
}

double NatsOf(std::span<const float> logits, TokenId token, const model::Tokenizer& tokenizer,
              std::string_view healed) {
  if (healed.empty()) return NatsOf(logits, token);
  double sum = 0;
  for (uint32_t id = 0; id < logits.size(); ++id) {
    const std::string_view bytes = tokenizer.Bytes(TokenId{id});
    const size_t both = std::min(bytes.size(), healed.size());
    if (both > 0 && bytes.substr(0, both) == healed.substr(0, both))
      sum += std::exp(static_cast<double>(logits[id]) - static_cast<double>(logits[token.value]));
  }
  return std::log(sum);
}

std::optional<double> NatsOf(std::span<const TokenId> tokens, std::span<const float> logits,
                             DecodeText& text) {
  double nats = 0;
  for (size_t i = 0; i < tokens.size(); ++i) {
    nats += NatsOf(logits, tokens[i]);
    if (i + 1 == tokens.size()) break;
    const DecodeText::Logits next = text.Append(tokens[i]);
    if (!next) return std::nullopt;
    logits = *next;
  }
  return nats;
}

}  // namespace tenon::server
