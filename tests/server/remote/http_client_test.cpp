#include "server/remote/http_client.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/server/remote/test_server.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

std::unique_ptr<HttpClient> ClientOf(const TestServer& server, HttpLimits limits = {},
                                     const std::string& ca_file = "") {
  auto client = HttpClient::Make(*ParseHttpUrl(server.url()), ca_file, limits);
  EXPECT_TRUE(client) << (client ? "" : client.error());
  return *std::move(client);
}

Deadline In(milliseconds budget) {
  return {budget, [] { return steady_clock::now(); }};
}

// The body of the answer, or the fault's message.
std::string Get(HttpClient& client, const Deadline& deadline = {},
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

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(HttpClient, SendsTheQuestionAndReadsTheAnswer) {
  const TestServer server([](TestConnection& client) {
    client.SendHead("200 OK", "Content-Length: 2\r\n");
    client.Send("ok");
  });
  EXPECT_EQ(Get(*ClientOf(server)), "200 ok");
  EXPECT_EQ(server.bodies(), std::vector<std::string>{"hello"});
  const std::string head = server.heads().at(0);
  EXPECT_TRUE(head.starts_with("POST /x HTTP/1.1\r\n")) << head;
  EXPECT_TRUE(Has(head, "X-Test: 1")) << head;
  EXPECT_TRUE(Has(head, "Host: 127.0.0.1:" + std::to_string(server.port()))) << head;
}

TEST(HttpClient, GivesEachPieceAsItComes) {
  std::atomic<bool> read_first = false;
  const TestServer server([&](TestConnection& client) {
    client.SendHead("200 OK", "Transfer-Encoding: chunked\r\n");
    client.Send("3\r\none\r\n");
    while (!read_first) std::this_thread::sleep_for(milliseconds(1));
    client.Send("3\r\ntwo\r\n0\r\n\r\n");
  });
  const auto client = ClientOf(server);
  auto answer = client->Ask({}, Deadline(), std::stop_token());
  ASSERT_TRUE(answer) << answer.error().message;
  EXPECT_EQ((*answer)->Read().value(), "one");
  read_first = true;
  EXPECT_EQ((*answer)->Read().value(), "two");
  EXPECT_EQ((*answer)->Read().value(), std::nullopt);
}

TEST(HttpClient, TakesARedirectForAnAnswer) {
  std::atomic<int> asked = 0;
  const TestServer other([&](TestConnection& client) {
    ++asked;
    client.SendHead("200 OK", "Content-Length: 0\r\n");
  });
  const TestServer server([&](TestConnection& client) {
    client.SendHead("307 Temporary Redirect",
                    "Location: " + other.url() + "/x\r\nContent-Length: 0\r\n");
  });
  EXPECT_EQ(Get(*ClientOf(server)), "307 ");
  EXPECT_EQ(asked, 0);
}

TEST(HttpClient, SaysThatNobodyListens) {
  std::string url;
  {
    const TestServer gone([](TestConnection&) {});
    url = gone.url();
  }
  const auto client = *HttpClient::Make(*ParseHttpUrl(url), "");
  auto answer = client->Ask({}, Deadline(), std::stop_token());
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().kind, HttpFault::Kind::kPassing);
  EXPECT_TRUE(Has(answer.error().message, "is the server running there?"))
      << answer.error().message;
  EXPECT_TRUE(answer.error().message.starts_with(url.substr(7))) << answer.error().message;
}

struct Misbehaviour {
  const char* name;
  std::function<void(TestConnection&)> serve;
  const char* says;
};

TEST(HttpClient, EndsWhateverTheServerDoes) {
  const std::vector<Misbehaviour> all = {
      {"closes at once", [](TestConnection&) {}, "closed the connection without an answer"},
      {"no HTTP", [](TestConnection& c) { c.Send("hello\r\n\r\n"); }, "does not speak HTTP"},
      {"endless head",
       [](TestConnection& c) {
         c.Send("HTTP/1.1 200 OK\r\n");
         while (c.Send("X-More: 0123456789012345678901234567890123456789\r\n")) {
         }
       },
       "a head that is too long"},
      {"endless body",
       [](TestConnection& c) {
         c.SendHead();
         const std::string more(65536, 'x');
         while (c.Send(more)) {
         }
       },
       "its answer is too long"},
      {"cut in a chunk",
       [](TestConnection& c) {
         c.SendHead("200 OK", "Transfer-Encoding: chunked\r\n");
         c.Send("5\r\nab");
       },
       "broke off"},
      {"cut before its length",
       [](TestConnection& c) {
         c.SendHead("200 OK", "Content-Length: 100\r\n");
         c.Send("ab");
       },
       "broke off"},
      {"silent", [](TestConnection& c) { c.WaitForClose(); }, "says nothing for 100 ms"},
      {"silent in the body",
       [](TestConnection& c) {
         c.SendHead();
         c.Send("ab");
         c.WaitForClose();
       },
       "says nothing for 100 ms"},
      {"wrong chunk",
       [](TestConnection& c) {
         c.SendHead("200 OK", "Transfer-Encoding: chunked\r\n");
         c.Send("zz\r\nab");
       },
       "cannot be read"},
  };
  HttpLimits limits;
  limits.silence = milliseconds(100);
  limits.body_bytes = size_t{1} << 20;
  for (const Misbehaviour& one : all) {
    const TestServer server(one.serve);
    EXPECT_TRUE(Has(Get(*ClientOf(server, limits)), one.says))
        << one.name << ": " << Get(*ClientOf(server, limits)).substr(0, 300);
  }
}

TEST(HttpClient, EndsWithTheDeadlineAndWhenItIsStopped) {
  const TestServer server([](TestConnection& client) { client.WaitForClose(); });
  const auto client = ClientOf(server);
  EXPECT_TRUE(Has(Get(*client, In(milliseconds(50))), "time ended"));
  std::stop_source stop;
  std::jthread stopper([&stop] {
    std::this_thread::sleep_for(milliseconds(30));
    stop.request_stop();
  });
  EXPECT_TRUE(Has(Get(*client, Deadline(), stop.get_token()), "cancelled"));
  EXPECT_TRUE(Has(Get(*client, Deadline(), stop.get_token()), "cancelled"));
}

TEST(HttpClient, HasTwoExchangesOpenAtMost) {
  std::atomic<int> open = 0;
  const TestServer server([&open](TestConnection& client) {
    ++open;
    client.SendHead();
    client.WaitForClose();
  });
  const auto client = ClientOf(server);
  auto first = client->Ask({}, Deadline(), std::stop_token());
  auto second = client->Ask({}, Deadline(), std::stop_token());
  ASSERT_TRUE(first && second);
  const auto third = client->Ask({}, In(milliseconds(30)), std::stop_token());
  ASSERT_FALSE(third);
  EXPECT_EQ(third.error().kind, HttpFault::Kind::kLate);
  EXPECT_EQ(open, 2);
  first->reset();
  EXPECT_TRUE(client->Ask({}, Deadline(), std::stop_token()));
}

class HttpsTest : public testing::Test {
 protected:
  static void Serve(TestConnection& client) {
    client.SendHead("200 OK", "Content-Length: 2\r\n");
    client.Send("ok");
  }
  TemporaryFolder folder_;
};

TEST_F(HttpsTest, RefusesACertificateThatNobodyVouchesFor) {
  const TestServer server(Serve, TestCertificate::For("IP:127.0.0.1"));
  const std::string said = Get(*ClientOf(server));
  EXPECT_TRUE(Has(said, "its certificate is not trusted")) << said;
  EXPECT_TRUE(Has(said, "remote.caFile")) << said;
  EXPECT_TRUE(server.bodies().empty());
}

TEST_F(HttpsTest, TakesTheCertificateThatTheUserNames) {
  const TestCertificate certificate = TestCertificate::For("IP:127.0.0.1");
  const TestServer server(Serve, certificate);
  const std::string file = folder_.Write("ca.pem", certificate.certificate_pem);
  EXPECT_EQ(Get(*ClientOf(server, {}, file)), "200 ok");
  const std::string other =
      folder_.Write("other.pem", TestCertificate::For("IP:127.0.0.1").certificate_pem);
  EXPECT_TRUE(Has(Get(*ClientOf(server, {}, other)), "not trusted"));
}

TEST_F(HttpsTest, RefusesTheCertificateOfAnotherHost) {
  const TestCertificate certificate = TestCertificate::For("DNS:gpu.example,IP:127.0.0.2");
  const TestServer server(Serve, certificate);
  const std::string file = folder_.Write("ca.pem", certificate.certificate_pem);
  const std::string said = Get(*ClientOf(server, {}, file));
  EXPECT_TRUE(Has(said, "fault: ")) << said;
  EXPECT_TRUE(server.bodies().empty());
}

TEST_F(HttpsTest, SaysThatAServerSpeaksNoTls) {
  const TestServer server([](TestConnection&) {});
  const auto url = ParseHttpUrl("https" + server.url().substr(4));
  const auto client = *HttpClient::Make(*url, "", {.connect = milliseconds(200)});
  EXPECT_TRUE(Has(Get(*client), "fault: "));
}

TEST_F(HttpsTest, RefusesAFileWithoutCertificates) {
  const std::string file = folder_.Write("ca.pem", "hello");
  const auto client = HttpClient::Make(*ParseHttpUrl("https://a"), file);
  ASSERT_FALSE(client);
  EXPECT_TRUE(client.error().starts_with(file)) << client.error();
}

}  // namespace
}  // namespace tenon::server
