// The URL of a server, as a user writes it.
//
// Example: "https://gpu.local:8443/v1" is TLS, the host `gpu.local`, the port 8443 and the path
// `/v1`, below which the server's own paths lie. "http://[::1]:8080" has the host `::1`. Without a
// port it is 80, or 443 with TLS.
//
// A user name or a password in the URL is refused: it would be shown wherever the URL is. So are a
// query and a fragment, after which no path can follow.
//
// Source: RFC 3986. Cost: linear. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <tl/expected.hpp>

namespace tenon::server {

struct HttpUrl {
  bool tls = false;
  std::string host;  // a name or an address, without brackets
  uint16_t port = 0;
  std::string path;  // empty, or it begins with '/' and does not end with it

  // "gpu.local:8443": how a request names the host, and how messages name the server.
  [[nodiscard]] std::string authority() const;
  [[nodiscard]] std::string ToString() const;
  // Is the host an address, and no name?
  [[nodiscard]] bool has_address() const;
  // Is the host this machine, by an address or the name `localhost`?
  [[nodiscard]] bool is_loopback() const;
};

// The error names the URL, its fault and the right form.
[[nodiscard]] tl::expected<HttpUrl, std::string> ParseHttpUrl(std::string_view text);

}  // namespace tenon::server
