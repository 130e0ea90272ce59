#include "constraint/closing/budgeted_gap.h"

#include <cassert>
#include <utility>

namespace tenon::constraint {

namespace {

constexpr uint32_t kMarginTokens = 4;

}  // namespace

BudgetedGap::BudgetedGap(GapState state, uint32_t budget, const std::stop_token& stop)
    : state_(std::move(state)), closer_(std::make_shared<Closer>(state_, stop)), budget_(budget) {
  if (budget_ == kUnlimitedTokens) return;
  auto closing = closer_->Find(state_, budget_);
  if (closing && closing->tokens != kNoTokens) Keep({state_, 0, std::move(*closing)});
}

void BudgetedGap::Keep(Witness witness) {
  if (!cheapest_ || witness.tokens() <= cheapest_->tokens()) cheapest_ = witness;
  newest_ = std::move(witness);
}

std::optional<uint32_t> BudgetedGap::needs() const {
  if (!cheapest_) return std::nullopt;
  return cheapest_->tokens();
}

bool BudgetedGap::feasible() const {
  if (budget_ == kUnlimitedTokens) return state_.viable();
  auto needed = needs();
  return needed && *needed <= budget_;
}

std::optional<BudgetedGap::Step> BudgetedGap::Try(std::string_view bytes, uint32_t tokens) {
  Step step{state_, std::nullopt};
  if (!bytes.empty() && !step.state.Accept(bytes)) return std::nullopt;
  if (budget_ == kUnlimitedTokens) return step;
  if (left() < tokens || !feasible()) return std::nullopt;
  uint32_t after = left() - tokens;
  if (newest_ && newest_->drawn == drawn_ && newest_->closing.text.starts_with(bytes)) {
    Closing rest{newest_->closing.text.substr(bytes.size()), 0};
    rest.tokens = state_.CountTokens(rest.text);
    if (rest.tokens <= after) {
      step.closing = std::move(rest);
      return step;
    }
  }
  if (lost_tries_ >= kMaxLostTries) return std::nullopt;
  const auto bytes_to_close = closer_->Cost(step.state);
  const bool far = bytes_to_close && 2 * *bytes_to_close + kMarginTokens <= after;
  if (far && !state_.scoped()) return step;
  if (bytes_to_close) step.closing = closer_->Find(step.state, after);
  if (step.closing && step.closing->tokens <= after) return step;
  ++lost_tries_;
  return std::nullopt;
}

bool BudgetedGap::Check(std::string_view bytes) {
  tried_bytes_ = bytes;
  tried_ = Try(bytes, 1);
  return tried_.has_value();
}

bool BudgetedGap::Accept(std::string_view bytes, uint32_t tokens) {
  assert(tokens > 0 &&
         "whatever is drawn takes of the budget: two states with equal `drawn` are one");
  if (tokens > 1) {
    tried_ = Try(bytes, tokens);
  } else if (!tried_ || tried_bytes_ != bytes) {
    Check(bytes);
  }
  if (!tried_) return false;
  Step step = *std::exchange(tried_, std::nullopt);
  lost_tries_ = 0;
  state_ = std::move(step.state);
  drawn_ += tokens;
  if (step.closing) {
    Keep({state_, drawn_, std::move(*step.closing)});
  } else if (newest_ && drawn_ - newest_->drawn >= kRefreshTokens) {
    Refresh();
  }
  return true;
}

bool BudgetedGap::Refresh() {
  if (drawn_ > budget_) return false;
  auto closing = closer_->Find(state_, left());
  if (!closing || closing->tokens > left()) return false;
  Keep({state_, drawn_, std::move(*closing)});
  return true;
}

bool BudgetedGap::SetBudget(uint32_t budget) {
  budget_ = budget;
  tried_.reset();
  lost_tries_ = 0;
  if (budget_ == kUnlimitedTokens || (newest_ && newest_->tokens() <= budget_)) return true;
  if (Refresh()) return true;
  newest_ = cheapest_;
  return feasible();
}

BudgetedGap::Finished BudgetedGap::Finish() const {
  if (drawn_ <= budget_ && state_.Member()) return {state_.middle(), drawn_, 0, false};
  if (budget_ == kUnlimitedTokens) return {state_.middle(), drawn_, 0, false};
  assert(feasible() && newest_ && "a gap is finished within a budget that its witness fits");
  if (newest_->drawn != drawn_ && drawn_ <= budget_) {
    auto closing = closer_->Find(state_, left());
    if (closing && closing->tokens <= left())
      return {state_.middle() + closing->text, drawn_ + closing->tokens, 0, true};
  }
  return {newest_->state.middle() + newest_->closing.text, newest_->tokens(),
          drawn_ - newest_->drawn, true};
}

}  // namespace tenon::constraint
