#include "server/decode/syntax_decoder.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "server/decode/likelihood.h"
#include "server/request/blocks.h"
#include "server/request/deadline_stop.h"
#include "server/request/visible_text.h"

namespace tenon::server {
namespace {

// What is kept of a request's time for the parses after the last token.
constexpr std::chrono::milliseconds kClosingTime{15};

bool IsNearlyOver(const Deadline& deadline) {
  const auto left = deadline.left();
  return left && *left < kClosingTime;
}

// Which tokens may come next in a middle without a grammar, and the text that they write anew.
class TokenRules {
 public:
  // REQUIRES: all live longer.
  TokenRules(const SyntaxDecoding& how, const SyntaxMiddle& middle, std::string healed,
             const std::vector<std::string>& others)
      : how_(how),
        middle_(middle),
        healed_(std::move(healed)),
        others_(others),
        begins_in_column_(middle.BeginsInColumn()) {}

  [[nodiscard]] const std::string& healed() const { return healed_; }
  [[nodiscard]] bool IsEnd(TokenId token) const { return model::IsOneOf(token, how_.end_tokens); }
  [[nodiscard]] bool MayCome(TokenId token) const {
    // A model that ends the middle after an opening bracket ends its line.
    if (IsEnd(token) && EndsWithOpeningBracket(middle_.written())) return false;
    const std::string_view bytes = how_.tokenizer.Bytes(token);
    const size_t both = std::min(bytes.size(), healed_.size());
    if (!healed_.empty() && (both == 0 || healed_.compare(0, both, bytes, 0, both) != 0))
      return false;
    const std::string_view fresh = bytes.substr(both);
    if (!middle_.MayWrite(fresh)) return false;
    return !middle_.written().empty() || bytes.size() < healed_.size() || MayBegin(fresh);
  }
  // The bytes of the token after those that it writes anew.
  [[nodiscard]] std::string_view Take(TokenId token) {
    std::string_view bytes = how_.tokenizer.Bytes(token);
    const size_t both = std::min(bytes.size(), healed_.size());
    healed_.erase(0, both);
    return bytes.substr(both);
  }

 private:
  // May the middle begin with these bytes?
  [[nodiscard]] bool MayBegin(std::string_view fresh) const {
    if (begins_in_column_ && BeginsWithBlank(fresh)) return false;
    return IsDistinctFromAll(fresh, others_);
  }

  const SyntaxDecoding& how_;
  const SyntaxMiddle& middle_;
  std::string healed_;  // still to be written anew
  const std::vector<std::string>& others_;
  bool begins_in_column_;
};

}  // namespace

DecodeResult DecodeSyntax(const SyntaxDecoding& how, SyntaxMiddle middle, std::string healed,
                          std::span<const float> logits, const std::vector<std::string>& others) {
  const DecodeLimits& limits = how.limits;
  const DeadlineStop stop(limits.deadline, how.cancel);
  TokenRules rules(how, middle, std::move(healed), others);
  DecodeResult result;
  result.ended = Ended::kBudget;
  while (result.tokens < limits.max_tokens) {
    const auto token = how.sampler.Draw(
        logits, [&rules](TokenId next) { return rules.MayCome(next); }, how.cancel);
    if (how.cancel.stop_requested()) {
      result.cancelled = true;
      return result;
    }
    ++result.tokens;
    if (token) {
      const double nats = NatsOf(logits, *token, how.tokenizer, rules.healed());
      result.nats.push_back({middle.written().size(), nats});
    }
    if (!token || rules.IsEnd(*token)) {
      result.ended = Ended::kStop;
      break;
    }
    const bool goes_on = middle.Append(rules.Take(*token), stop.token());
    result.nats.back().end_bytes = middle.written().size();
    if (!goes_on) {
      result.ended = Ended::kStop;
      break;
    }
    if (limits.on_middle) limits.on_middle(middle.written());
    if (IsNearlyOver(limits.deadline)) {
      result.ended = Ended::kTime;
      break;
    }
    const DecodeText::Logits next = how.text.Append(*token);
    if (!next) break;
    logits = *next;
  }
  auto fitting = middle.End(result.ended == Ended::kStop, stop.token());
  if (!fitting) return result;
  TakeFitting(*std::move(fitting), middle.written(), result);
  return result;
}

void TakeFitting(FittingMiddle fitting, const std::string& written, DecodeResult& result) {
  const auto kept =
      std::mismatch(fitting.text.begin(), fitting.text.end(), written.begin(), written.end())
          .first -
      fitting.text.begin();
  result.nats = NatsWithin(result.nats, static_cast<size_t>(kept));
  result.middle = std::move(fitting.text);
  result.closed = true;
  if (fitting.completed && result.ended != Ended::kTime) result.ended = Ended::kWitness;
}

Candidates DecodeSyntaxCandidates(const SyntaxDecoding& how, const SyntaxMiddle& middle,
                                  const std::string& healed, std::span<const float> logits,
                                  const CandidateLimits& candidates) {
  Candidates found =
      JudgeFirst(DecodeSyntax(how, middle.Fresh(), healed, logits), candidates.judge);
  if (found.first.cancelled) return found;
  std::vector<std::string> seen = {found.first.middle};
  std::vector<Candidate> others;
  for (size_t tries = candidates.count + candidates.already_offered; tries > 0; --tries) {
    if (found.wanted.size() + others.size() >= candidates.count || !found.first.closed) break;
    if (how.limits.deadline.passed() || how.cancel.stop_requested()) break;
    const DecodeText::Logits again = how.text.Rewrite(0, {});
    if (!again) break;
    DecodeResult result = DecodeSyntax(how, middle.Fresh(), healed, *again, seen);
    if (!result.closed || result.ended == Ended::kTime) break;
    seen.push_back(result.middle);
    if (auto item = candidates.judge.Judge(result))
      others.push_back({std::move(result), *std::move(item)});
  }
  AddRanked(std::move(others), found);
  return found;
}

}  // namespace tenon::server
