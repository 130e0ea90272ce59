// Asks one server over HTTP/1.1, with or without TLS, and gives its answer piece by piece.
//
// Example: Ask({.path = "/completion", .body = "{…}"}) sends a POST and returns once the head of
// the answer has come. Then Read() gives the bytes of the body as they come, and nothing at its
// end. The connection of an answer that was read whole is kept for the next question
// (kept_connections.h). An exchange that is dropped closes its connection: so the server knows that
// nobody reads on. While an answer of another machine comes, a spare connection is made ready.
//
// The server is not trusted. Its head has at most HttpLimits::head_bytes, its body body_bytes, and
// it may say nothing for `silence` at most. With TLS its certificate must be vouched for by the
// system's authorities, or by those of a file that the user names, and must be for this host. A
// redirect is an answer like any other: nothing is ever sent to another host.
//
// At most kMaxInFlight exchanges are open at once; the next one waits for its turn.
//
// All waiting ends soon after `stop` is requested or the deadline passes.
//
// Source: RFC 9112; RFC 9110 section 15.4 (redirects); RFC 6125 (names in certificates);
// Boost.Beast and Boost.Asio. Cost: the caller's thread does the work; one more waits for the
// name's addresses, once, and one makes and closes connections that wait.
// Thread rule: Ask is called from any thread; an exchange belongs to one thread at a time, and ends
// before its client.
#pragma once

#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

#include "server/remote/http_terms.h"

namespace tenon::server {

class HttpExchange {
 public:
  virtual ~HttpExchange() = default;
  [[nodiscard]] virtual unsigned status() const = 0;
  // Empty where the answer has no such header.
  [[nodiscard]] virtual std::string header(std::string_view name) const = 0;
  // The next bytes of the body, at least one; nothing: it is over.
  [[nodiscard]] virtual tl::expected<std::optional<std::string>, HttpFault> Read() = 0;
  // The rest of the body is short, and of no interest: reads it for a moment, so that the
  // connection may be kept.
  virtual void Finish() = 0;
};

class HttpClient {
 public:
  static constexpr int kMaxInFlight = 2;

  // `ca_file`: PEM; empty: none. The error: the file cannot be used.
  [[nodiscard]] static tl::expected<std::unique_ptr<HttpClient>, std::string> Make(
      HttpUrl url, const std::string& ca_file, HttpLimits limits = {});
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  [[nodiscard]] tl::expected<std::unique_ptr<HttpExchange>, HttpFault> Ask(
      const HttpQuestion& question, const Deadline& deadline, const std::stop_token& stop);
  [[nodiscard]] const HttpUrl& url() const;

 private:
  struct Parts;
  explicit HttpClient(std::unique_ptr<Parts> parts);
  std::unique_ptr<Parts> parts_;
};

}  // namespace tenon::server
