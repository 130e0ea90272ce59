// One parser stack as an array of LR states, for a text that is read once while it has one reading.
//
// Most of a text has a single reading and is never read again: in `x = 1` nothing forks. Then a
// shift appends a state, and a reduction shortens the array. A StackArena (stack.h) keeps every
// stack that ever was, and pays with hash tables. Where the table has several actions, or a lexeme
// has several LR terminals that fit, Shift returns kForks and the owner continues with an arena.
//
// A refused terminal must leave no trace: the states popped since the last Mark are kept, and Undo
// puts them back.
//
// Source: Aho, Sethi, Ullman, Compilers, algorithm 4.7.
// Cost: two table look-ups an action; 2 bytes a state. Thread rule: one thread at a time.
#pragma once

#include <span>
#include <vector>

#include "constraint/lr/table.h"

namespace tenon::constraint {

class ArrayStack {
 public:
  ArrayStack(const Grammar& grammar, const LrTable& table) : grammar_(&grammar), table_(&table) {
    states_.push_back(kStartLrState);
  }

  enum class Outcome : uint8_t {
    kShifted,
    kRefused,  // the grammar has no such text
    kForks,    // several actions apply: an arena has to follow them
  };
  // Undo returns to this state of the stack.
  void Mark() {
    kept_ = states_.size();
    popped_.clear();
  }
  // Makes the reductions that `lr_terminal` allows, and its shift. kRefused, kForks: the
  // stack is left between two states, and the caller must call Undo.
  Outcome Shift(SymbolId lr_terminal);
  void Undo();

  bool Allows(SymbolId lr_terminal) const {
    return !table_->Actions(states_.back(), lr_terminal).empty();
  }
  // Bottom first; the first is the start state.
  std::span<const LrStateId> states() const { return states_; }
  // states()[0, unchanged()) are the same as after the last Replace.
  size_t unchanged() const { return unchanged_; }
  // Keeps the first `kept` states and puts `above` on them. REQUIRES: kept > 0.
  void Replace(size_t kept, std::span<const LrStateId> above);

 private:
  const Grammar* grammar_;
  const LrTable* table_;
  std::vector<LrStateId> states_;
  size_t unchanged_ = 1;
  size_t kept_ = 1;                // states_[0, kept_) are the same as at the mark
  std::vector<LrStateId> popped_;  // the states above them at the mark, topmost first
};

}  // namespace tenon::constraint
