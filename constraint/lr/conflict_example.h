// Why a cell of the table holds several actions: for each action a shortest text that leads there.
//
// Example: with e -> e "+" e the parser has read `NAME + NAME` and sees `+`. One reading reduces
// the sum, the other shifts the second `+`:
//
//   reduce   e: e "+" e .      after NAME "+" NAME
//   shift    e: e . "+" e      after NAME "+" NAME
//
// Definition. A reading is (action, item, before): once the parser has read the terminals `before`
// and sees the conflict's LR terminal next, the action applies; the item's dot is at the position
// where the readings part.
//
// A reduction applies only where the LR terminal can follow. So the search back from the conflict
// keeps one bit: must the text after the rule in progress begin with the LR terminal, or may it be
// anything? Nodes are (state, item, bit), searched backwards from the conflict to the start. A step
// costs the least number of terminals of the symbol that it goes over.
//
// Source: after Isradisaikul and Myers, Finding counterexamples from parsing conflicts, PLDI 2015,
// section 4 (shortest look-ahead-sensitive path). One bit of the look-ahead set is exact for one LR
// terminal. Where we differ: no unifying counterexample is searched, so two readings may have
// different texts, and neither proves the grammar ambiguous.
// Cost: milliseconds a conflict in a grammar of Python's size. Thread rule: immutable after
// construction.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "constraint/base/base.h"
#include "constraint/lr/table.h"

namespace tenon::constraint {

struct ConflictReading {
  LrAction action;
  LrItem item;                   // complete where the action reduces
  std::vector<SymbolId> before;  // LR terminals
};

class ConflictExplainer {
 public:
  // Both must outlive it.
  ConflictExplainer(const Grammar& grammar, const LrTable& table);

  // One reading for each action; accepting is an action on the end of the text. No reading of an
  // action whose shortest text has more than 10,000 terminals.
  std::vector<ConflictReading> Readings(const LrConflict& conflict) const;

 private:
  std::optional<std::vector<SymbolId>> ShortestBefore(LrStateId state, const LrItem& item,
                                                      SymbolId lr_terminal, bool must_follow) const;
  bool BeginsWith(SymbolId symbol, SymbolId lr_terminal) const;
  void Spell(SymbolId symbol, std::vector<SymbolId>& out) const;

  const Grammar& grammar_;
  const LrTable& table_;
  std::vector<uint32_t> least_;                       // [SymbolId] terminals of its shortest text
  std::vector<RuleId> shortest_;                      // [nonterminal] its rule
  std::vector<Bits> first_;                           // [SymbolId] LR terminals that can begin it
  std::vector<std::vector<LrStateId>> predecessors_;  // [LrStateId]
  std::vector<SymbolId> accessing_;                   // [LrStateId] of every edge into it
};

// The terminals' names in a row; "(the beginning)" for none.
std::string TerminalsText(const Grammar& grammar, const std::vector<SymbolId>& lr_terminals);

}  // namespace tenon::constraint
