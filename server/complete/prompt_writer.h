// Writing on from a prompt alone: no right context, to the end of the text or of the budget.
//
// What the constraint knows stands left of it (SynCode's setting) or is a regular expression (Willard and Louf): a token is allowed
// where some text still makes a whole one of it, and the end where the text is whole. With `must_end` the text is whole within the
// budget, always (constraint/gap/budgeted_gap.h); without, a budget that is met leaves the beginning of a whole text.
//
// Source: Ugare et al., SynCode (2024); Willard and Louf, Efficient Guided Generation for Large Language Models (2023).
// Cost: one decode a token and a check for each drawn token. Thread rule: one thread at a time.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

#include "constraint/gap/gap_state.h"
#include "model/sampler.h"
#include "model/tokenizer.h"
#include "server/complete/completer.h"

namespace tenon::server {

struct Written {
  std::string text;
  bool whole = false;  // the constraint accepts the end behind it
  std::optional<uint32_t>
      infeasible_needs;          // with must_end: no whole text within the budget is known, but one of so many tokens
  Ended ended = Ended::kBudget;  // kStop: the model ended it, or nothing may follow
  int tokens = 0;                // drawn
  bool cancelled = false;
};

struct PromptLimits {
  int max_tokens = 64;
  bool must_end = false;
};

// `logits` are those after the prompt, `step` the next ones. REQUIRES: state.viable().
Written WriteOn(const constraint::GapState& state, const model::Tokenizer& tokenizer,
                const std::vector<model::TokenId>& end_tokens, model::Sampler& sampler, std::span<const float> logits,
                const std::function<std::optional<std::span<const float>>(model::TokenId)>& step,
                const PromptLimits& limits, std::stop_token cancel);

}  // namespace tenon::server
