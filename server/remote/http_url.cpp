#include "server/remote/http_url.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>
#include <boost/asio/ip/address.hpp>

namespace tenon::server {

namespace {

constexpr size_t kMaxUrlBytes = 2048;

bool IsHostByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
         c == '-' || c == '_';
}

bool IsAddressByte(char c) {
  return (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || (c >= '0' && c <= '9') || c == '.' ||
         c == ':';
}

std::optional<uint16_t> PortFrom(std::string_view text) {
  uint16_t port = 0;
  const char* const end = text.data() + text.size();
  const auto read = std::from_chars(text.data(), end, port);
  if (read.ec != std::errc() || read.ptr != end || port == 0) return std::nullopt;
  return port;
}

}  // namespace

std::string HttpUrl::authority() const {
  const bool is_v6 = host.find(':') != std::string::npos;
  const std::string name = is_v6 ? "[" + host + "]" : host;
  return port == (tls ? 443 : 80) ? name : fmt::format("{}:{}", name, port);
}

std::string HttpUrl::ToString() const {
  return (tls ? "https://" : "http://") + authority() + path;
}

bool HttpUrl::has_address() const {
  boost::system::error_code is_name;
  boost::asio::ip::make_address(host, is_name);
  return !is_name;
}

bool HttpUrl::is_loopback() const {
  boost::system::error_code is_name;
  const auto address = boost::asio::ip::make_address(host, is_name);
  return host == "localhost" || (!is_name && address.is_loopback());
}

tl::expected<HttpUrl, std::string> ParseHttpUrl(std::string_view text) {
  const auto refuse = [text](std::string_view what) {
    return tl::unexpected(fmt::format("the URL '{}' {}; it looks like http://127.0.0.1:8080",
                                      text.substr(0, 100), what));
  };
  if (text.find('@') != std::string_view::npos)
    return tl::unexpected(
        std::string("the URL holds a user name or a password; a key belongs into remote.keyFile"));
  if (text.size() > kMaxUrlBytes) return refuse("is too long");
  HttpUrl url;
  if (text.starts_with("https://")) {
    url.tls = true;
  } else if (!text.starts_with("http://")) {
    return refuse("does not begin with http:// or https://");
  }
  std::string_view rest = text.substr(url.tls ? 8 : 7);
  if (rest.find_first_of("?#") != std::string_view::npos)
    return refuse("has a query or a fragment");
  const auto is_shown = [](char c) { return c > ' ' && c < 0x7f; };
  if (!std::all_of(rest.begin(), rest.end(), is_shown))
    return refuse("holds blanks, or characters beyond ASCII");
  const size_t slash = std::min(rest.find('/'), rest.size());
  url.path = rest.substr(slash);
  while (url.path.ends_with('/')) url.path.pop_back();
  std::string_view authority = rest.substr(0, slash), port;
  if (authority.starts_with('[')) {
    const size_t close = authority.find(']');
    if (close == std::string_view::npos) return refuse("lacks a ']'");
    url.host = authority.substr(1, close - 1);
    if (!std::all_of(url.host.begin(), url.host.end(), IsAddressByte))
      return refuse("has no address in its brackets");
    authority.remove_prefix(close + 1);
    if (!authority.empty() && !authority.starts_with(':')) return refuse("has text after its ']'");
    port = authority;
  } else {
    const size_t colon = std::min(authority.find(':'), authority.size());
    url.host = authority.substr(0, colon);
    port = authority.substr(colon);
    if (!std::all_of(url.host.begin(), url.host.end(), IsHostByte))
      return refuse("has no name of a host");
  }
  if (url.host.empty()) return refuse("names no host");
  url.port = url.tls ? 443 : 80;
  if (!port.empty()) {
    const auto number = PortFrom(port.substr(1));
    if (!number) return refuse("has no port from 1 to 65535");
    url.port = *number;
  }
  return url;
}

}  // namespace tenon::server
