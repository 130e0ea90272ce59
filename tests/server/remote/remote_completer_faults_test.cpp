// The remote completer and servers that are wrong, busy, silent or slow: each request still has one
// answer, which says what is wrong.
#include <atomic>
#include <chrono>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "server/remote/backoff.h"
#include "server/remote/remote_completer.h"
#include "tests/server/remote/remote_completer_fixture.h"

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

class RemoteCompleterFaultsTest : public RemoteCompleterFixture {};

struct Misbehaviour {
  const char* name;
  TestServer::Serve serve;
  const char* says;
};

TEST_F(RemoteCompleterFaultsTest, SaysWhatIsWrongWithAServer) {
  const std::vector<Misbehaviour> all = {
      {"wrong JSON", Streaming({"{\"content\": "}), "it sent no JSON"},
      {"another protocol", Streaming({R"({"choices": []})"}), "is it llama.cpp?"},
      {"words", Streaming({R"({"error": {"code": 500, "message": "out of memory"}})"}),
       "says 'out of memory'"},
      {"cut", Streaming({Event("2")}), "ended its answer before the text's end"},
      {"empty events",
       [](TestConnection& client) {
         client.SendHead();
         while (client.SendEvent(R"({"content": ""})")) {
         }
       },
       "sends more than it was asked for"},
      {"one endless event",
       [](TestConnection& client) {
         client.SendHead();
         const std::string more(65536, 'x');
         while (client.Send(more)) {
         }
       },
       "an event that is too long"},
      {"silence",
       [](TestConnection& client) {
         client.SendHead();
         client.WaitForClose();
       },
       "says nothing for 200 ms"},
      {"a redirect",
       [](TestConnection& client) {
         client.SendHead("302 Found",
                         "Location: http://elsewhere.example/\r\nContent-Length: 0\r\n");
       },
       "it redirects to 'http://elsewhere.example/'"},
      {"no key",
       [](TestConnection& client) { client.SendHead("401 Unauthorized", "Content-Length: 0\r\n"); },
       "is the key right"},
      {"no such path",
       [](TestConnection& client) { client.SendHead("404 Not Found", "Content-Length: 0\r\n"); },
       "remote.kind"},
      {"a long prompt",
       [](TestConnection& client) {
         client.SendHead("400 Bad Request");
         client.Send(R"({"error": {"message": "the request exceeds the context size"}})");
       },
       "exceeds the context size"},
  };
  for (const Misbehaviour& one : all) {
    const TestServer server(one.serve);
    const CompletionAnswer answer = Ask(server, At(R"({"a": [1, |]})"));
    EXPECT_TRUE(answer.items.empty()) << one.name;
    EXPECT_TRUE(Has(answer.reason, one.says)) << one.name << ": " << answer.reason;
    EXPECT_TRUE(Has(answer.reason, "127.0.0.1:" + std::to_string(server.port())))
        << one.name << ": " << answer.reason;
    EXPECT_LT(answer.reason.size(), 400u) << one.name;
  }
}

TEST_F(RemoteCompleterFaultsTest, AsksABusyServerAgainAfterAWhile) {
  std::atomic<int> asked = 0;
  const TestServer server([&asked](TestConnection& client) {
    if (asked++ == 0)
      client.SendHead("503 Service Unavailable", "Content-Length: 0\r\n");
    else
      Streaming({Event("2"), kEnd})(client);
  });
  const auto begun = std::chrono::steady_clock::now();
  const CompletionRequest request = At(R"([1, |])");
  EXPECT_EQ(With(request, Ask(server, request)), "[1, 2]");
  EXPECT_GE(std::chrono::steady_clock::now() - begun, Backoff::kFirst);
  EXPECT_EQ(asked, 2);
}

TEST_F(RemoteCompleterFaultsTest, LeavesAServerAloneThatFails) {
  std::atomic<int> asked = 0;
  const TestServer server([&asked](TestConnection& client) {
    ++asked;
    client.SendHead("503 Service Unavailable", "Retry-After: 20\r\nContent-Length: 0\r\n");
  });
  const auto completer = CompleterOf(SettingsFor(server));
  CompletionRequest request = At(R"([1, |])");
  request.time_budget = milliseconds(2000);
  for (int key = 0; key < 5; ++key) {
    const CompletionAnswer answer = completer->Complete(request, std::stop_token());
    EXPECT_TRUE(Has(answer.reason, "it answers 503")) << answer.reason;
    EXPECT_TRUE(Has(answer.reason, "asked again in")) << answer.reason;
  }
  EXPECT_EQ(asked, 1);
}

TEST_F(RemoteCompleterFaultsTest, AnswersInTimeWithWhatItHas) {
  const TestServer server([](TestConnection& client) {
    client.SendHead();
    client.SendEvent(Event("2"));
    client.SendEvent(Event(R"(, "b)"));
    client.WaitForClose();
  });
  RemoteSettings settings = SettingsFor(server);
  settings.silence = milliseconds(60'000);
  const auto completer = CompleterOf(settings);
  CompletionRequest request = At(R"([{"a": |}])");
  request.time_budget = milliseconds(300);
  const CompletionAnswer answer = completer->Complete(request, std::stop_token());
  EXPECT_EQ(With(request, answer), R"([{"a": 2}])");
  EXPECT_EQ(answer.items.front().ended, Ended::kTime);
  EXPECT_TRUE(answer.cut_by_time);
}

TEST_F(RemoteCompleterFaultsTest, AnswersInTimeWithWhatALineWithoutAConstraintHas) {
  const TestServer server([](TestConnection& client) {
    client.SendHead();
    client.SendEvent(Event("2 "));
    client.SendEvent(Event("thr"));
    client.WaitForClose();
  });
  RemoteSettings settings = SettingsFor(server);
  settings.silence = milliseconds(60'000);
  const auto completer = CompleterOf(settings);
  CompletionRequest request = At(R"([1, |])");
  request.constraint = ConstraintMode::kOff;
  request.time_budget = milliseconds(300);
  const CompletionAnswer answer = completer->Complete(request, std::stop_token());
  EXPECT_EQ(With(request, answer), "[1, 2 ]") << "the last word may go on";
  EXPECT_TRUE(answer.cut_by_time);
}

TEST_F(RemoteCompleterFaultsTest, IsCancelledWhileTheServerIsSilent) {
  std::stop_source stop;
  const TestServer server([&stop](TestConnection& client) {
    stop.request_stop();
    client.WaitForClose();
  });
  RemoteSettings settings = SettingsFor(server);
  settings.silence = milliseconds(60'000);
  const CompletionAnswer answer =
      CompleterOf(settings)->Complete(At(R"([1, |])"), stop.get_token());
  EXPECT_TRUE(answer.cancelled);
  EXPECT_TRUE(answer.items.empty());
}

}  // namespace
}  // namespace tenon::server
