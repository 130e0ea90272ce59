#include "server/complete/prompt_writer.h"

#include <algorithm>
#include <utility>

#include "constraint/gap/budgeted_gap.h"

namespace tenon::server {

namespace {

class PromptFilter : public model::TokenFilter {
 public:
  PromptFilter(constraint::BudgetedGap& gap, const model::Tokenizer& tokenizer,
               const std::vector<model::TokenId>& end_tokens)
      : gap_(gap), tokenizer_(tokenizer), end_tokens_(end_tokens) {}

  bool IsEnd(model::TokenId token) const {
    return std::find(end_tokens_.begin(), end_tokens_.end(), token) != end_tokens_.end();
  }
  bool Check(model::TokenId token) override {
    if (IsEnd(token)) return gap_.state().Member();
    const std::string_view bytes = tokenizer_.Bytes(token);
    return !bytes.empty() && gap_.Check(bytes);
  }
  bool Accept(model::TokenId token) override { return gap_.Accept(tokenizer_.Bytes(token)); }

 private:
  constraint::BudgetedGap& gap_;
  const model::Tokenizer& tokenizer_;
  const std::vector<model::TokenId>& end_tokens_;
};

// No byte may follow: asking every token of the vocabulary would say the same.
bool NothingFollows(const constraint::GapState& state) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    if (state.Check(std::string_view(&c, 1))) return false;
  }
  return true;
}

}  // namespace

Written WriteOn(const constraint::GapState& state, const model::Tokenizer& tokenizer,
                const std::vector<model::TokenId>& end_tokens, model::Sampler& sampler, std::span<const float> logits,
                const std::function<std::optional<std::span<const float>>(model::TokenId)>& step,
                const PromptLimits& limits, std::stop_token cancel) {
  Written written;
  constraint::BudgetedGap gap(
      state, limits.must_end ? static_cast<uint32_t>(limits.max_tokens) : constraint::kUnlimitedTokens);
  if (limits.must_end && !gap.feasible()) {
    written.infeasible_needs = gap.needs();
    return written;
  }
  PromptFilter filter(gap, tokenizer, end_tokens);
  while (written.tokens < limits.max_tokens) {
    if (gap.state().Member() && NothingFollows(gap.state())) {
      written.ended = Ended::kStop;
      break;
    }
    const auto token = sampler.Draw(logits, filter, cancel);
    if (cancel.stop_requested()) {
      written.cancelled = true;
      return written;
    }
    if (!token) break;
    if (filter.IsEnd(*token)) {
      written.ended = Ended::kStop;
      break;
    }
    filter.Accept(*token);
    ++written.tokens;
    const auto next = step(*token);
    if (!next) break;
    logits = *next;
  }
  written.text = gap.state().middle();
  written.whole = gap.state().Member();
  if (limits.must_end && !written.whole) {
    written.text = gap.Finish().middle;
    written.whole = true;
    written.ended = Ended::kWitness;
  }
  return written;
}

}  // namespace tenon::server
