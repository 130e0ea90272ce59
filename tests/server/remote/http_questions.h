// What the tests of the HTTP client ask of a server.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "server/remote/http_client.h"
#include "tests/server/remote/test_server.h"

namespace tenon::server {

inline std::unique_ptr<HttpClient> ClientOf(const TestServer& server, HttpLimits limits = {},
                                            const std::string& ca_file = "") {
  auto client = HttpClient::Make(*ParseHttpUrl(server.url()), ca_file, limits);
  EXPECT_TRUE(client) << (client ? "" : client.error());
  return *std::move(client);
}

inline Deadline In(std::chrono::milliseconds budget) {
  return {budget, [] { return std::chrono::steady_clock::now(); }};
}

// The body of the answer, or the fault's message.
inline std::string Get(HttpClient& client, const Deadline& deadline = {},
                       const std::stop_token& stop = {}) {
  const HttpQuestion question{"POST", "/x", {{"X-Test", "1"}}, "hello"};
  auto answer = client.Ask(question, deadline, stop);
  if (!answer) return "fault: " + answer.error().message;
  std::string body = std::to_string((*answer)->status()) + " ";
  for (;;) {
    auto more = (*answer)->Read();
    if (!more) return body + "fault: " + more.error().message;
    if (!*more) return body;
    body += **more;
  }
}

inline bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace tenon::server
