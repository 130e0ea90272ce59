// The face of the room `closing`: texts that close a gap, and bytes that every such text has.
//
//   Closer           a text that closes the gap from here: for `foo(a, |` it finds `b)`
//   BudgetedGap      a gap whose middle closes within a number of tokens
//   ForcedText       the bytes that begin every closing text: `)` in `f(|` of a language whose
//                    calls take no arguments
//   LexemeDistances  bytes that bring a lexeme in progress nearer to its end
//   ClosesInContext  does a middle leave the words of R where they may be written?
//   ExplainGap       how a gap and both its sides are read, in words; Dump(Closer) its plans
//
// The planner and the paths of lexemes are the room's own.
#pragma once

#include "constraint/closing/budgeted_gap.h"      // IWYU pragma: export
#include "constraint/closing/closer.h"            // IWYU pragma: export
#include "constraint/closing/explanation.h"       // IWYU pragma: export
#include "constraint/closing/forced_text.h"       // IWYU pragma: export
#include "constraint/closing/lexeme_distances.h"  // IWYU pragma: export
#include "constraint/closing/plan_dump.h"         // IWYU pragma: export
#include "constraint/closing/right_in_context.h"  // IWYU pragma: export
