// An LR state alone, the stack below it unknown: can the next terminal be shifted?
//
// Example: in `f(a|`, once `a` is reduced, the top state holds call -> NAME "(" args . ")" and
// args -> args . "," NAME. A comma is shifted whatever lies below: *always*. A `]` has no action:
// *never*. The state after `a` alone does not tell whether a `)` fits: in `f(a|` it does, in `x =
// a|` it does not: *open*.
//
//   never    no stack with this state on top can shift the terminal
//   always   every stack with it can
//   open     neither is known
//
// A reduction that pops below the known state goes on in every state that some stack may have
// there. Where the terminal can be shifted, Targets are the states that may be on top afterwards.
// "Never" and "always" are facts. "Open" may be said too often, since only the top state is kept
// and not the part of the stack that a reduction has found.
//
// Conflicts: a cell with several actions is followed in all of them, and counts as able to fail
// when one of them does.
//
// Source: Bates and Lavie, Recognizing substrings of LR(k) languages in linear time, TOPLAS 1994
// (stacks of unknown bottom); strongly connected components of the reductions, Tarjan 1972.
// Cost: one search of the graph of reductions for each terminal, 5 ms for Python.
// Thread rule: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/lr/table.h"

namespace tenon::constraint {

class LookThrough {
 public:
  // `doubtful` [LrStateId]: states from which emitted text may be unable to go on. Reaching one
  // counts as failing.
  LookThrough(const Grammar& grammar, const LrTable& table, const std::vector<bool>& doubtful);

  bool Never(LrStateId state, SymbolId lr_terminal) const {
    return cell(state, lr_terminal).targets_begin == cell(state, lr_terminal).targets_end;
  }
  bool Always(LrStateId state, SymbolId lr_terminal) const {
    return !Never(state, lr_terminal) && !cell(state, lr_terminal).may_fail;
  }
  std::span<const LrStateId> Targets(LrStateId state, SymbolId lr_terminal) const {
    const Cell& c = cell(state, lr_terminal);
    return std::span(targets_).subspan(c.targets_begin, c.targets_end - c.targets_begin);
  }
  // Two cells have equal keys if and only if Never, Always and Targets are equal.
  uint32_t Key(LrStateId state, SymbolId lr_terminal) const {
    const Cell& c = cell(state, lr_terminal);
    return c.targets_begin << 1 | static_cast<uint32_t>(c.may_fail);
  }
  // The states that shifting `lr_terminal` leads to.
  std::span<const LrStateId> ShiftedTo(SymbolId lr_terminal) const {
    return shifted_to_[lr_terminal.value];
  }

 private:
  struct Cell {
    uint32_t targets_begin = 0, targets_end = 0;
    bool may_fail = true;
  };
  const Cell& cell(LrStateId state, SymbolId lr_terminal) const {
    return cells_[lr_terminal.value * states_ + state.value];
  }
  struct Visit {
    uint32_t index = 0, low = 0;  // of Tarjan's algorithm; 0: not seen
    bool settled = false;
    std::vector<uint16_t> edges;  // the states after its reductions
  };
  // `visits` [LrStateId]: unseen before the call and after it.
  void Search(const LrTable& table, const std::vector<bool>& doubtful, SymbolId lr_terminal,
              std::vector<Visit>& visits);
  // Sets the cell's targets; equal lists are stored once.
  void SetTargets(std::span<const LrStateId> targets, Cell& cell);

  size_t states_;
  std::vector<Cell> cells_;  // [LR terminal][state]
  std::vector<LrStateId> targets_;
  // Hash of a list of targets -> its ranges in targets_; during construction.
  boost::unordered_flat_map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> known_;
  std::vector<std::vector<LrStateId>> shifted_to_;  // [LR terminal]
  // [state] for each rule that is complete there: the states after its reduction.
  struct Reduction {
    uint32_t rule;
    std::vector<LrStateId> to;
  };
  std::vector<std::vector<Reduction>> reductions_;
};

}  // namespace tenon::constraint
