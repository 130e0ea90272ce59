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
                    const TokenCount& count, const DecodeLimits& limits, std::stop_token cancel) {
  std::vector<GapFilter> passed{filter};  // [i]: after i tokens
  auto result = [&passed](const GapFilter& at, Ended ended, size_t tokens) {
    return DecodeResult{at.state().middle(), ended, static_cast<int>(tokens), true, false};
  };
  while (passed.size() <= static_cast<size_t>(limits.max_tokens)) {
    if (filter.converging()) {
      if (auto joining = DrawJoining(filter, sampler, logits)) {
        filter.Accept(*joining);
        return result(filter, Ended::kStop, passed.size());
      }
    }
    auto token = sampler.Draw(logits, filter, cancel);
    if (cancel.stop_requested()) return {{}, Ended::kStop, static_cast<int>(passed.size()) - 1, false, true};
    if (!token) break;  // every token is refused
    if (filter.IsEnd(*token)) return result(filter, Ended::kStop, passed.size());
    if (filter.Repeats(*token, limits.right_line) && filter.MayEnd())
      return result(filter, Ended::kStop, passed.size());
    // A new line begins inside the token: does the middle end before it?
    bool line_end = false;
    if (auto head = filter.HeadBeforeLineEnd(*token)) {
      if (head->MayEnd()) return result(*head, Ended::kStop, passed.size());
      line_end = !IsBlank(head->state().middle());
    }
    filter.Accept(*token);
    passed.push_back(filter);
    bool far = passed.size() > static_cast<size_t>(limits.free_tokens) || filter.end_refused();
    if (limits.needs_member && !filter.converging() && (far || (line_end && !IsBlank(limits.right_line)))) {
      if (!filter.Converge(limits.slack_bytes)) break;
    }
    auto next = step(*token);
    if (!next) break;
    logits = *next;
  }
  if (!limits.needs_member || filter.MayEnd()) return result(filter, Ended::kBudget, passed.size() - 1);
  return CloseAtNewest(passed, count, limits.max_tokens);
}

}  // namespace tenon::server
