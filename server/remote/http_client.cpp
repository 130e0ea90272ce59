#include <utility>  // before Boost.Asio's awaitable.hpp, which needs it

#include "server/remote/http_client.h"

#include <condition_variable>
#include <mutex>

#include <fmt/format.h>

#include "server/remote/kept_connections.h"

namespace tenon::server {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using std::chrono::steady_clock;

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

// One of the places, while this lives.
class Place {
 public:
  explicit Place(std::shared_ptr<Places> places) : places_(std::move(places)) {}
  ~Place() {
    if (places_) places_->Give();
  }
  Place(Place&&) = default;
  Place& operator=(Place&&) = delete;

 private:
  std::shared_ptr<Places> places_;
};

class Exchange final : public HttpExchange {
 public:
  // `connection`: the head of its answer has come.
  Exchange(HttpTerms terms, Place place, std::unique_ptr<HttpConnection> connection,
           KeptConnections& kept)
      : terms_(std::move(terms)),
        place_(std::move(place)),
        connection_(std::move(connection)),
        kept_(kept) {}
  ~Exchange() override {
    if (connection_->reusable()) kept_.Give(std::move(connection_));
  }

  [[nodiscard]] unsigned status() const override { return connection_->status(); }
  [[nodiscard]] std::string header(std::string_view name) const override {
    return connection_->header(name);
  }
  [[nodiscard]] tl::expected<std::optional<std::string>, HttpFault> Read() override {
    return connection_->Read(terms_);
  }
  void Finish() override {
    HttpTerms soon = terms_;
    soon.deadline = Deadline(terms_.limits.finish, [] { return steady_clock::now(); });
    for (auto more = connection_->Read(soon); more && *more;) more = connection_->Read(soon);
  }

 private:
  const HttpTerms terms_;
  const Place place_;
  std::unique_ptr<HttpConnection> connection_;
  KeptConnections& kept_;
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
  // Last: its thread uses the others.
  KeptConnections kept{[this](const std::stop_token& stop) {
    auto spare = Open({url, limits, Deadline(), stop});
    return spare ? *std::move(spare) : nullptr;
  }};

  // A new connection.
  tl::expected<std::unique_ptr<HttpConnection>, HttpFault> Open(const HttpTerms& terms) {
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
    auto connection = NewHttpConnection(url.tls ? &tls : nullptr);
    if (auto fault = connection->Open(**endpoints, terms)) {
      if (fault->kind == HttpFault::Kind::kPassing) addresses.Forget();
      return tl::unexpected(*std::move(fault));
    }
    return connection;
  }

  // A connection with the head of the answer.
  tl::expected<std::unique_ptr<HttpConnection>, HttpFault> Send(const HttpQuestion& question,
                                                                const HttpTerms& terms) {
    if (auto connection = kept.Take()) {
      auto fault = connection->Send(question, terms);
      if (!fault) return connection;
      if (!connection->lost()) return tl::unexpected(*std::move(fault));
    }
    auto connection = Open(terms);
    if (!connection) return connection;
    if (auto fault = (*connection)->Send(question, terms)) return tl::unexpected(*std::move(fault));
    return connection;
  }

  tl::expected<std::unique_ptr<HttpExchange>, HttpFault> Ask(const HttpQuestion& question,
                                                             const HttpTerms& terms) {
    if (auto over = terms.Over()) return tl::unexpected(*std::move(over));
    if (!places->Take(terms.Until(limits.silence), terms.stop)) {
      return tl::unexpected(terms.Over().value_or(terms.Fault(
          HttpFault::Kind::kPassing,
          fmt::format("{} requests to it are open, and none of them ends", kMaxInFlight))));
    }
    Place place(places);
    auto connection = Send(question, terms);
    if (!connection) return tl::unexpected(std::move(connection.error()));
    // To this machine a new one takes no time.
    if (url.tls || !url.is_loopback()) kept.Prepare();
    return std::make_unique<Exchange>(terms, std::move(place), *std::move(connection), kept);
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
  return parts_->Ask(question, {parts_->url, parts_->limits, deadline, stop});
}

}  // namespace tenon::server
