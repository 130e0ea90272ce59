// Which token comes next: drawn from the model's distribution, limited to what is allowed.
//
// Of the logits l the token t has probability exp(l[t] / T) / sum. A token is drawn and then checked; where it
// is refused its probability becomes zero, the rest is renormalised and drawn again. At the first refusal the filter
// is asked for its mask, and what lies outside becomes zero at once. The result is distributed exactly as if every
// refused token had been masked before, but only the drawn ones are ever checked.
// T = 0 is greedy: the most likely token, else the next most likely (the lower id of equals).
//
// Cost: greedy 15 us for 49,152 logits plus one check; the order of the rest is made in growing pieces, never
// sorted whole. Sampling 150 us, plus 1 us for each token refused. A mask costs a pass
// over what it holds, and saves a greedy draw the order of the rest (docs/measured.md).
// Thread rule: one thread at a time; the same seed and calls give the same tokens on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <stop_token>
#include <vector>

#include "model/token_filter.h"

namespace tenon::model {

class Sampler {
 public:
  // never: tokens that are not drawn whatever the filter says (control tokens that are no end).
  Sampler(float temperature, uint64_t seed, std::vector<TokenId> never = {});

  // Nothing: every token was refused, or the caller asked to stop. The filter checks a token once at most and is asked for a
  // mask once at most. Logits are not changed; a NaN counts as impossible.
  std::optional<TokenId> Draw(std::span<const float> logits, TokenFilter& filter, std::stop_token cancel = {});
  // A filter without a mask.
  std::optional<TokenId> Draw(std::span<const float> logits, const std::function<bool(TokenId)>& allowed,
                              std::stop_token cancel = {});

 private:
  std::optional<TokenId> DrawGreedy(std::span<const float> logits, TokenFilter& filter, const std::stop_token& cancel);
  std::optional<TokenId> DrawWeighted(std::span<const float> logits, TokenFilter& filter,
                                      const std::stop_token& cancel);
  bool IsNever(TokenId token) const;
  double Uniform();

  float temperature_;
  std::mt19937_64 random_;
  std::vector<TokenId> never_;  // sorted
};

}  // namespace tenon::model
