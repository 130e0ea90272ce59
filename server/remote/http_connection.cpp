#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/http_connection.h"

#include <array>
#include <cerrno>
#include <type_traits>

#include <sys/socket.h>

#include <boost/asio/post.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/ssl/ssl_stream.hpp>

#include <fmt/format.h>

namespace tenon::server {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
using boost::system::error_code;
using std::chrono::steady_clock;

constexpr size_t kReadBytes = size_t{8} << 10;

// The other side has closed the connection.
bool IsClosed(const error_code& error) {
  return error == http::error::end_of_stream || error == asio::error::eof ||
         error == asio::error::connection_reset || error == asio::error::broken_pipe ||
         error == asio::ssl::error::stream_truncated;
}

std::string WhyNoHead(const error_code& error) {
  if (error == http::error::header_limit) return "its answer has a head that is too long";
  if (IsClosed(error) || error == http::error::partial_message)
    return "it closed the connection without an answer";
  return fmt::format("it does not speak HTTP here ({}); is the URL right?", error.message());
}

std::string WhyNoBody(const error_code& error) {
  if (error == http::error::body_limit) return "its answer is too long";
  if (IsClosed(error) || error == http::error::partial_message) return "its answer broke off";
  return fmt::format("its answer cannot be read: {}", error.message());
}

template <typename Stream>
class Connection final : public HttpConnection {
 public:
  template <typename... Arguments>
  explicit Connection(Arguments&... arguments) : stream_(io_, arguments...) {}
  ~Connection() override { Close(); }

  [[nodiscard]] std::optional<HttpFault> Open(const HostAddresses::Endpoints& endpoints,
                                              const HttpTerms& terms) override {
    const auto connect = [&](auto done) {
      beast::get_lowest_layer(stream_).async_connect(endpoints, std::move(done));
    };
    auto result = Await(connect, terms.limits.connect, terms);
    if (!result) return result.error();
    if (*result) {
      return terms.Fault(HttpFault::Kind::kPassing,
                         fmt::format("it cannot be reached ({}); is the server running there?",
                                     result->message()));
    }
    error_code ignored;
    socket().set_option(asio::ip::tcp::no_delay(true), ignored);
    return ShakeHands(terms);
  }

  [[nodiscard]] std::optional<HttpFault> Send(const HttpQuestion& question,
                                              const HttpTerms& terms) override {
    lost_ = false;
    parser_.emplace();
    parser_->header_limit(static_cast<uint32_t>(terms.limits.head_bytes));
    parser_->body_limit(terms.limits.body_bytes);
    http::request<http::string_body> request;
    request.method_string(question.method);
    request.target(terms.url.path + question.path);
    request.version(11);
    request.set(http::field::host, terms.url.authority());
    request.set(http::field::user_agent, "tenon");
    for (const auto& [name, value] : question.headers) request.set(name, value);
    request.body() = question.body;
    request.prepare_payload();
    auto result = Await([&](auto done) { http::async_write(stream_, request, std::move(done)); },
                        terms.limits.silence, terms);
    if (!result) return result.error();
    if (*result) {
      lost_ = IsClosed(*result);
      return terms.Fault(HttpFault::Kind::kPassing,
                         fmt::format("it takes no request ({})", result->message()));
    }
    result = Await(
        [&](auto done) { http::async_read_header(stream_, buffer_, *parser_, std::move(done)); },
        terms.limits.silence, terms);
    if (!result) return result.error();
    if (!*result) return std::nullopt;
    lost_ = IsClosed(*result) && !parser_->got_some();
    return terms.Fault(HttpFault::Kind::kPassing, WhyNoHead(*result));
  }

  [[nodiscard]] unsigned status() const override { return parser_->get().result_int(); }
  [[nodiscard]] std::string header(std::string_view name) const override {
    const auto found = parser_->get().find({name.data(), name.size()});
    return found == parser_->get().end() ? std::string() : std::string(found->value());
  }

  [[nodiscard]] tl::expected<std::optional<std::string>, HttpFault> Read(
      const HttpTerms& terms) override {
    while (!parser_->is_done()) {
      auto& body = parser_->get().body();
      body.data = bytes_.data();
      body.size = bytes_.size();
      auto result = Await(
          [&](auto done) { http::async_read_some(stream_, buffer_, *parser_, std::move(done)); },
          terms.limits.silence, terms);
      if (!result) return tl::unexpected(result.error());
      const size_t got = bytes_.size() - body.size;
      if (*result && *result != http::error::need_buffer) {
        return tl::unexpected(terms.Fault(*result == http::error::body_limit
                                              ? HttpFault::Kind::kLasting
                                              : HttpFault::Kind::kPassing,
                                          WhyNoBody(*result)));
      }
      if (got > 0) return std::string(bytes_.data(), got);
    }
    return std::nullopt;
  }

  [[nodiscard]] bool lost() const override { return lost_; }
  [[nodiscard]] bool reusable() const override {
    return !closed_ && parser_ && parser_->is_done() && parser_->get().keep_alive() &&
           buffer_.size() == 0;
  }
  [[nodiscard]] bool seems_idle() override {
    if (closed_) return false;
    char byte = 0;
    const auto got = ::recv(socket().native_handle(), &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    // TLS has messages of its own between two answers.
    return got < 0 ? errno == EAGAIN || errno == EWOULDBLOCK : got > 0 && kHasTls;
  }

 private:
  static constexpr bool kHasTls = !std::is_same_v<Stream, beast::tcp_stream>;

  asio::ip::tcp::socket& socket() { return beast::get_lowest_layer(stream_).socket(); }
  void Close() {
    error_code ignored;
    socket().close(ignored);
    closed_ = true;
  }

  std::optional<HttpFault> ShakeHands(const HttpTerms& terms) {
    if constexpr (kHasTls) {
      const std::string& host = terms.url.host;
      stream_.set_verify_mode(asio::ssl::verify_peer);
      stream_.set_verify_callback(asio::ssl::host_name_verification(host));
      // RFC 6066, section 3: an address is no server name.
      if (!terms.url.has_address()) SSL_set_tlsext_host_name(stream_.native_handle(), host.c_str());
      auto result = Await(
          [&](auto done) {
            stream_.async_handshake(asio::ssl::stream_base::client, std::move(done));
          },
          terms.limits.connect, terms);
      if (!result) return result.error();
      if (!*result) return std::nullopt;
      const long verified = SSL_get_verify_result(stream_.native_handle());
      if (verified != X509_V_OK) {
        return terms.Fault(
            HttpFault::Kind::kLasting,
            fmt::format("its certificate is not trusted ({}); remote.caFile may name the "
                        "certificate of who vouches for it",
                        X509_verify_cert_error_string(verified)));
      }
      return terms.Fault(HttpFault::Kind::kLasting,
                         fmt::format("no TLS with it ({}); is it https there, and does its "
                                     "certificate name this host?",
                                     result->message()));
    }
    return std::nullopt;
  }

  // Runs one operation to its end; the error: nobody waits for it any more, or it took too long.
  // The connection is closed then.
  template <typename Start>
  tl::expected<error_code, HttpFault> Await(Start start, std::chrono::milliseconds most,
                                            const HttpTerms& terms) {
    if (auto over = terms.Over()) {
      Close();
      return tl::unexpected(*std::move(over));
    }
    std::optional<error_code> done;
    start([&done](const error_code& error, auto&&...) { done = error; });
    const auto until = terms.Until(most);
    const std::stop_callback wake(terms.stop, [this] { asio::post(io_, [] {}); });
    std::optional<HttpFault> fault;
    while (!done) {
      fault = terms.Over();
      if (!fault && steady_clock::now() >= until) {
        fault = terms.Fault(HttpFault::Kind::kPassing,
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
      Close();
      return tl::unexpected(*std::move(fault));
    }
    return *done;
  }

  asio::io_context io_{1};
  Stream stream_;
  beast::flat_buffer buffer_;
  std::optional<http::response_parser<http::buffer_body>> parser_;  // of the last question's answer
  std::array<char, kReadBytes> bytes_{};
  bool lost_ = false;
  bool closed_ = false;  // by this side
};

}  // namespace

std::unique_ptr<HttpConnection> NewHttpConnection(asio::ssl::context* tls) {
  if (tls == nullptr) return std::make_unique<Connection<beast::tcp_stream>>();
  return std::make_unique<Connection<beast::ssl_stream<beast::tcp_stream>>>(*tls);
}

}  // namespace tenon::server
