// The next token: drawn from the model's distribution, limited to the tokens that a filter allows.
//
// The model gives each token t a logit l[t]; its probability is exp(l[t] / T) / sum, where T is
// the temperature and the sum is over all tokens. A token is drawn and then checked. A refused
// token gets probability zero, the rest is renormalised, and the next token is drawn. At the first
// refusal the filter is asked for its mask, and every token outside the mask gets probability zero
// at once. T = 0 is greedy: the most likely token, else the next most likely (the lower id of
// equals).
// Example, greedy, with the logits {3, 1, 2}: token 0 is drawn and refused, the mask is {1}: token
// 1 is drawn and checked. Token 2 is never checked.
//
// The result is distributed exactly as if all refused tokens had been masked before the first
// draw, but only drawn tokens are ever checked.
//
// Cost: greedy 15 us for 49,152 logits plus one check; the order of the rest is made in growing
// pieces, never sorted whole. Drawing at random 150 us, plus 1 us for each token refused. A mask
// costs a pass over its tokens, and saves a greedy draw the order of the tokens outside
// (docs/measured_completion.md).
// Thread rule: one thread at a time; the same seed and calls give the same tokens on every
// machine.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <stop_token>
#include <vector>

#include "model/sampling/token_filter.h"
#include "tenon/token_id.h"

namespace tenon::model {

class Sampler {
 public:
  // never: tokens that are never drawn, even where the filter would allow them (control tokens
  // that do not end the middle).
  Sampler(float temperature, uint64_t seed, std::vector<TokenId> never = {});

  // Nothing where every token was refused or the caller asked to stop. Calls Check at most once
  // for a token, Mask at most once, Accept never. A token whose logit is NaN or -infinity is never
  // drawn.
  std::optional<TokenId> Draw(std::span<const float> logits, TokenFilter& filter,
                              std::stop_token cancel = {});
  // The same with a filter that has no mask: `allowed` is its Check.
  std::optional<TokenId> Draw(std::span<const float> logits,
                              const std::function<bool(TokenId)>& allowed,
                              std::stop_token cancel = {});

 private:
  std::optional<TokenId> DrawGreedy(std::span<const float> logits, TokenFilter& filter,
                                    const std::stop_token& cancel);
  std::optional<TokenId> DrawWeighted(std::span<const float> logits, TokenFilter& filter,
                                      const std::stop_token& cancel);
  bool IsNever(TokenId token) const;
  double Uniform();

  float temperature_;
  std::mt19937_64 random_;
  std::vector<TokenId> never_;  // sorted
};

}  // namespace tenon::model
