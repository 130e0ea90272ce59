// The LR table of a grammar: the actions of a parser state for the next terminal.
//
// A parser reads `a + b` with a stack of states. The state says whether the next terminal is
// shifted or a rule is reduced first:
//
//   stack                  next   action
//   0                      a      shift
//   0 NAME                 +      reduce e -> NAME: pop one state, goto over e
//   0 e                    +      shift
//   0 e "+"                b      shift
//   0 e "+" NAME           end    reduce e -> NAME
//   0 e "+" e              end    reduce e -> e "+" e
//   0 e                    end    accept
//
// With e -> e "+" e the cell (0 e "+" e, "+") holds two actions, shift and reduce. Such a conflict
// is kept and all its actions are followed (GLR).
//
// Definition. An item is (rule, dot). The augmented rule S' -> start has index
// grammar.rules.size(). An *LR terminal* is a pair (terminal, predicate), such as (`match`,
// since_3_10); the end of the text has the number after the last one. A state's items are kept,
// because viability at a gap follows them (gap/viability_class.h).
//
// Exceptions:
//
//   Splits. Look-aheads are LALR(1)'s. Where they make a conflict that LR(1) has not, the state is
//   split (state_splitter.h), so several states may hold the same items.
//
//   %fallback. A keyword that may be read as a name: fallback.h fills its cells, and no state is
//   split.
//
//   Contexts. In `"while" e ":" block#+in_loop` the predicate in_loop holds inside of block. The
//   state before the block tells it: every kernel item of that state must come before a part with
//   the same change, else the grammar is refused.
//
// Source: DeRemer and Pennello, Efficient computation of LALR(1) look-ahead sets, TOPLAS 1982. The
// grammar is epsilon-free, so "reads" is empty and "includes" looks at last symbols only.
// Cost: a few bytes an action and a goto (sparse_rows.h); while it is built, 1 GB for the largest
// grammar that is taken. Thread rule: immutable after Build.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/grammar/grammar.h"
#include "constraint/lr/sparse_rows.h"

namespace tenon::constraint {

struct LrStateId {
  uint16_t value = 0;
  auto operator<=>(const LrStateId&) const = default;
};
inline constexpr LrStateId kNoLrState{0xffff};
inline constexpr LrStateId kStartLrState{0};

struct LrItem {
  RuleId rule;
  uint16_t dot = 0;
  auto operator<=>(const LrItem&) const = default;
};

struct LrAction {
  enum class Kind : uint8_t { kShift, kReduce, kAccept } kind;
  uint32_t target = 0;  // kShift: LrStateId, kReduce: RuleId
  auto operator<=>(const LrAction&) const = default;
};

// "statement: IF expression statement . ELSE statement"; "the whole text: . statement".
[[nodiscard]] std::string ItemText(const Grammar& grammar, const LrItem& item);

// A cell with more than one action; listed once where copies of a state have it.
struct LrConflict {
  LrStateId state;
  SymbolId terminal;
  std::vector<LrAction> actions;
};

class LrTable {
 public:
  // Errors: kMechanism, a context that no state tells; kTooLarge, too many states, items or lists
  // of actions.
  [[nodiscard]] static tl::expected<LrTable, GrammarError> Build(const Grammar& grammar);

  std::span<const LrAction> Actions(LrStateId state, SymbolId lr_terminal) const {
    const uint16_t list = cells_.At(state.value, lr_terminal.value);
    if (list < single_actions_) return {&actions_[list], list != 0 ? size_t{1} : size_t{0}};
    const ActionRange& several = several_[list - single_actions_];
    return {&actions_[several.begin], several.count};
  }
  // The state that the automaton reaches over any symbol; kNoLrState where there is none.
  LrStateId Goto(LrStateId state, SymbolId symbol) const {
    return LrStateId{goto_.At(state.value, symbol.value)};
  }
  // Kernel items first, then the closure.
  std::span<const LrItem> items(LrStateId state) const { return items_[state.value]; }
  size_t kernel_size(LrStateId state) const { return kernel_sizes_[state.value]; }
  size_t state_count() const { return items_.size(); }
  // The change of context in `state`: the next symbol is a marked part of a rule.
  ContextChange change(LrStateId state) const { return changes_[state.value]; }
  // Is the symbol that leads to `state` such a part? After it the context is the one before it.
  bool EndsPart(LrStateId state) const { return ends_part_[state.value]; }
  SymbolId end_terminal() const { return SymbolId{static_cast<uint16_t>(lr_terminals_)}; }
  std::span<const LrConflict> conflicts() const { return conflicts_; }
  // Is `fallback`, an LR terminal with reads_as, read as the terminal that `item` expects, whatever
  // the stack below? See lr/fallback.h.
  bool AlwaysReads(LrItem item, SymbolId fallback) const {
    return !std::binary_search(unsure_.begin(), unsure_.end(), std::pair(fallback, item));
  }

  // One paragraph for each state, for tests and bug reports.
  std::string Dump(const Grammar& grammar) const;

 private:
  struct ActionRange {  // of actions_
    uint32_t begin = 0;
    uint32_t count = 0;
  };
  friend class LrTableBuilder;
  template <typename>
  friend struct CacheFields;    // constraint/cache/archive.h
  friend class TableInspector;  // constraint/cache/soundness.h
  size_t lr_terminals_ = 0;     // number of LR terminals
  size_t symbols_ = 0;
  // [state][LR terminal] a list of actions: 0 is the empty one, those below single_actions_ are
  // one action each, actions_[list]; the others are several_[list - single_actions_].
  SparseRows cells_;
  SparseRows goto_;  // [state][symbol] LrStateId
  std::vector<LrAction> actions_;
  std::vector<ActionRange> several_;
  size_t single_actions_ = 1;               // actions_[0] is none
  std::vector<std::vector<LrItem>> items_;  // [state]
  std::vector<uint16_t> kernel_sizes_;
  std::vector<ContextChange> changes_;  // [state]
  std::vector<bool> ends_part_;         // [state]
  std::vector<LrConflict> conflicts_;
  // Ascending: fallbacks that the item does not always read.
  std::vector<std::pair<SymbolId, LrItem>> unsure_;
};

}  // namespace tenon::constraint
