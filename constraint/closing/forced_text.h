// Forced text: the beginning that every text that closes a gap must have.
//
// Example, in JSON: for L = `[tr` and R = `]` every middle begins with `ue`. The constraint alone
// writes these bytes, and the model need not be asked.
//
//   forced(s) = ""              where the middle is a member: the empty text closes the gap
//             = b forced(s b)   where b is the only byte that keeps s viable
//             = ""              else
//
// It is computed byte by byte with GapState::Check, so it is as exact as the check of tokens: no
// allowed token writes anything else.
//
// Source: jump-forward decoding of Zheng et al., SGLang (2023), there of compressed automata, here
// of the gap itself. Cost: two checks where two bytes are possible, which is nearly everywhere; 256
// checks a byte where one is. Thread rule: that of the state.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "constraint/gap/gap.h"

namespace tenon::constraint {

// Bytes that the middle may go on with: all of them where they are no more than `most`, else the
// first `most` that are found.
[[nodiscard]] std::vector<uint8_t> LiveBytes(const GapState& state, size_t most);

// At most `most_bytes` of it.
[[nodiscard]] std::string ForcedText(const GapState& state, size_t most_bytes);

}  // namespace tenon::constraint
