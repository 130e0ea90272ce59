#include "server/complete/decoder.h"

#include <utility>

#include "constraint/gap/forced.h"

namespace tenon::server {

namespace {

constexpr int kJoiningTokens = 64;

// One middle in the making.
class Decoder {
 public:
  Decoder(GapFilter filter, model::Sampler& sampler, const DecodeStep& step, const DecodeLimits& limits,
          std::stop_token cancel)
      : filter_(std::move(filter)), sampler_(sampler), step_(step), limits_(limits), cancel_(std::move(cancel)) {}

  DecodeResult Run(std::span<const float> logits) {
    while (drawn() < static_cast<uint32_t>(limits_.max_tokens)) {
      if (auto ended = Step(logits)) return *std::move(ended);
      if (exhausted_) break;
    }
    if (filter_.gap().budget() == constraint::kUnlimitedTokens || filter_.MayEnd())
      return Result(filter_.state(), Ended::kBudget, drawn());
    if (!filter_.gap().feasible()) return Nothing();
    constraint::BudgetedGap::Finished end = filter_.gap().Finish();
    return {std::move(end.middle), Ended::kWitness, static_cast<int>(drawn() - end.dropped), true, true, false,
            Statistics()};
  }

 private:
  uint32_t drawn() const { return filter_.gap().drawn(); }

  DecodeStatistics Statistics() const { return {static_cast<int>(drawn()), filter_.refused(), filter_.masks()}; }

  DecodeResult Result(const constraint::GapState& at, Ended ended, uint32_t tokens) const {
    return {at.middle(), ended, static_cast<int>(tokens), true, at.Member(), false, Statistics()};
  }

  DecodeResult Nothing() const { return {{}, Ended::kStop, 0, false, false, false, Statistics()}; }

  // One more token; the result where the middle ends before or behind it. Sets exhausted_ where none comes.
  std::optional<DecodeResult> Step(std::span<const float>& logits) {
    if (filter_.MayEnd() && constraint::LiveBytes(filter_.state(), 1).empty())
      return Result(filter_.state(), Ended::kStop, drawn());
    if (filter_.converging()) {
      auto joining = DrawJoining(logits);
      if (joining && filter_.Accept(*joining)) return Result(filter_.state(), Ended::kStop, drawn());
    }
    auto token = sampler_.Draw(logits, filter_, cancel_);
    if (cancel_.stop_requested()) {
      DecodeResult cancelled = Nothing();
      cancelled.cancelled = true;
      return cancelled;
    }
    exhausted_ = true;
    if (!token) return std::nullopt;  // every token is refused
    if (filter_.IsEnd(*token)) return Result(filter_.state(), Ended::kStop, drawn() + 1);
    if (auto head = filter_.HeadBeforeRight(*token)) return Result(*head, Ended::kStop, drawn() + 1);
    // A new line begins inside the token: does the middle end before it?
    bool line_end = false;
    if (filter_.goal() != Goal::kText) {
      if (auto head = filter_.HeadBeforeLineEnd(*token)) {
        if (filter_.MayEndAt(*head)) return Result(*head, Ended::kStop, drawn() + 1);
        line_end = !IsBlank(head->middle());
      }
    }
    if (!filter_.Accept(*token)) return std::nullopt;
    if (!ConvergeWhereDue(line_end)) return std::nullopt;
    auto next = step_(*token);
    if (!next) return std::nullopt;
    logits = *next;
    exhausted_ = false;
    return std::nullopt;
  }

  bool ConvergeWhereDue(bool line_end) {
    if (filter_.goal() != Goal::kJoin || filter_.converging()) return true;
    bool far = drawn() >= static_cast<uint32_t>(limits_.free_tokens) || filter_.end_refused();
    if (!far && (!line_end || filter_.right_line().empty())) return true;
    return filter_.Converge(limits_.slack_bytes);
  }

  // The likeliest of the next tokens behind which the middle joins the right context; nothing where none of the first few does.
  std::optional<model::TokenId> DrawJoining(std::span<const float> logits) {
    std::stop_source enough;
    int tried = 0;
    auto joins = [&](model::TokenId token) {
      if (++tried > kJoiningTokens) enough.request_stop();
      return tried <= kJoiningTokens && filter_.Joins(token);
    };
    return sampler_.Draw(logits, joins, enough.get_token());
  }

  GapFilter filter_;
  model::Sampler& sampler_;
  const DecodeStep& step_;
  const DecodeLimits& limits_;
  std::stop_token cancel_;
  bool exhausted_ = false;  // no token comes any more
};

}  // namespace

DecodeResult Decode(GapFilter filter, model::Sampler& sampler, std::span<const float> logits, const DecodeStep& step,
                    const DecodeLimits& limits, std::stop_token cancel) {
  return Decoder(std::move(filter), sampler, step, limits, std::move(cancel)).Run(logits);
}

}  // namespace tenon::server
