// The seam between the sampler and a constraint: which tokens may come next?
//
// The sampler asks two questions. Check decides one token and is always right. Mask narrows the
// tokens that are worth a check: it holds every token that Check allows, and may hold more.
// Example: a filter that allows at most three more tokens checks each token against that budget,
// while its mask holds every token that the grammar allows.
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "tenon/token_id.h"

namespace tenon::model {

// A set of tokens, one bit a token: token t is bit t % 64 of word t / 64. Tokens beyond the last
// word are not in the set. As an answer of TokenFilter::Mask a span without words means "not
// known".
using TokenBits = std::span<const uint64_t>;

[[nodiscard]] inline bool Holds(TokenBits mask, TokenId token) {
  const uint32_t word = token.value / 64;
  return word < mask.size() && (mask[word] >> token.value % 64 & 1) != 0;
}

class TokenFilter {
 public:
  virtual ~TokenFilter() = default;
  // True where `token` may come next. Appends nothing.
  virtual bool Check(TokenId token) = 0;
  // Appends `token`. False: `token` may not come next, and nothing has changed.
  virtual bool Accept(TokenId token) = 0;
  // All tokens that may come next, and perhaps more. The span is valid until the next call of any
  // function of the filter.
  virtual TokenBits Mask() { return {}; }
};

}  // namespace tenon::model
