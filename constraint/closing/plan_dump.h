// Closing plans as text: the terminals that would join both sides of a gap, and an estimate of
// their cost.
//
// Example, of `tenon gap FILE --dump plan` for `foo(a, |` with nothing on the right:
//
//   about 3 bytes
//     NAME RPAR, then R: 3 bytes
//   closed by `a)`
//
// Source: none. Cost: that of all plans. Thread rule: that of the gap.
#pragma once

#include <string>

#include "constraint/closing/closer.h"

namespace tenon::constraint {

// "NAME RPAR, at a cost of 4 bytes".
[[nodiscard]] std::string Dump(const Plan& plan, const Grammar& grammar);
// Every plan from the state, the cheapest first.
[[nodiscard]] std::string Dump(Closer& closer, const GapState& state);

}  // namespace tenon::constraint
