// What an LR state alone tells about the next terminal, whatever lies below it on the stack.
//
// A reduction that pops below the known state goes on in every state that some stack may show there. So each state and terminal is
//
//   never    no stack with this state on top can shift the terminal
//   always   every stack with it can
//   open     it depends on what lies below
//
// and where the terminal can be shifted, Targets are the states that may be on top afterwards. Both "never" and "always" are facts; "open"
// may be said too often, because only the top state is kept, not what a reduction has found below.
// A cell with a conflict is followed in all its actions and counts as able to fail when one of them does.
//
// Source: Bates and Lavie, Recognizing substrings of LR(k) languages in linear time, TOPLAS 1994 (stacks of unknown bottom). Cost: one
// search of the graph of reductions for each terminal, 5 ms for Python. Thread rule: immutable.
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
  // `doubtful` [LrStateId]: states from which emitted text may not be able to go on; coming to one counts as failing.
  LookThrough(const Grammar& grammar, const LrTable& table, const std::vector<bool>& doubtful);

  bool Never(LrStateId state, SymbolId column) const {
    return cell(state, column).targets_begin == cell(state, column).targets_end;
  }
  bool Always(LrStateId state, SymbolId column) const { return !Never(state, column) && !cell(state, column).may_fail; }
  std::span<const LrStateId> Targets(LrStateId state, SymbolId column) const {
    const Cell& c = cell(state, column);
    return std::span(targets_).subspan(c.targets_begin, c.targets_end - c.targets_begin);
  }
  // Equal where Never, Always and Targets are: of any two states and columns.
  uint32_t Key(LrStateId state, SymbolId column) const {
    const Cell& c = cell(state, column);
    return c.targets_begin << 1 | static_cast<uint32_t>(c.may_fail);
  }
  // The states that shifting `column` leads to.
  std::span<const LrStateId> ShiftedTo(SymbolId column) const { return shifted_to_[column.value]; }

 private:
  struct Cell {
    uint32_t targets_begin = 0, targets_end = 0;
    bool may_fail = true;
  };
  const Cell& cell(LrStateId state, SymbolId column) const { return cells_[column.value * states_ + state.value]; }
  struct Visit {
    uint32_t index = 0, low = 0;  // 0: not yet seen
    bool settled = false;
    std::vector<uint16_t> edges;  // where its reductions lead
  };
  // `visits` [LrStateId]: not yet seen, before and behind.
  void Search(const LrTable& table, const std::vector<bool>& doubtful, SymbolId column, std::vector<Visit>& visits);
  // Gives the cell its targets, equal ones once.
  void SetTargets(std::span<const LrStateId> targets, Cell& cell);

  size_t states_;
  std::vector<Cell> cells_;  // [column][state]
  std::vector<LrStateId> targets_;
  // Hash of targets -> where those that have it stand; while they are made.
  boost::unordered_flat_map<uint64_t, std::vector<std::pair<uint32_t, uint32_t>>> known_;
  std::vector<std::vector<LrStateId>> shifted_to_;  // [column]
  // [state] for each rule that ends there: where its reduction may go on
  struct Reduction {
    uint32_t rule;
    std::vector<LrStateId> to;
  };
  std::vector<std::vector<Reduction>> reductions_;
};

}  // namespace tenon::constraint
