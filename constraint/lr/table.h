// LALR(1) table of a grammar, its states split where LR(1) has no conflict; all actions of a cell are followed (GLR).
// So states may hold equal items (lr/state_splitter.h). A grammar with %fallback keeps the states that decide it.
// Items: (rule, dot). The augmented rule S' -> start has index grammar.rules.size(). Column grammar.columns.size() is the end
// of the text. A state's items are kept, because viability at a gap walks them (gap/viability_class.h).
// A part of a rule that changes the context (`block#+in_function`) is told by the state before it: every kernel item must stand before a part
// with the same change, else the grammar is refused.
// Source: DeRemer and Pennello, Efficient computation of LALR(1) look-ahead sets, TOPLAS 1982. The grammar is epsilon-free, so
// "reads" is empty and "includes" looks at last symbols alone.
// Cost: states * (columns + nonterminals) * 2 bytes. Thread rule: immutable after Build.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tl/expected.hpp>

#include "constraint/grammar/grammar.h"

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

// A cell with more than one action; said once where copies of a state have it.
struct LrConflict {
  LrStateId state;
  SymbolId column;
  std::vector<LrAction> actions;
};

class LrTable {
 public:
  [[nodiscard]] static tl::expected<LrTable, GrammarError> Build(const Grammar& grammar);

  std::span<const LrAction> Actions(LrStateId state, SymbolId column) const {
    return action_lists_[cells_[state.value * (columns_ + 1) + column.value]];
  }
  // Where the automaton goes over any symbol; kNoLrState where it does not.
  LrStateId Goto(LrStateId state, SymbolId symbol) const { return goto_[state.value * symbols_ + symbol.value]; }
  std::span<const LrItem> items(LrStateId state) const { return items_[state.value]; }  // kernel first, then closure
  size_t kernel_size(LrStateId state) const { return kernel_sizes_[state.value]; }
  size_t state_count() const { return items_.size(); }
  // What standing in `state` changes about the context: what comes next lies in a marked part of a rule.
  ContextChange change(LrStateId state) const { return changes_[state.value]; }
  // Does the symbol that leads to `state` stand for such a part? Behind it the context is the one before it.
  bool EndsPart(LrStateId state) const { return ends_part_[state.value]; }
  SymbolId end_column() const { return SymbolId{static_cast<uint16_t>(columns_)}; }
  std::span<const LrConflict> conflicts() const { return conflicts_; }
  // Whatever stands below, is `fallback` (a column with reads_as) read as what `item` expects? See lr/fallback.h.
  bool AlwaysReads(LrItem item, SymbolId fallback) const {
    return !std::binary_search(unsure_.begin(), unsure_.end(), std::pair(fallback, item));
  }

  // One state a paragraph, for tests and bug reports.
  std::string Dump(const Grammar& grammar) const;

 private:
  friend class LrTableBuilder;
  template <typename>
  friend struct CacheFields;    // constraint/cache/archive.h
  friend class TableInspector;  // constraint/cache/soundness.h
  size_t columns_ = 0;          // without the end column
  size_t symbols_ = 0;
  std::vector<uint16_t> cells_;  // [state][column] index of an action list; 0 is the empty one
  std::vector<std::vector<LrAction>> action_lists_;
  std::vector<LrStateId> goto_;             // [state][symbol]
  std::vector<std::vector<LrItem>> items_;  // [state]
  std::vector<uint16_t> kernel_sizes_;
  std::vector<ContextChange> changes_;  // [state]
  std::vector<bool> ends_part_;         // [state]
  std::vector<LrConflict> conflicts_;
  std::vector<std::pair<SymbolId, LrItem>> unsure_;  // ascending: fallback columns that the item does not always read
};

}  // namespace tenon::constraint
