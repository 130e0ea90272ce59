// Forced continuation: what the constraint alone writes, as tokens that the model would have seen.
//
// Where every text that closes the gap goes on with the same bytes (constraint/gap/forced.h), they are written without asking the model.
// Tokens must stay those of the tokenizer, or the model goes on from a place it has never been: the text since the prompt is tokenised
// anew, drawn and forced bytes together, and of its tokens those are kept that stay what they are whatever follows (healing at the end;
// Tokenizer::SettledBytes, with the bytes that may follow). The rest is left to the model, whose next tokens must write it anyway.
//
//   drawn "55" "5", forced "-"  ->  "5" "5" "5" "-"     where digits are tokens of their own, and a digit must follow
//
// Source: Zheng et al., SGLang (2023), section on jump-forward decoding and re-tokenisation.
// Cost: two checks where nothing is forced; else a check of each byte and some tens of splits. Thread rule: that of the state.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/gap/gap_state.h"
#include "model/text/text.h"

namespace tenon::server {

struct ForcedTokens {
  std::vector<model::TokenId> tokens;  // of the text since the prompt, all of them
  std::string bytes;                   // what they add to it; never empty
};

// `written`: the text since the prompt, which ends with the state's middle. `line_ends`: forced text may hold them. Nothing: nothing is
// forced, or nothing of it is settled.
[[nodiscard]] std::optional<ForcedTokens> FindForced(const constraint::GapState& state, std::string_view written,
                                                     const model::Tokenizer& tokenizer, bool line_ends);

}  // namespace tenon::server
