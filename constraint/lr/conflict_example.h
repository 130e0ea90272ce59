// Why a cell of the table holds more than one action: for each action a shortest text of terminals that leads there.
//
//   reading   (item, before): once the parser has read the terminals `before` and sees the conflict's column next, this action applies;
//             the item's dot stands where the readings part
//
// A reduction applies only where the column can follow, so the way back from the conflict keeps one bit: must what stands behind the
// rule in progress begin with the column, or may it be anything? Nodes are (state, item, bit), searched backwards from the
// conflict to the start, each step costing the least number of terminals of the symbol it goes over.
// Source: after Isradisaikul and Myers, Finding counterexamples from parsing conflicts, PLDI 2015, section 4 (shortest look-ahead-sensitive
// path); we keep one bit of the look-ahead set, which is exact for one column. We differ: no unifying counterexample is searched,
// so two readings may have different texts, and neither says that the grammar is ambiguous.
// Cost: milliseconds a conflict in a grammar of Python's size. Thread rule: immutable after construction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "constraint/lr/table.h"

namespace tenon::constraint {

struct ConflictReading {
  LrAction action;
  LrItem item;                   // complete where the action reduces
  std::vector<SymbolId> before;  // columns
};

class ConflictExplainer {
 public:
  // Both must outlive it.
  ConflictExplainer(const Grammar& grammar, const LrTable& table);

  // One reading an action; the end's column stands for accepting, too.
  std::vector<ConflictReading> Readings(const LrConflict& conflict) const;

 private:
  std::optional<std::vector<SymbolId>> ShortestBefore(LrStateId state, const LrItem& item, SymbolId column,
                                                      bool must_follow) const;
  size_t Length(RuleId rule) const;
  SymbolId Body(RuleId rule, size_t i) const;
  bool BeginsWith(SymbolId symbol, SymbolId column) const;
  void Spell(SymbolId symbol, std::vector<SymbolId>& out) const;

  const Grammar& grammar_;
  const LrTable& table_;
  std::vector<uint32_t> least_;                       // [SymbolId] terminals of its shortest text
  std::vector<RuleId> shortest_;                      // [SymbolId] the rule that gives it; nonterminals only
  std::vector<std::vector<uint64_t>> first_;          // [SymbolId] columns that can begin it
  std::vector<std::vector<LrStateId>> predecessors_;  // [LrStateId]
  std::vector<SymbolId> accessing_;                   // [LrStateId] the symbol that every way into the state goes over
};

// "statement: IF expression statement . ELSE statement".
std::string ItemText(const Grammar& grammar, const LrItem& item);
// The terminals' names in a row; "(the beginning)" for none.
std::string ColumnsText(const Grammar& grammar, const std::vector<SymbolId>& columns);

}  // namespace tenon::constraint
