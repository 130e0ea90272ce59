#include "server/remote/http_client.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "tests/server/remote/http_questions.h"
#include "tests/server/remote/test_server.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

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

// An answer after which the server waits for the next question.
void ServeAndKeep(TestConnection& client) {
  client.keeps = true;
  client.SendHead("200 OK", "Transfer-Encoding: chunked\r\n");
  client.Send("2\r\nok\r\n0\r\n\r\n");
}

TEST(HttpClient, AsksAgainOverTheConnectionThatAWholeAnswerLeaves) {
  const TestServer server(ServeAndKeep);
  const auto client = ClientOf(server);
  for (int question = 0; question < 5; ++question) EXPECT_EQ(Get(*client), "200 ok");
  EXPECT_EQ(server.bodies().size(), 5u);
  EXPECT_EQ(server.connections(), 1u);
}

TEST(HttpClient, FinishesAnAnswerWhoseEndIsKnown) {
  const TestServer server(ServeAndKeep);
  const auto client = ClientOf(server, {.finish = milliseconds(60'000)});
  for (int question = 0; question < 3; ++question) {
    auto answer = client->Ask({}, Deadline(), std::stop_token());
    ASSERT_TRUE(answer) << answer.error().message;
    (*answer)->Finish();
  }
  EXPECT_EQ(server.connections(), 1u);
}

TEST(HttpClient, ClosesTheConnectionOfAnAnswerThatIsDropped) {
  std::atomic<int> closed = 0;
  const TestServer server([&closed](TestConnection& client) {
    client.SendHead();
    client.WaitForClose();
    ++closed;
  });
  const auto client = ClientOf(server);
  for (int question = 1; question < 4; ++question) {
    ASSERT_TRUE(client->Ask({}, Deadline(), std::stop_token()));
    while (closed != question) std::this_thread::sleep_for(milliseconds(1));
  }
  EXPECT_EQ(server.connections(), 3u);
  // Nor does a server that goes on and on hold the caller.
  const TestServer endless([](TestConnection& flood) {
    flood.SendHead();
    while (flood.Send("more")) std::this_thread::sleep_for(milliseconds(1));
  });
  const auto held = ClientOf(endless);
  auto answer = held->Ask({}, Deadline(), std::stop_token());
  ASSERT_TRUE(answer);
  (*answer)->Finish();
}

// Closes the connection after its answer, which it has not said.
void ServeAndClose(TestConnection& client) {
  ServeAndKeep(client);
  client.keeps = false;
}

TEST(HttpClient, ConnectsAnewWhereTheServerHasClosedAKeptConnection) {
  for (const bool closes_at_once : {true, false}) {
    for (const bool tls : {false, true}) {
      std::atomic<int> asked = 0;
      // Else odd questions are answered, and even ones met by a closed connection.
      const auto serve = [&](TestConnection& client) {
        if (closes_at_once) return ServeAndClose(client);
        if (++asked % 2 == 1) ServeAndKeep(client);
      };
      const TemporaryFolder folder;
      const TestCertificate certificate = TestCertificate::For("IP:127.0.0.1");
      const TestServer server(serve, tls ? std::optional(certificate) : std::nullopt);
      const auto client = ClientOf(server, {}, folder.Write("ca.pem", certificate.certificate_pem));
      for (int question = 0; question < 3; ++question)
        EXPECT_EQ(Get(*client), "200 ok") << closes_at_once << tls;
    }
  }
}

TEST(HttpClient, GivesUpAfterTheSecondConnection) {
  std::atomic<int> asked = 0;
  const TestServer server([&asked](TestConnection& client) {
    if (++asked == 1) ServeAndKeep(client);
  });
  const auto client = ClientOf(server);
  EXPECT_EQ(Get(*client), "200 ok");
  EXPECT_TRUE(Has(Get(*client), "closed the connection without an answer"));
  EXPECT_EQ(asked, 3);
}

TEST(HttpClient, TakesNoAnswerThatWasSentBeforeTheQuestion) {
  const TestServer server([](TestConnection& client) {
    client.keeps = true;
    const std::string answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    client.Send(answer + answer);
  });
  const auto client = ClientOf(server);
  EXPECT_EQ(Get(*client), "200 ok");
  EXPECT_EQ(Get(*client), "200 ok");
  EXPECT_EQ(server.connections(), 2u);
}

}  // namespace
}  // namespace tenon::server
