// Splits the states of an LR(0) automaton where LALR(1) look-aheads make a conflict that LR(1) look-aheads would not.
//
// A state's look-ahead c *matters* for a kernel item, if a conflict on c that LR(1) resolves can be reached from it
// with the item's look-ahead handed on all the way:
//
//   (s, A -> w ., c)     where s has such a conflict on c and w is not empty
//   (p, A -> a . X b, c) where p goes over X to s, and (s, A -> a X . b, c) matters
//   (p, B -> d . C, c)   where A -> . X b is in p for C's sake, C =>* A at its right end, and (s, A -> X . b, c) matters
//
// The copies of a state are the sets of what matters that LR(1)'s own states would tell apart; copies that resolve
// their conflicts alike and lead to copies that do are one. LALR(1) look-aheads of the automaton with copies are
// LR(1)'s where they matter, so the rest of the table is made as ever. A conflict is LR(1)'s own exactly where some
// LR(1) state of the same items has it.
//
// Source: Denny and Malloy, The IELR(1) algorithm for generating minimal LR(1) parser tables for non-LR(1) grammars
// with conflict resolution, Science of Computer Programming 75 (2010): annotations that are handed back from conflicts.
// Where we differ: conflicts that LR(1) keeps are GLR forks and never split a state; copies are told apart by equal
// sets and then merged as in a minimal automaton, not by the dominant action; so a table can be larger than theirs.
// Pager, A practical general method for constructing LR(k) parsers, Acta Informatica 7 (1977), splits where LALR(1) has
// no conflict too.
// Cost: nothing without a conflict; else a pass over the states that hand on a conflict's column, for each such column;
// where nothing can be gained that is all. Thread rule: a pure function.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "constraint/lr/table.h"

namespace tenon::constraint {

struct LrAutomaton {
  std::vector<std::vector<LrItem>> items;  // [state] kernel first, ascending, then closure
  std::vector<uint16_t> kernel_sizes;      // [state]
  std::vector<LrStateId> go_to;            // [state][symbol]
};

// REQUIRES: an epsilon-free grammar; `conflicts` are those of the automaton's LALR(1) table. Nothing: LR(1) resolves
// none of them, or it takes more than `max_states`. Otherwise the states keep their numbers, and copies come behind
// them.
[[nodiscard]] std::optional<LrAutomaton> SplitStates(const Grammar& grammar, const LrAutomaton& automaton,
                                                     std::span<const LrConflict> conflicts, size_t max_states);

// How many states of the table hold the items of another one.
[[nodiscard]] size_t CountCopies(const LrTable& table);

}  // namespace tenon::constraint
