// The parser stacks of a gap as text, with what each node of them means for the gap.
//
// Example, of `tenon gap FILE --dump classes` for `foo(|)`: the top of the stack after `foo(`.
//
//   LR state 4, after LPAR: viable with W: terminals|nothing
//     call: NAME LPAR . RPAR
//       may be demand node 2 End  call: NAME LPAR . RPAR
//
// For each item of a state it says with which middles the tree above the item has parted from R's
// (free in viability_class.h), and which nodes of the demand graph may be the item's own tree node
// (shared). Items of the closure that say nothing are left out.
//
// Source: none. Cost: for a person. Thread rule: that of the gap.
#pragma once

#include <string>

#include "constraint/gap/gap_state.h"

namespace tenon::constraint {

// "LR state 4, after LPAR": with the symbol that every way into the state goes over.
[[nodiscard]] std::string LrStateName(const Grammar& grammar, const LrTable& table,
                                      LrStateId state);

[[nodiscard]] std::string Dump(const GapState& gap);

}  // namespace tenon::constraint
