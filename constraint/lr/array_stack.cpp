#include "constraint/lr/array_stack.h"

#include <algorithm>

namespace tenon::constraint {

ArrayStack::Outcome ArrayStack::Shift(SymbolId lr_terminal) {
  for (;;) {
    const std::span<const LrAction> actions = table_->Actions(states_.back(), lr_terminal);
    if (actions.size() != 1) return actions.empty() ? Outcome::kRefused : Outcome::kForks;
    const LrAction action = actions[0];
    if (action.kind == LrAction::Kind::kShift) {
      states_.push_back(LrStateId{static_cast<uint16_t>(action.target)});
      return Outcome::kShifted;
    }
    const Rule& rule = grammar_->rules[action.target];
    const size_t left = states_.size() - rule.body.size();
    while (kept_ > left) popped_.push_back(states_[--kept_]);
    unchanged_ = std::min(unchanged_, left);
    states_.resize(left);
    states_.push_back(table_->Goto(states_.back(), rule.head));
  }
}

void ArrayStack::Undo() {
  states_.resize(kept_);
  states_.insert(states_.end(), popped_.rbegin(), popped_.rend());
  Mark();
}

void ArrayStack::Replace(size_t kept, std::span<const LrStateId> above) {
  states_.resize(kept);
  states_.insert(states_.end(), above.begin(), above.end());
  unchanged_ = states_.size();
}

}  // namespace tenon::constraint
