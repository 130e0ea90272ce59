// Forced continuation: text that the constraint alone determines, as tokens that the model would
// have seen.
//
// Where every text that closes the gap goes on with the same bytes
// (Gap::Forced), they are written without asking the model. Example: of
// `[0-9]{3}-[0-9]{4}` the model has drawn `555`. Only `-` may follow, so `-` is written.
//
// Tokens must stay the tokenizer's own, or the model goes on from a place that it has never
// been at. So the text since the prompt is tokenised anew, drawn and forced bytes together:
//
//   drawn "55" "5", forced "-"  ->  "5" "5" "5" "-"  where every digit is a token of its own
//   drawn "t", forced "he"      ->  "the"            where one token writes all three
//
// The last tokens may still change with the text after them. Only those are kept that stay as they
// are whatever follows (healing at the end; Tokenizer::SettledBytes, with the bytes that may
// follow). The rest is left to the model, whose next tokens must write it anyway.
//
// Source: Zheng et al., SGLang (2023), section on jump-forward decoding and re-tokenisation.
// Cost: two checks where nothing is forced; else a check of each byte and some tens of splits.
// Thread rule: that of the gap.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/text.h"
#include "tenon/gap.h"

namespace tenon::server {

struct ForcedTokens {
  std::vector<TokenId> tokens;  // of the text since the prompt, all of them
  std::string bytes;            // that they add to the text; never empty
};

// The bytes with which every text goes on that closes the gap, up to 256. `line_ends`: it may hold
// line ends; else it ends before the first.
[[nodiscard]] std::string ForcedText(const Gap& gap, bool line_ends);
// `written`: the text since the prompt, which ends with the gap's middle. `line_ends`: as above.
// Nothing: no byte is forced, or none of the forced bytes is settled.
[[nodiscard]] std::optional<ForcedTokens> FindForced(const Gap& gap, std::string_view written,
                                                     const model::Tokenizer& tokenizer,
                                                     bool line_ends);

}  // namespace tenon::server
