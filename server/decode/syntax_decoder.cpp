#include "server/decode/syntax_decoder.h"

#include <algorithm>
#include <chrono>
#include <string_view>
#include <utility>

#include "server/request/deadline_stop.h"

namespace tenon::server {
namespace {

// What is kept of a request's time for the parses after the last token.
constexpr std::chrono::milliseconds kClosingTime{15};

bool IsNearlyOver(const Deadline& deadline) {
  const auto left = deadline.left();
  return left && *left < kClosingTime;
}

}  // namespace

DecodeResult DecodeSyntax(const model::Tokenizer& tokenizer, const std::vector<TokenId>& end_tokens,
                          model::Sampler& sampler, SyntaxMiddle middle, std::string healed,
                          std::span<const float> logits, DecodeText& text,
                          const DecodeLimits& limits, const std::stop_token& cancel) {
  const DeadlineStop stop(limits.deadline, cancel);
  DecodeResult result;
  result.ended = Ended::kBudget;
  const auto writes_healed = [&](TokenId token) {
    if (healed.empty()) return true;
    const std::string_view bytes = tokenizer.Bytes(token);
    const size_t both = std::min(bytes.size(), healed.size());
    return both > 0 && bytes.substr(0, both) == std::string_view(healed).substr(0, both);
  };
  while (result.tokens < limits.max_tokens) {
    const auto token = sampler.Draw(logits, writes_healed, cancel);
    if (cancel.stop_requested()) {
      result.cancelled = true;
      return result;
    }
    ++result.tokens;
    if (!token || std::find(end_tokens.begin(), end_tokens.end(), *token) != end_tokens.end()) {
      result.ended = Ended::kStop;
      break;
    }
    std::string_view piece = tokenizer.Bytes(*token);
    const size_t written_before = std::min(piece.size(), healed.size());
    piece.remove_prefix(written_before);
    healed.erase(0, written_before);
    if (!middle.Append(piece, stop.token())) {
      result.ended = Ended::kStop;
      break;
    }
    if (limits.on_middle) limits.on_middle(middle.written());
    if (IsNearlyOver(limits.deadline)) {
      result.ended = Ended::kTime;
      break;
    }
    const DecodeText::Logits next = text.Append(*token);
    if (!next) break;
    logits = *next;
  }
  auto fitting = middle.End(result.ended == Ended::kStop, stop.token());
  if (!fitting) return result;
  result.middle = std::move(fitting->text);
  result.closed = true;
  if (fitting->completed && result.ended != Ended::kTime) result.ended = Ended::kWitness;
  return result;
}

}  // namespace tenon::server
