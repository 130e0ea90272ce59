// The constraint as the sampler sees it: which tokens may come next in the middle of a gap.
//
// Generation begins a little left of the cursor, at the beginning of the word or blanks that the cursor stands in (token
// healing): the tokens of a partial word are not those that the model would have chosen for the whole one. What was backed up
// over is the *healed* text; the first tokens must reproduce it before anything new comes. An end token is allowed where the
// middle is a member and not blank.
//
// Source: https://towardsdatascience.com/the-art-of-prompt-design-prompt-boundaries-and-token-healing-3b2448b0be38 (the idea).
// Cost: a check costs what BudgetedGap::Check does. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "constraint/gap/budgeted_gap.h"
#include "model/sampler.h"
#include "model/tokenizer.h"
#include "server/complete/words.h"

namespace tenon::server {

// How many bytes at the end of `left` generation backs up over: a partial word with the blank before it, or blanks.
size_t HealedBytes(std::string_view left);

class GapFilter : public model::TokenFilter {
 public:
  // `needs_member`: the middle must join the right context where it ends, within the gap's budget. REQUIRES: tokenizer and end_tokens
  // outlive the filter.
  GapFilter(const model::Tokenizer& tokenizer, const std::vector<model::TokenId>& end_tokens,
            constraint::BudgetedGap gap, std::string healed, bool needs_member)
      : tokenizer_(&tokenizer),
        end_tokens_(&end_tokens),
        gap_(std::move(gap)),
        healed_(std::move(healed)),
        needs_member_(needs_member) {}

  bool Check(model::TokenId token) override;
  bool Accept(model::TokenId token) override;
  bool IsEnd(model::TokenId token) const;
  // May the middle end here?
  bool MayEnd() const { return healed_.empty() && !IsBlank(state().middle()) && (!needs_member_ || state().Member()); }

  // Does `token` write what stands right of the cursor anyway? `right_line`: the rest of the cursor's line.
  bool Repeats(model::TokenId token, std::string_view right_line) const;

  // Is the middle a member that may end behind `token`?
  bool Joins(model::TokenId token) const;

  // From now on a token is allowed only if the middle behind it can still be closed within `bytes` more than it has now. False: it
  // cannot even be closed as it is.
  bool Converge(size_t slack_bytes);
  bool converging() const { return most_bytes_.has_value(); }
  // The model would have ended the middle where it cannot end.
  bool end_refused() const { return end_refused_; }

  // The state after the bytes of `token` before its first line end; nothing where it has none, or where those bytes do not fit.
  std::optional<constraint::GapState> HeadBeforeLineEnd(model::TokenId token) const;
  // May the middle end at `state`, which lies inside a token?
  bool MayEndAt(const constraint::GapState& state) const {
    return !IsBlank(state.middle()) && (!needs_member_ || state.Member());
  }

  const constraint::BudgetedGap& gap() const { return gap_; }
  const constraint::GapState& state() const { return gap_.state(); }
  const std::string& healed() const { return healed_; }  // still to be reproduced

 private:
  // What `bytes` add to the middle once they have reproduced the healed text; nothing where they do not.
  std::optional<std::string_view> Fresh(std::string_view bytes) const;
  // Appends to the middle outside of the budget: for looking ahead.
  std::optional<constraint::GapState> Behind(std::string_view bytes) const;

  const model::Tokenizer* tokenizer_;
  const std::vector<model::TokenId>* end_tokens_;
  constraint::BudgetedGap gap_;
  std::string healed_;
  bool needs_member_;
  bool end_refused_ = false;
  std::optional<size_t> most_bytes_;  // the middle with its closing text; set once the middle has to come to its end
};

}  // namespace tenon::server
