// A server in this process that does what a test wants: it answers, stays silent, breaks off.
//
// Example: TestServer server([](TestConnection& client) { client.SendHead("204 No Content"); });
// serves each client by that function, on a thread of its own, after the client's request was read.
// The connection is closed then, but where the function has set `keeps`: it is then called again
// for the connection's next request.
//
// Thread rule: one thread makes and ends it; `serve` runs on several.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

class TestConnection {
 public:
  virtual ~TestConnection() = default;
  // False: the client has gone.
  virtual bool Send(std::string_view bytes) = 0;
  // Returns when the client closes its side, or the server ends.
  virtual void WaitForClose() = 0;

  std::string head;  // of the request: its first line and its headers
  std::string body;
  bool keeps = false;  // the connection, for another request

  // The head of an answer with this status, whose body lasts until the connection is closed unless
  // it is kept.
  bool SendHead(std::string_view status = "200 OK", std::string_view more_headers = "");
  // A server-sent event.
  bool SendEvent(std::string_view json);
};

// A self-signed certificate for one name or address, and its key.
struct TestCertificate {
  std::string certificate_pem;
  std::string key_pem;
  // `names`: as a certificate writes them, such as "IP:127.0.0.1".
  static TestCertificate For(const std::string& names);
};

class TestServer {
 public:
  using Serve = std::function<void(TestConnection&)>;

  explicit TestServer(Serve serve, std::optional<TestCertificate> certificate = {});
  ~TestServer();
  TestServer(const TestServer&) = delete;
  TestServer& operator=(const TestServer&) = delete;

  [[nodiscard]] uint16_t port() const;
  [[nodiscard]] std::string url() const;
  // Of all requests so far.
  [[nodiscard]] std::vector<std::string> heads() const;
  [[nodiscard]] std::vector<std::string> bodies() const;
  // The name that each client has asked for by TLS; empty: none.
  [[nodiscard]] std::vector<std::string> names() const;
  // That clients have made so far.
  [[nodiscard]] size_t connections() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tenon::server
