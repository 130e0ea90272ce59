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

}  // namespace

DecodeResult DecodeSyntax(const SyntaxDecoding& how, SyntaxMiddle middle, std::string healed,
                          std::span<const float> logits, const std::vector<std::string>& others) {
  const model::Tokenizer& tokenizer = how.tokenizer;
  const DecodeLimits& limits = how.limits;
  const std::stop_token& cancel = how.cancel;
  const DeadlineStop stop(limits.deadline, cancel);
  DecodeResult result;
  result.ended = Ended::kBudget;
  const bool in_column = middle.BeginsInColumn();
  const auto is_end = [&how](TokenId token) { return model::IsOneOf(token, how.end_tokens); };
  const auto may_come = [&](TokenId token) {
    // A model that ends the middle after an opening bracket ends its line.
    if (is_end(token) && EndsWithOpeningBracket(middle.written())) return false;
    const std::string_view bytes = tokenizer.Bytes(token);
    const size_t both = std::min(bytes.size(), healed.size());
    if (!healed.empty() &&
        (both == 0 || bytes.substr(0, both) != std::string_view(healed).substr(0, both)))
      return false;
    const std::string_view fresh = bytes.substr(both);
    if (!middle.MayWrite(fresh)) return false;
    if (!middle.written().empty() || bytes.size() < healed.size()) return true;
    if (in_column && BeginsWithBlank(fresh)) return false;
    return std::all_of(others.begin(), others.end(),
                       [&](const std::string& other) { return AreDistinct(fresh, other); });
  };
  while (result.tokens < limits.max_tokens) {
    const auto token = how.sampler.Draw(logits, may_come, cancel);
    if (cancel.stop_requested()) {
      result.cancelled = true;
      return result;
    }
    ++result.tokens;
    const double nats = token ? NatsOf(logits, *token, tokenizer, healed) : 0;
    if (token) result.nats.push_back({middle.written().size(), nats});
    if (!token || is_end(*token)) {
      result.ended = Ended::kStop;
      break;
    }
    std::string_view piece = tokenizer.Bytes(*token);
    const size_t written_before = std::min(piece.size(), healed.size());
    piece.remove_prefix(written_before);
    healed.erase(0, written_before);
    const bool goes_on = middle.Append(piece, stop.token());
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
