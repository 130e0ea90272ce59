#include "server/remote/free_stream.h"

#include <functional>
#include <string>
#include <utility>

#include "server/decode/middle_end.h"
#include "server/decode/syntax_decoder.h"
#include "server/request/lines.h"

namespace tenon::server {

namespace {

// Reads pieces until `take` says that the middle ends, the server ends it, or tokens or time do.
// The error: the server fails, or the request was cancelled.
tl::expected<void, StreamFault> Read(TextSource& source, const DecodeLimits& limits,
                                     const std::function<bool(const ShownText&)>& take,
                                     DecodeResult& result) {
  result.ended = Ended::kBudget;
  result.statistics.requests = 1;
  const auto late_or = [&result](StreamFault fault) -> tl::expected<void, StreamFault> {
    if (fault.kind != StreamFault::Kind::kLate) return tl::unexpected(std::move(fault));
    result.ended = Ended::kTime;
    return {};
  };
  auto stream = source.Open("", limits.max_tokens, Opening());
  if (!stream) return late_or(std::move(stream.error()));
  while (result.tokens < limits.max_tokens) {
    auto piece = (*stream)->Next();
    if (!piece) return late_or(std::move(piece.error()));
    if (!*piece) return {};
    result.statistics.drawn = ++result.tokens;
    if ((*piece)->text.ends || !take((*piece)->text)) {
      result.ended = Ended::kStop;
      return {};
    }
    if (limits.deadline.passed()) {
      result.ended = Ended::kTime;
      return {};
    }
  }
  return {};
}

// The result of a request that nobody wants any more, or the fault.
tl::expected<DecodeResult, StreamFault> Failed(StreamFault fault) {
  if (fault.kind != StreamFault::Kind::kCancelled) return tl::unexpected(std::move(fault));
  DecodeResult cancelled;
  cancelled.cancelled = true;
  return cancelled;
}

}  // namespace

tl::expected<DecodeResult, StreamFault> StreamSyntax(SyntaxMiddle middle, TextSource& source,
                                                     const DecodeLimits& limits,
                                                     const std::stop_token& cancel) {
  DecodeResult result;
  const auto take = [&](const ShownText& shown) {
    const bool goes_on = middle.Append(shown.bytes, cancel);
    if (shown.nats) result.nats.push_back({middle.written().size(), *shown.nats});
    if (goes_on && limits.on_middle) limits.on_middle(middle.written());
    return goes_on;
  };
  if (auto read = Read(source, limits, take, result); !read) return Failed(std::move(read.error()));
  auto fitting = middle.End(result.ended == Ended::kStop, cancel);
  if (!fitting) return result;
  TakeFitting(*std::move(fitting), middle.written(), result);
  return result;
}

tl::expected<DecodeResult, StreamFault> StreamLine(TextSource& source, const DecodeLimits& limits) {
  DecodeResult result;
  result.closed = true;
  const auto take = [&](const ShownText& shown) {
    result.middle += shown.bytes;
    const size_t line = EndOfFirstLine(result.middle);
    if (line != std::string::npos) result.middle.resize(line);
    if (shown.nats) result.nats.push_back({result.middle.size(), *shown.nats});
    if (line == std::string::npos && limits.on_middle) limits.on_middle(result.middle);
    return line == std::string::npos;
  };
  if (auto read = Read(source, limits, take, result); !read) return Failed(std::move(read.error()));
  if (result.ended == Ended::kTime) CutWordAtEnd(result);
  return result;
}

}  // namespace tenon::server
