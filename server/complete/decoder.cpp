#include "server/complete/decoder.h"

namespace tenon::server {

namespace {

// Ends the middle at a state's closing text: the newest state first.
DecodeResult CloseAtNewest(const std::vector<GapFilter>& passed, const TokenCount& count, int max_tokens) {
  for (size_t i = passed.size(); i-- > 0;) {
    if (!passed[i].healed().empty() && i > 0) continue;  // inside the healed text the middle is still empty
    auto closing = passed[i].state().Close();
    if (!closing) continue;
    std::string middle = passed[i].state().middle() + closing->text;
    if (i > 0 && count(middle) > max_tokens) continue;
    return {std::move(middle), Ended::kWitness, static_cast<int>(i), true, false};
  }
  return {};
}

}  // namespace

DecodeResult Decode(GapFilter filter, model::Sampler& sampler, std::span<const float> logits, const DecodeStep& step,
                    const TokenCount& count, int max_tokens, bool needs_member, std::stop_token cancel) {
  std::vector<GapFilter> passed{filter};  // [i]: after i tokens
  while (static_cast<int>(passed.size()) <= max_tokens) {
    auto token = sampler.Draw(logits, filter, cancel);
    if (cancel.stop_requested()) return {{}, Ended::kStop, static_cast<int>(passed.size()) - 1, false, true};
    if (!token) break;  // every token is refused
    int drawn = static_cast<int>(passed.size());
    if (filter.IsEnd(*token)) return {filter.state().middle(), Ended::kStop, drawn, true, false};
    // A new line begins inside the token: does the middle end before it?
    if (auto head = filter.HeadBeforeLineEnd(*token); head && head->MayEnd())
      return {head->state().middle(), Ended::kStop, drawn, true, false};
    filter.Accept(*token);
    passed.push_back(filter);
    auto next = step(*token);
    if (!next) break;
    logits = *next;
  }
  if (!needs_member) return {filter.state().middle(), Ended::kBudget, static_cast<int>(passed.size()) - 1, true, false};
  if (filter.MayEnd())
    return {filter.state().middle(), Ended::kBudget, static_cast<int>(passed.size()) - 1, true, false};
  return CloseAtNewest(passed, count, max_tokens);
}

}  // namespace tenon::server
