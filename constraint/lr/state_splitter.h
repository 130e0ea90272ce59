// Splits LR(0) states where LALR(1) look-aheads make a conflict that LR(1) look-aheads would not.
//
// Example: S -> a A d | b B d | a B e | b A e,  A -> c,  B -> c. After `a c` and after `b c` the
// LR(0) automaton is in one state {A -> c . , B -> c .}. LALR(1) joins the look-aheads of both
// paths: A and B may each be followed by d or e, a conflict. LR(1) keeps the paths apart. The
// splitter makes two copies of the state:
//
//   after a:  A -> c .  before d     B -> c .  before e
//   after b:  A -> c .  before e     B -> c .  before d
//
// A state's look-ahead c *matters* for a kernel item if a conflict on c that LR(1) resolves can be
// reached from the item with its look-ahead handed on at each step:
//
//   (s, A -> w ., c)     s has such a conflict on c, and w is not empty
//   (p, A -> a . X b, c) p goes over X to s, and (s, A -> a X . b, c) matters
//   (p, B -> d . C, c)   A -> . X b is in p because of C, where C =>* A at its right end, and
//                        (s, A -> X . b, c) matters
//
// The copies of a state are the sets of mattering look-aheads that LR(1)'s own states would tell
// apart. Copies that resolve their conflicts alike, and lead to copies that do, are one. LALR(1)
// look-aheads of the automaton with copies are LR(1)'s where they matter, so the rest of the table
// is built as usual. A conflict is LR(1)'s own exactly where some LR(1) state of the same items has
// it.
//
// Source: Denny and Malloy, The IELR(1) algorithm for generating minimal LR(1) parser tables for
// non-LR(1) grammars with conflict resolution, Science of Computer Programming 75 (2010):
// annotations that are handed back from conflicts. Where we differ: conflicts that LR(1) keeps are
// GLR forks and never split a state; copies are told apart by equal sets and then merged as in a
// minimal automaton, not by the dominant action. So a table can be larger than theirs.
// Pager, A practical general method for constructing LR(k) parsers, Acta Informatica 7 (1977), also
// splits where LALR(1) has no conflict.
// Cost: nothing without a conflict; else for each LR terminal of a conflict a pass over the states
// that hand it on; no more where nothing can be gained. Thread rule: a pure function.
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

// REQUIRES: an epsilon-free grammar; `conflicts`: of the automaton's LALR(1) table.
// Nothing: LR(1) resolves none of them, or needs more than `max_states`. Otherwise the states keep
// their numbers, and copies follow.
[[nodiscard]] std::optional<LrAutomaton> SplitStates(const Grammar& grammar,
                                                     const LrAutomaton& automaton,
                                                     std::span<const LrConflict> conflicts,
                                                     size_t max_states);

// The number of states whose items another state of the table holds as well.
[[nodiscard]] size_t CountCopies(const LrTable& table);

}  // namespace tenon::constraint
