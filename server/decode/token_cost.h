// The cost of a text in tokens of a model: those of its canonical tokenisation, in which a model
// would write it.
//
// Example: where "the" is one token, `the` costs 1. A text that the vocabulary cannot write whole
// costs kNoTokens.
// Cost: one encoding and one decoding, a microsecond or two for a closing text.
// Thread rule: the function may be called from any thread; the tokenizer must outlive it.
#pragma once

#include "model/text/text.h"
#include "tenon/gap.h"

namespace tenon::server {

[[nodiscard]] inline TokenCount CanonicalCount(const model::Tokenizer& tokenizer) {
  return [&tokenizer](std::string_view text) -> uint32_t {
    std::vector<TokenId> tokens = tokenizer.Encode(text, false);
    return tokenizer.Decode(tokens) == text ? static_cast<uint32_t>(tokens.size()) : kNoTokens;
  };
}

}  // namespace tenon::server
