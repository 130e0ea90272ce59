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
#include <vector>

#include "constraint/lr/table.h"

namespace tenon::constraint {

class LookThrough {
 public:
  // `doubtful` [LrStateId]: states from which emitted text may be unable to go on. Reaching one
  // counts as failing.
  LookThrough(const Grammar& grammar, const LrTable& table, const std::vector<bool>& doubtful);

  bool Never(LrStateId state, SymbolId lr_terminal) const {
    return Key(state, lr_terminal) >> 1 == kNoTargets;
  }
  bool Always(LrStateId state, SymbolId lr_terminal) const {
    const uint32_t key = Key(state, lr_terminal);
    return key >> 1 != kNoTargets && (key & 1) == 0;
  }
  std::span<const LrStateId> Targets(LrStateId state, SymbolId lr_terminal) const {
    const uint32_t list = Key(state, lr_terminal) >> 1;
    return std::span(targets_).subspan(list + 1, targets_[list].value);
  }
  // Two cells have equal keys if and only if Never, Always and Targets are equal.
  uint32_t Key(LrStateId state, SymbolId lr_terminal) const {
    return cells_[lr_terminal.value * states_ + state.value];
  }
  // The states that shifting `lr_terminal` leads to.
  std::span<const LrStateId> ShiftedTo(SymbolId lr_terminal) const {
    return shifted_to_[lr_terminal.value];
  }

 private:
  class Builder;
  static constexpr uint32_t kNoTargets = 0;

  size_t states_;
  // [LR terminal][state] twice the index of a list in targets_, plus one where the state may fail
  std::vector<uint32_t> cells_;
  std::vector<LrStateId> targets_;  // lists, each after its length; the first is empty
  std::vector<std::vector<LrStateId>> shifted_to_;  // [LR terminal]
};

}  // namespace tenon::constraint
