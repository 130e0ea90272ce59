// A question to a server over HTTP, and the terms on which it is asked: how much may come, how long
// it may take, what can go wrong.
//
// Example: with the limits below a server that accepts a connection, and then is silent, is given
// up after 30 s: {kPassing, "gpu.local:8080: it says nothing for 30000 ms; ..."}. Where the
// request's own time ends before, the fault is kLate.
//
// Thread rule: plain values; the clock of the deadline and the stop token may be used anywhere.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "server/remote/http_url.h"
#include "server/request/deadline.h"

namespace tenon::server {

struct HttpLimits {
  std::chrono::milliseconds connect{5'000};
  std::chrono::milliseconds silence{30'000};
  // For the rest of an answer whose end is known (HttpExchange::Finish).
  std::chrono::milliseconds finish{20};
  size_t head_bytes = size_t{16} << 10;
  size_t body_bytes = size_t{16} << 20;
};

struct HttpFault {
  enum class Kind : uint8_t {
    kCancelled,
    kLate,
    kPassing,  // the server is away, or was cut off: it may be there again soon
    kLasting,  // it will be the same again
  };
  Kind kind = Kind::kLasting;
  std::string message;  // names the server, the fault and the remedy
};

struct HttpQuestion {
  std::string method = "POST";
  std::string path = {};  // below that of the URL
  std::vector<std::pair<std::string, std::string>> headers = {};
  std::string body = {};
};

// Of one exchange, or of making one connection. REQUIRES: url and limits live longer.
struct HttpTerms {
  const HttpUrl& url;
  const HttpLimits& limits;
  Deadline deadline;
  std::stop_token stop;

  [[nodiscard]] HttpFault Fault(HttpFault::Kind kind, std::string_view what) const {
    return {kind, url.authority() + ": " + std::string(what)};
  }
  // Cancelled or late, where it is so.
  [[nodiscard]] std::optional<HttpFault> Over() const {
    if (stop.stop_requested()) return Fault(HttpFault::Kind::kCancelled, "cancelled");
    if (deadline.passed())
      return Fault(HttpFault::Kind::kLate, "the request's time ended while the server worked");
    return std::nullopt;
  }
  // The end of a wait of `most`, or the deadline.
  [[nodiscard]] std::chrono::steady_clock::time_point Until(std::chrono::milliseconds most) const {
    const std::chrono::nanoseconds longest = most;
    return std::chrono::steady_clock::now() + std::min(deadline.left().value_or(longest), longest);
  }
};

}  // namespace tenon::server
