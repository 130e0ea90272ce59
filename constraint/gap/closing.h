// A closing witness: text that closes a gap from where the middle stands, verified by membership.
//
// Two kinds are tried, cheapest first. The lexeme in progress goes on into R: the shortest bytes that let it. Or it ends, a
// plan (gap/plan.h) says which terminals join both sides, and they are spelled: separators where two lexemes would run together, line
// ends with the columns of the blocks they open and close, and a seam that R's first lexeme or line can follow. Every candidate
// is tried on the state itself, so an answer is a fact. What it costs in tokens is counted on the whole text, so the first found need
// not be the cheapest: where it is dearer than wanted, the other candidates are tried as well.
//
// Source: docs/architecture.md, "Closing". Cost: milliseconds; asked for before the first draw and where a completion must end.
// Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <vector>

#include "constraint/gap/gap_state.h"
#include "constraint/gap/session.h"

namespace tenon::constraint {

// The first one found of at most `enough` tokens, else of those found the one of fewest.
[[nodiscard]] std::optional<Closing> FindClosing(const GapState& state, GapSession& session,
                                                 const std::vector<Branch>& branches, uint32_t enough);

// About how many bytes the cheapest closing text has: 0 where the middle is a member. An estimate, nothing is spelled or verified.
// Nothing: no plan joins both sides.
[[nodiscard]] std::optional<uint32_t> ClosingCost(GapSession& session, const std::vector<Branch>& branches);

}  // namespace tenon::constraint
