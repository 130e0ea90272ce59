// A connection to a server, with or without TLS, over which one exchange after another goes.
//
// Example: Open connects, Send asks and reads the head of the answer, Read gives the body piece by
// piece. Once the body is over, and the server keeps the connection too, `reusable` is true and
// Send may be called again. In every other case the connection is closed with this object, and so
// the server knows that nobody reads on.
//
// A server may close a kept connection at any moment. `seems_idle` finds most of those that are
// closed; where the server closes it while a question is on its way, Send fails and `lost` is true:
// no byte of an answer has come, and the question may be sent again over another connection.
//
// All waiting ends soon after the terms' stop is requested or their deadline passes.
//
// Source: RFC 9112 section 9.3 (persistence); RFC 6125 (names in certificates); RFC 6066 section 3
// (the server's name in TLS); Boost.Beast.
// Cost: the caller's thread does the work. Thread rule: one thread at a time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <boost/asio/ssl/context.hpp>
#include <tl/expected.hpp>

#include "server/remote/host_addresses.h"
#include "server/remote/http_terms.h"

namespace tenon::server {

class HttpConnection {
 public:
  virtual ~HttpConnection() = default;

  // TCP, and TLS where there is a context; nothing: it is open.
  [[nodiscard]] virtual std::optional<HttpFault> Open(const HostAddresses::Endpoints& endpoints,
                                                      const HttpTerms& terms) = 0;
  // Nothing: the head of the answer has come. REQUIRES: it was just opened, or is reusable.
  [[nodiscard]] virtual std::optional<HttpFault> Send(const HttpQuestion& question,
                                                      const HttpTerms& terms) = 0;
  [[nodiscard]] virtual unsigned status() const = 0;
  // Empty where the answer has no such header.
  [[nodiscard]] virtual std::string header(std::string_view name) const = 0;
  // The next bytes of the body, at least one; nothing: it is over.
  [[nodiscard]] virtual tl::expected<std::optional<std::string>, HttpFault> Read(
      const HttpTerms& terms) = 0;

  // Did the last Send fail because the server had closed the connection?
  [[nodiscard]] virtual bool lost() const = 0;
  // Is the last answer read whole, and may another question follow?
  [[nodiscard]] virtual bool reusable() const = 0;
  // False: the server has closed it, or sends bytes that nobody has asked for.
  [[nodiscard]] virtual bool seems_idle() = 0;
};

// `tls`: null for none. REQUIRES: it lives longer.
[[nodiscard]] std::unique_ptr<HttpConnection> NewHttpConnection(boost::asio::ssl::context* tls);

}  // namespace tenon::server
