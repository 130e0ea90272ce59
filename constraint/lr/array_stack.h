// One parser stack as an array of LR states: for a text that is read once, from the beginning, while it has one reading.
//
// A StackArena (lr/stack.h) keeps every stack that ever was and shares their parts; it pays for that with look-ups in hash tables. Most
// of a text has one stack alone, and nothing goes back: then a shift is an assignment and a reduction a smaller size. Where the table
// has more than one action, or a token more than one column that fits, the array says so and its owner goes on with an arena.
// Source: Aho, Sethi, Ullman, Compilers, algorithm 4.7. What is undone where a token is refused is kept as the states that were popped.
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
    kForks,    // there is more than one way to go on: ask an arena
  };
  // From here on Undo leads back to here.
  void Mark() {
    kept_ = states_.size();
    popped_.clear();
  }
  // The reductions that `column` allows, and its shift. Refused or forking, the stack is left between: REQUIRES an Undo then.
  Outcome Shift(SymbolId column);
  void Undo();

  bool Allows(SymbolId column) const { return !table_->Actions(states_.back(), column).empty(); }
  // Bottom first; the first is the start state.
  std::span<const LrStateId> states() const { return states_; }
  // states()[0, unchanged()) are as they were after the last Replace.
  size_t unchanged() const { return unchanged_; }
  // Keeps the first `kept` states and puts `above` on them. REQUIRES: kept > 0.
  void Replace(size_t kept, std::span<const LrStateId> above);

 private:
  const Grammar* grammar_;
  const LrTable* table_;
  std::vector<LrStateId> states_;
  size_t unchanged_ = 1;
  size_t kept_ = 1;                // states_[0, kept_) are as they were at the mark
  std::vector<LrStateId> popped_;  // those that stood above them then, topmost first
};

}  // namespace tenon::constraint
