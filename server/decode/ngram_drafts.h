// Drafts of the next tokens: the tokens that followed the same last tokens earlier in a text.
//
// Code repeats itself. Where the last tokens of a text stood somewhere in it before, the tokens
// that followed them there are a good guess now. Example: the text holds `for item in items:` and
// now ends with `for item`. The draft is ` in`, ` items`, `:`.
//
// The longer the repeated stretch, the longer the draft:
//
//   tokens that agree   1   2   3   4 and more
//   tokens drafted      0   2   4   7
//
// Of several places the one with the longest stretch counts; of equally long ones, the last. Other
// texts (draft_texts.h) count where they have a longer stretch than the text itself.
//
// Source: Saxena 2023, "Prompt Lookup Decoding"
// (https://github.com/apoorvumang/prompt-lookup-decoding); n-grams as drafts of speculative
// decoding: Leviathan et al. 2023.
// Cost: a comparison for each token of the texts, some 20 us for 64 KB.
// Thread rule: pure functions.
#pragma once

#include <span>
#include <vector>

#include "model/text/text.h"

namespace tenon::server {

// At most `most` tokens that may follow `text`. A draft ends before a control token.
[[nodiscard]] std::vector<TokenId> DraftAfter(
    std::span<const TokenId> text, size_t most, const model::Tokenizer& tokenizer,
    std::span<const std::span<const TokenId>> others = {});

}  // namespace tenon::server
