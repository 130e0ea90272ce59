// The face of the room `gap`: is a gap viable, and does a middle close it?
//
// A gap is the position between a left context L and a right context R. In `foo(a, |)` the middle
// `b` closes the gap. The middle `)` makes it invalid for good. The empty middle is viable: it can
// still be continued to `b`.
//
//   OpenGap(language, L, R, policy)     a gap, once; of a document that is edited: GapCache
//   GapState                            a middle in the making: Check, Accept, Member, viable
//   SharedGap                           the part of a gap that its states share, for questions
//                                       about parser stacks (constraint/closing, quotient, mask)
//   RightSide, SideDemand               R, with the memos of parser stacks (constraint/quotient)
//   Dump(GapState)                      its stacks as text, for a person
#pragma once

#include "constraint/gap/gap_cache.h"   // IWYU pragma: export
#include "constraint/gap/gap_dump.h"    // IWYU pragma: export
#include "constraint/gap/gap_state.h"   // IWYU pragma: export
#include "constraint/gap/right_side.h"  // IWYU pragma: export
#include "constraint/gap/shared_gap.h"  // IWYU pragma: export
