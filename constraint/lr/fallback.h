// Fallback: a keyword that counts as a name where the parser knows nothing else to do with it (`%fallback` in a grammar).
//
// In a state that has an action for the keyword the keyword is itself; in any other it is read as the terminal that it falls back to. So
// it is a priority, not a union, and the LR state decides. The table has a column of its own for "the keyword K, read as T":
//
//   cell(s, K as T) = cell(s, T)                       where no column of K has an action in s
//                     the reductions of K's cells      elsewhere: behind them K may still be read as T
//
// From the right the state is not known, only items are. An item that expects T *always reads* K if no state that holds the item has an
// action for K, and none is reached over a reduction that K would not have made. Elsewhere the right context refuses K as T: viability
// errs to refusing there, membership is exact.
//
// Source: D. R. Hipp, The Lemon LALR(1) Parser Generator, https://www.sqlite.org/src/doc/trunk/doc/lemon.html, %fallback. Where we differ:
// Lemon asks after it has taken default reductions out of its table, we before.
// Cost: fallbacks * states, once a language. Thread rule: pure functions.
#pragma once

#include <utility>
#include <vector>

#include "constraint/lr/table.h"

namespace tenon::constraint {

// [state * (columns + 1) + column]
using LrCells = std::vector<std::vector<LrAction>>;

// Fills the cells of the fallback columns. Returns the items that do not always read a fallback column, ascending.
std::vector<std::pair<SymbolId, LrItem>> FillFallbacks(const Grammar& grammar, const LrTable& table, LrCells& cells);

}  // namespace tenon::constraint
