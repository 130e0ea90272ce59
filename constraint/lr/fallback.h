// Fallback: a keyword that counts as a name where the parser has no other use for it (`%fallback`).
//
// Example: SQL's `key` in `create table t (key text)`. After `(` the parser has no action for the
// keyword, so `key` is read as a name. After `primary` it has one, so `key` is the keyword. It is a
// priority and not a union: the LR state decides. The table has an LR terminal of its own for "the
// keyword K, read as T":
//
//   cell(s, K as T) = cell(s, T)                   where no LR terminal of K has an action in s
//                     the reductions of K's cells  elsewhere: after them K may still be read as T
//
// From the right only items are known, no state. An item that expects T *always reads* K if no
// state that holds the item has an action for K, and no such state is reached by a reduction that K
// would not have made. Elsewhere the right context refuses K as T: viability errs to refusing
// there, and membership is exact.
//
// Source: D. R. Hipp, The Lemon LALR(1) Parser Generator, %fallback,
// https://www.sqlite.org/src/doc/trunk/doc/lemon.html. Where we differ: Lemon looks after it has
// taken default reductions out of its table, we before.
// Cost: fallbacks * states, once a language. Thread rule: pure functions.
#pragma once

#include <utility>
#include <vector>

#include "constraint/lr/table.h"

namespace tenon::constraint {

// [state * (LR terminals + 1) + LR terminal]
using LrCells = std::vector<std::vector<LrAction>>;

// Fills the cells of the fallbacks. Returns the pairs (fallback, item that does not always read
// it), ascending.
std::vector<std::pair<SymbolId, LrItem>> FillFallbacks(const Grammar& grammar, const LrTable& table,
                                                       LrCells& cells);

}  // namespace tenon::constraint
