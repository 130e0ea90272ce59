// The seam between the model and what constrains it: which tokens may come next.
//
// Check is the truth, token by token. A mask is made only when it is asked for, and only limits what is worth checking: every token that
// Check allows is in it, but it may hold more (a budget narrows token by token).
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <span>

#include "model/tokenizer.h"

namespace tenon::model {

// One bit a token, token t in bit t % 64 of word t / 64; tokens behind its end are not in it. Empty: nothing is known.
using TokenBits = std::span<const uint64_t>;

[[nodiscard]] inline bool Holds(TokenBits mask, TokenId token) {
  const auto t = static_cast<size_t>(token);
  return t / 64 < mask.size() && (mask[t / 64] >> t % 64 & 1) != 0;
}

class TokenFilter {
 public:
  virtual ~TokenFilter() = default;
  // May it come next?
  virtual bool Check(TokenId token) = 0;
  // It does; false: it may not, and nothing has changed.
  virtual bool Accept(TokenId token) = 0;
  // All that may come next, and perhaps more. The span holds until the next call of any function.
  virtual TokenBits Mask() { return {}; }
};

}  // namespace tenon::model
