// The parser stacks of a gap as text, with the viability class of each node.
//
// Example, of `tenon gap FILE --dump classes` for `foo(|)`: the top of the stack after `foo(`.
//
//   LR state 4, after LPAR: viable with W: terminals|nothing
//     call: NAME LPAR . RPAR
//       may be demand node 2 End  call: NAME LPAR . RPAR
//
// The first line says with which kinds of W the stack is viable. Below each item are the two facts
// of viability_class.h: the kinds of W with which the item's tree has parted from R's tree (free),
// and the nodes of the demand graph that may be the item's own tree node (shared). Items of the
// closure without either fact are left out.
//
// Source: none. Cost: for a person. Thread rule: that of the gap.
#pragma once

#include <string>

#include "constraint/gap/gap_state.h"

namespace tenon::constraint {

// "LR state 4, after LPAR": with the symbol of every edge into the state.
[[nodiscard]] std::string LrStateName(const Grammar& grammar, const LrTable& table,
                                      LrStateId state);

[[nodiscard]] std::string Dump(const GapState& gap);

}  // namespace tenon::constraint
