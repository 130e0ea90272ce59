#include "server/decode/likelihood.h"

#include <algorithm>
#include <cmath>

#include "model/kernels/kernels.h"

namespace tenon::server {

double NatsOf(std::span<const float> logits, TokenId token) {
  static const auto kKernels = model::KernelsForThisProcessor<float>();
  const double all = kKernels.log_sum_exp(logits.data(), logits.size());
  return std::max(0.0, all - static_cast<double>(logits[token.value]));
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
