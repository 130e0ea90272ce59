#include "server/complete/decoder.h"

namespace tenon::server {

namespace {

constexpr int kJoiningTokens = 64;

// The likeliest of the next tokens behind which the middle joins the right context; nothing where none of the first few does.
std::optional<model::TokenId> DrawJoining(const GapFilter& filter, model::Sampler& sampler,
                                          std::span<const float> logits) {
  std::stop_source enough;
  int tried = 0;
  auto joins = [&](model::TokenId token) {
    if (++tried > kJoiningTokens) enough.request_stop();
    return tried <= kJoiningTokens && filter.Joins(token);
  };
  return sampler.Draw(logits, joins, enough.get_token());
}

}  // namespace

DecodeResult Decode(GapFilter filter, model::Sampler& sampler, std::span<const float> logits, const DecodeStep& step,
                    const DecodeLimits& limits, std::stop_token cancel) {
  auto drawn = [&filter] { return filter.gap().drawn(); };
  auto result = [](const constraint::GapState& at, Ended ended, uint32_t tokens) {
    return DecodeResult{at.middle(), ended, static_cast<int>(tokens), true, false};
  };
  while (drawn() < static_cast<uint32_t>(limits.max_tokens)) {
    if (filter.converging()) {
      auto joining = DrawJoining(filter, sampler, logits);
      if (joining && filter.Accept(*joining)) return result(filter.state(), Ended::kStop, drawn());
    }
    auto token = sampler.Draw(logits, filter, cancel);
    if (cancel.stop_requested()) return {{}, Ended::kStop, static_cast<int>(drawn()), false, true};
    if (!token) break;  // every token is refused
    if (filter.IsEnd(*token)) return result(filter.state(), Ended::kStop, drawn() + 1);
    if (filter.Repeats(*token, limits.right_line) && filter.MayEnd())
      return result(filter.state(), Ended::kStop, drawn() + 1);
    // A new line begins inside the token: does the middle end before it?
    bool line_end = false;
    if (auto head = filter.HeadBeforeLineEnd(*token)) {
      if (filter.MayEndAt(*head)) return result(*head, Ended::kStop, drawn() + 1);
      line_end = !IsBlank(head->middle());
    }
    if (!filter.Accept(*token)) break;
    bool far = drawn() >= static_cast<uint32_t>(limits.free_tokens) || filter.end_refused();
    if (limits.needs_member && !filter.converging() && (far || (line_end && !IsBlank(limits.right_line)))) {
      if (!filter.Converge(limits.slack_bytes)) break;
    }
    auto next = step(*token);
    if (!next) break;
    logits = *next;
  }
  if (!limits.needs_member || filter.MayEnd()) return result(filter.state(), Ended::kBudget, drawn());
  if (!filter.gap().feasible()) return {};
  constraint::BudgetedGap::Finished end = filter.gap().Finish();
  return {std::move(end.middle), Ended::kWitness, static_cast<int>(drawn() - end.dropped), true, false};
}

}  // namespace tenon::server
