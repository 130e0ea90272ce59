#include "tenon/budget.h"

#include <utility>

#include "constraint/closing/closing.h"
#include "constraint/library/internals.h"

namespace tenon {

struct Budget::State {
  constraint::BudgetedGap budgeted;
  Gap gap;  // with the state of `budgeted`
};

Budget::Budget(const Gap& gap, uint32_t tokens, const std::stop_token& stop)
    : state_(std::make_unique<State>(
          State{constraint::BudgetedGap(Internals::Of(gap), tokens, stop), gap})) {}
Budget::Budget(const Budget& other) : state_(std::make_unique<State>(*other.state_)) {}
Budget& Budget::operator=(const Budget& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Budget::Budget(Budget&&) noexcept = default;
Budget& Budget::operator=(Budget&&) noexcept = default;
Budget::~Budget() = default;

bool Budget::feasible() const { return state_->budgeted.feasible(); }

std::optional<uint32_t> Budget::needs() const { return state_->budgeted.needs(); }

uint32_t Budget::tokens() const { return state_->budgeted.budget(); }

uint32_t Budget::drawn() const { return state_->budgeted.drawn(); }

uint32_t Budget::left() const { return state_->budgeted.left(); }

const Gap& Budget::gap() const { return state_->gap; }

bool Budget::Check(std::string_view bytes) { return state_->budgeted.Check(bytes); }

bool Budget::Accept(std::string_view bytes, uint32_t tokens) {
  if (!state_->budgeted.Accept(bytes, tokens)) return false;
  state_->gap = Internals::With(state_->gap, state_->budgeted.state());
  return true;
}

bool Budget::Change(uint32_t tokens) { return state_->budgeted.SetBudget(tokens); }

std::optional<uint32_t> Budget::ClosingBytes(const Gap& ahead) const {
  return state_->budgeted.closer().Cost(Internals::Of(ahead));
}

Budget::Finished Budget::Finish() const {
  constraint::BudgetedGap::Finished end = state_->budgeted.Finish();
  const constraint::GapState& opened = Internals::OpenedOf(state_->gap);
  if (tokens() != kUnlimitedTokens && !constraint::ClosesInContext(opened, opened, end.middle)) {
    auto closing = constraint::FindClosing(opened);
    if (closing && closing->tokens <= tokens())
      return {std::move(closing->text), closing->tokens, drawn(), true};
  }
  return {std::move(end.middle), end.tokens, end.dropped, end.closed};
}

}  // namespace tenon
