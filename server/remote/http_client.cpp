#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/http_client.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <type_traits>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <fmt/format.h>

#include "server/remote/host_addresses.h"

namespace tenon::server {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using std::chrono::steady_clock;

constexpr size_t kReadBytes = size_t{8} << 10;

// Places for exchanges that are open at once.
class Places {
 public:
  explicit Places(int free) : free_(free) {}
  // False: `until` or `stop` came first.
  bool Take(steady_clock::time_point until, const std::stop_token& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait_until(lock, stop, until, [this] { return free_ > 0; })) return false;
    --free_;
    return true;
  }
  void Give() {
    {
      const std::lock_guard lock(mutex_);
      ++free_;
    }
    changed_.notify_one();
  }

 private:
  std::mutex mutex_;
  std::condition_variable_any changed_;
  int free_;
};

// The terms of one exchange.
struct Terms {
  const HttpUrl& url;
  const HttpLimits& limits;
  Deadline deadline;
  std::stop_token stop;

  [[nodiscard]] HttpFault Fault(HttpFault::Kind kind, std::string_view what) const {
    return {kind, fmt::format("{}: {}", url.authority(), what)};
  }
  // Cancelled or late, where it is so.
  [[nodiscard]] std::optional<HttpFault> Over() const {
    if (stop.stop_requested()) return Fault(HttpFault::Kind::kCancelled, "cancelled");
    if (deadline.passed())
      return Fault(HttpFault::Kind::kLate, "the request's time ended while the server worked");
    return std::nullopt;
  }
  // The end of a wait of `most`, or the deadline.
  [[nodiscard]] steady_clock::time_point Until(std::chrono::milliseconds most) const {
    const auto left = deadline.left();
    const std::chrono::nanoseconds longest = most;
    return steady_clock::now() + std::min(left.value_or(longest), longest);
  }
};

std::string WhyNoHead(const error_code& error) {
  if (error == http::error::header_limit) return "its answer has a head that is too long";
  if (error == http::error::end_of_stream || error == http::error::partial_message ||
      error == asio::error::connection_reset)
    return "it closed the connection without an answer";
  return fmt::format("it does not speak HTTP here ({}); is the URL right?", error.message());
}

std::string WhyNoBody(const error_code& error) {
  if (error == http::error::body_limit) return "its answer is too long";
  if (error == http::error::partial_message || error == asio::error::connection_reset ||
      error == http::error::end_of_stream || error == asio::ssl::error::stream_truncated)
    return "its answer broke off";
  return fmt::format("its answer cannot be read: {}", error.message());
}

template <typename Stream>
class Exchange final : public HttpExchange {
 public:
  template <typename... Arguments>
  Exchange(Terms terms, std::shared_ptr<Places> places, Arguments&... arguments)
      : terms_(std::move(terms)), places_(std::move(places)), stream_(io_, arguments...) {
    parser_.header_limit(static_cast<uint32_t>(terms_.limits.head_bytes));
    parser_.body_limit(terms_.limits.body_bytes);
  }
  ~Exchange() override {
    error_code ignored;
    socket().close(ignored);
    places_->Give();
  }

  // Each stage gives its fault.
  std::optional<HttpFault> Connect(const HostAddresses::Endpoints& endpoints) {
    const auto connect = [&](auto done) {
      beast::get_lowest_layer(stream_).async_connect(endpoints, std::move(done));
    };
    auto result = Await(connect, terms_.limits.connect);
    if (!result) return result.error();
    if (*result) {
      return terms_.Fault(HttpFault::Kind::kPassing,
                          fmt::format("it cannot be reached ({}); is the server running there?",
                                      result->message()));
    }
    error_code ignored;
    socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    return std::nullopt;
  }

  std::optional<HttpFault> ShakeHands() {
    if constexpr (std::is_same_v<Stream, beast::tcp_stream>) {
      return std::nullopt;
    } else {
      const std::string& host = terms_.url.host;
      stream_.set_verify_mode(asio::ssl::verify_peer);
      stream_.set_verify_callback(asio::ssl::host_name_verification(host));
      SSL_set_tlsext_host_name(stream_.native_handle(), host.c_str());
      auto result = Await(
          [&](auto done) {
            stream_.async_handshake(asio::ssl::stream_base::client, std::move(done));
          },
          terms_.limits.connect);
      if (!result) return result.error();
      if (!*result) return std::nullopt;
      const long verified = SSL_get_verify_result(stream_.native_handle());
      if (verified != X509_V_OK) {
        return terms_.Fault(
            HttpFault::Kind::kLasting,
            fmt::format("its certificate is not trusted ({}); remote.caFile may name the "
                        "certificate of who vouches for it",
                        X509_verify_cert_error_string(verified)));
      }
      return terms_.Fault(HttpFault::Kind::kLasting,
                          fmt::format("no TLS with it ({}); is it https there, and does its "
                                      "certificate name this host?",
                                      result->message()));
    }
  }

  std::optional<HttpFault> Send(const HttpQuestion& question) {
    http::request<http::string_body> request;
    request.method_string(question.method);
    request.target(terms_.url.path + question.path);
    request.version(11);
    request.set(http::field::host, terms_.url.authority());
    request.set(http::field::user_agent, "tenon");
    request.set(http::field::connection, "close");
    for (const auto& [name, value] : question.headers) request.set(name, value);
    request.body() = question.body;
    request.prepare_payload();
    auto result = Await([&](auto done) { http::async_write(stream_, request, std::move(done)); },
                        terms_.limits.silence);
    if (!result) return result.error();
    if (*result) {
      return terms_.Fault(HttpFault::Kind::kPassing,
                          fmt::format("it takes no request ({})", result->message()));
    }
    result = Await(
        [&](auto done) { http::async_read_header(stream_, buffer_, parser_, std::move(done)); },
        terms_.limits.silence);
    if (!result) return result.error();
    if (*result) return terms_.Fault(HttpFault::Kind::kPassing, WhyNoHead(*result));
    return std::nullopt;
  }

  [[nodiscard]] unsigned status() const override { return parser_.get().result_int(); }
  [[nodiscard]] std::string header(std::string_view name) const override {
    const auto found = parser_.get().find({name.data(), name.size()});
    return found == parser_.get().end() ? std::string() : std::string(found->value());
  }

  [[nodiscard]] tl::expected<std::optional<std::string>, HttpFault> Read() override {
    while (!parser_.is_done()) {
      auto& body = parser_.get().body();
      body.data = bytes_.data();
      body.size = bytes_.size();
      auto result = Await(
          [&](auto done) { http::async_read_some(stream_, buffer_, parser_, std::move(done)); },
          terms_.limits.silence);
      if (!result) return tl::unexpected(result.error());
      const size_t got = bytes_.size() - body.size;
      if (*result && *result != http::error::need_buffer) {
        return tl::unexpected(terms_.Fault(*result == http::error::body_limit
                                               ? HttpFault::Kind::kLasting
                                               : HttpFault::Kind::kPassing,
                                           WhyNoBody(*result)));
      }
      if (got > 0) return std::string(bytes_.data(), got);
    }
    return std::nullopt;
  }

 private:
  asio::ip::tcp::socket& socket() { return beast::get_lowest_layer(stream_).socket(); }

  // Runs one operation to its end; the error: nobody waits for it any more, or it took too long.
  template <typename Start>
  tl::expected<error_code, HttpFault> Await(Start start, std::chrono::milliseconds most) {
    if (auto over = terms_.Over()) return tl::unexpected(*std::move(over));
    std::optional<error_code> done;
    start([&done](const error_code& error, auto&&...) { done = error; });
    const auto until = terms_.Until(most);
    const std::stop_callback wake(terms_.stop, [this] { asio::post(io_, [] {}); });
    std::optional<HttpFault> fault;
    while (!done) {
      fault = terms_.Over();
      if (!fault && steady_clock::now() >= until) {
        fault = terms_.Fault(HttpFault::Kind::kPassing,
                             fmt::format("it says nothing for {} ms; remote.silenceMs gives it "
                                         "more time",
                                         most.count()));
      }
      io_.restart();
      if (!fault) {
        io_.run_one_until(until);
        continue;
      }
      error_code ignored;
      socket().close(ignored);
      while (!done && io_.run_one() > 0) io_.restart();
      return tl::unexpected(*std::move(fault));
    }
    return *done;
  }

  const Terms terms_;
  const std::shared_ptr<Places> places_;  // one of them is this exchange's
  asio::io_context io_{1};
  Stream stream_;
  beast::flat_buffer buffer_;
  http::response_parser<http::buffer_body> parser_;
  std::array<char, kReadBytes> bytes_{};
};

}  // namespace

struct HttpClient::Parts {
  Parts(HttpUrl where, HttpLimits most)
      : url(std::move(where)), limits(most), addresses(url.host, url.port) {}

  const HttpUrl url;
  const HttpLimits limits;
  HostAddresses addresses;
  std::shared_ptr<Places> places = std::make_shared<Places>(kMaxInFlight);
  asio::ssl::context tls{asio::ssl::context::tls_client};

  template <typename Stream, typename... Arguments>
  tl::expected<std::unique_ptr<HttpExchange>, HttpFault> Ask(const HttpQuestion& question,
                                                             const Terms& terms,
                                                             Arguments&... arguments) {
    if (!places->Take(terms.Until(limits.silence), terms.stop)) {
      return tl::unexpected(terms.Over().value_or(terms.Fault(
          HttpFault::Kind::kPassing,
          fmt::format("{} requests to it are open, and none of them ends", kMaxInFlight))));
    }
    auto exchange = std::make_unique<Exchange<Stream>>(terms, places, arguments...);
    const auto endpoints = addresses.Find(terms.Until(limits.connect), terms.stop);
    if (!endpoints) {
      return tl::unexpected(
          terms.Fault(HttpFault::Kind::kPassing,
                      fmt::format("the host's name is not known ({})", endpoints.error())));
    }
    if (!*endpoints) {
      return tl::unexpected(
          terms.Over().value_or(terms.Fault(HttpFault::Kind::kPassing, "no name server answers")));
    }
    auto fault = exchange->Connect(**endpoints);
    if (fault && fault->kind == HttpFault::Kind::kPassing) addresses.Forget();
    if (!fault) fault = exchange->ShakeHands();
    if (!fault) fault = exchange->Send(question);
    if (fault) return tl::unexpected(*std::move(fault));
    return exchange;
  }
};

HttpClient::HttpClient(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
HttpClient::~HttpClient() = default;

const HttpUrl& HttpClient::url() const { return parts_->url; }

tl::expected<std::unique_ptr<HttpClient>, std::string> HttpClient::Make(HttpUrl url,
                                                                        const std::string& ca_file,
                                                                        HttpLimits limits) {
  auto parts = std::make_unique<Parts>(std::move(url), limits);
  error_code error;
  parts->tls.set_default_verify_paths(error);
  if (!ca_file.empty()) parts->tls.load_verify_file(ca_file, error);
  if (!ca_file.empty() && error) {
    return tl::unexpected(
        fmt::format("{}: holds no certificate that can be read ({}); remote.caFile names a PEM "
                    "file",
                    ca_file, error.message()));
  }
  return std::unique_ptr<HttpClient>(new HttpClient(std::move(parts)));
}

tl::expected<std::unique_ptr<HttpExchange>, HttpFault> HttpClient::Ask(
    const HttpQuestion& question, const Deadline& deadline, const std::stop_token& stop) {
  const Terms terms{parts_->url, parts_->limits, deadline, stop};
  if (auto over = terms.Over()) return tl::unexpected(*std::move(over));
  if (parts_->url.tls)
    return parts_->Ask<beast::ssl_stream<beast::tcp_stream>>(question, terms, parts_->tls);
  return parts_->Ask<beast::tcp_stream>(question, terms);
}

}  // namespace tenon::server
