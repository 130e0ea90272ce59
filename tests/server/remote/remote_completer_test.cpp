// The whole path against servers in this process, good and bad ones: each request has one answer,
// and what is offered fits.
#include "server/remote/remote_completer.h"

#include <atomic>
#include <chrono>
#include <thread>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "server/remote/backoff.h"
#include "tests/server/cursor_request.h"
#include "tests/server/remote/test_server.h"
#include "tests/server/temporary_folder.h"
#include "tests/source_path.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

bool Has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// An event of llama.cpp with a token and its alternatives.
std::string Event(const std::string& text, const std::vector<std::string>& others = {}) {
  json shown = {{"token", text}, {"logprob", -0.5}, {"top_logprobs", json::array()}};
  for (const std::string& other : others)
    shown["top_logprobs"].push_back({{"token", other}, {"logprob", -1.5}});
  return json({{"content", text}, {"stop", false}, {"completion_probabilities", {shown}}}).dump();
}

const char* const kEnd = R"({"content":"","stop":true,"stop_type":"eos"})";

// Streams these events.
TestServer::Serve Streaming(std::vector<std::string> events) {
  return [events = std::move(events)](TestConnection& client) {
    client.SendHead("200 OK", "Content-Type: text/event-stream\r\n");
    for (const std::string& event : events) client.SendEvent(event);
  };
}

class RemoteCompleterTest : public testing::Test {
 protected:
  static void SetUpTestSuite() { languages_ = *LanguageRegistry::Load(SourcePath("grammars")); }
  static void TearDownTestSuite() { languages_.reset(); }

  static RemoteSettings SettingsFor(const TestServer& server) {
    RemoteSettings settings;
    settings.kind = "llama.cpp";
    settings.url = server.url();
    settings.format = "qwen2.5-coder";
    settings.silence = milliseconds(200);
    settings.grammar = false;  // the servers here decode by none
    return settings;
  }
  static std::unique_ptr<Completer> CompleterOf(const RemoteSettings& settings) {
    const auto no_environment = [](const std::string&) { return std::nullopt; };
    return MakeRemoteCompleter({EngineOf(settings, no_environment)}, languages_);
  }
  // A request whose cursor stands at the '|' of the text.
  static CompletionRequest At(std::string text) {
    CompletionRequest request = RequestAt(std::move(text), "json");
    request.name = "a.json";
    return request;
  }
  static CompletionAnswer Ask(const TestServer& server, const CompletionRequest& request) {
    return CompleterOf(SettingsFor(server))->Complete(request, std::stop_token());
  }
  // The text with the one item in its place.
  static std::string With(const CompletionRequest& request, const CompletionAnswer& answer) {
    EXPECT_EQ(answer.items.size(), 1u) << answer.reason;
    if (answer.items.empty()) return answer.reason;
    const std::string text = WithItem(request, answer.items.front());
    EXPECT_TRUE(json::accept(text)) << text;
    return text;
  }

  static inline std::shared_ptr<const LanguageRegistry> languages_;
};

TEST_F(RemoteCompleterTest, OffersWhatFits) {
  const TestServer server(Streaming({Event("2"), Event(", 3"), Event("]"), Event("never")}));
  const CompletionRequest request = At(R"({"a": [1, |]})");
  const CompletionAnswer answer = Ask(server, request);
  EXPECT_EQ(With(request, answer), R"({"a": [1, 2, 3]})");
  EXPECT_EQ(answer.items.front().guarantee, Guarantee::kFile);
  ASSERT_TRUE(answer.statistics);
  EXPECT_EQ(answer.statistics->requests, 1);
  ASSERT_EQ(server.bodies().size(), 1u);
  EXPECT_EQ(json::parse(server.bodies()[0])["prompt"],
            R"(<|fim_prefix|>{"a": [1, <|fim_suffix|><|fim_middle|>)");
}

TEST_F(RemoteCompleterTest, AsksAgainBehindWhatFits) {
  std::atomic<int> asked = 0;
  const TestServer server([&asked](TestConnection& client) {
    if (asked++ == 0)
      Streaming({Event("2"), Event(","), Event("}", {"]", "[", "5"}), Event("lost")})(client);
    else
      Streaming({Event("6"), Event("]"), kEnd})(client);
  });
  const CompletionRequest request = At(R"({"a": [1, |]})");
  const CompletionAnswer answer = Ask(server, request);
  EXPECT_EQ(With(request, answer), R"({"a": [1, 2,[6]]})");
  EXPECT_EQ(answer.statistics->requests, 2);
  EXPECT_EQ(answer.statistics->wasted, 1);
  EXPECT_TRUE(Has(json::parse(server.bodies()[1])["prompt"], "<|fim_middle|>2,["));
}

TEST_F(RemoteCompleterTest, LetsAPartialWordBeWrittenAnew) {
  const TestServer server(Streaming({Event(" tr"), Event("ue"), kEnd}));
  RemoteSettings settings = SettingsFor(server);
  settings.grammar = true;
  const CompletionRequest request = At("[1, t|, 2]");
  const auto completer = CompleterOf(settings);
  EXPECT_EQ(With(request, completer->Complete(request, std::stop_token())), "[1, true, 2]");
  ASSERT_EQ(server.bodies().size(), 1u);
  const json body = json::parse(server.bodies()[0]);
  EXPECT_EQ(body["prompt"], "<|fim_prefix|>[1,<|fim_suffix|>, 2]<|fim_middle|>");
  EXPECT_TRUE(Has(body["grammar"], R"(root ::= " t")")) << body["grammar"];
}

TEST_F(RemoteCompleterTest, OffersSeveralToAPerson) {
  std::atomic<int> asked = 0;
  const TestServer server([&asked](TestConnection& client) {
    if (asked++ == 0)
      Streaming({Event("2", {"3", "true"}), kEnd})(client);
    else
      Streaming({Event(", 4"), kEnd})(client);
  });
  CompletionRequest request = At(R"({"a": [1, |]})");
  request.candidates = 3;
  const CompletionAnswer answer = Ask(server, request);
  ASSERT_EQ(answer.items.size(), 3u) << answer.reason;
  EXPECT_EQ(answer.items[0].text, "2");
  for (const CompletionItem& item : answer.items)
    EXPECT_TRUE(json::accept(WithItem(request, item))) << item.text;
  EXPECT_EQ(asked, 3);
}

TEST_F(RemoteCompleterTest, KeepsTheConnectionOfAnAnswerThatCameToItsEnd) {
  const TestServer server([](TestConnection& client) {
    client.keeps = true;
    std::string body;
    for (const std::string& event : {Event("2"), std::string(kEnd)})
      body += "data: " + event + "\n\n";
    client.SendHead("200 OK", "Content-Length: " + std::to_string(body.size()) + "\r\n");
    client.Send(body);
  });
  const auto completer = CompleterOf(SettingsFor(server));
  const CompletionRequest request = At("[1, |]");
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(With(request, completer->Complete(request, std::stop_token())), "[1, 2]");
  EXPECT_EQ(server.bodies().size(), 3u);
  EXPECT_EQ(server.connections(), 1u);
}

TEST_F(RemoteCompleterTest, JudgesBytesOfAnyTokenizer) {
  // One byte an event, then everything in one event.
  std::vector<std::string> bytes;
  for (const char c : std::string(R"("x": {"y": [2]}, )")) bytes.push_back(Event({c}));
  bytes.push_back(kEnd);
  const CompletionRequest request = At(R"({|"a": 1})");
  const TestServer one_byte(Streaming(bytes));
  With(request, Ask(one_byte, request));
  const TestServer all(Streaming({Event(R"("x": {"y": [2]}, "a": 1} and more])"), kEnd}));
  With(request, Ask(all, request));
}

TEST_F(RemoteCompleterTest, WritesOnAfterAPrompt) {
  const TestServer server(Streaming({Event("-"), Event("55"), Event("5x"), kEnd}));
  CompletionRequest request;
  request.text = std::string("Phone: ");
  request.prompt = true;
  request.regex = "[0-9]{3}";
  const CompletionAnswer answer = Ask(server, request);
  ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
  EXPECT_EQ(answer.items.front().text.size(), 3u);
}

TEST_F(RemoteCompleterTest, WritesALineWithoutAConstraint) {
  const TestServer server(Streaming({Event("a"), Event(" b\nc")}));
  CompletionRequest request = At("x|\n");
  request.constraint = ConstraintMode::kOff;
  const CompletionAnswer answer = Ask(server, request);
  ASSERT_EQ(answer.items.size(), 1u) << answer.reason;
  EXPECT_EQ(answer.items.front().text, "a b");
}

struct Misbehaviour {
  const char* name;
  TestServer::Serve serve;
  const char* says;
};

TEST_F(RemoteCompleterTest, SaysWhatIsWrongWithAServer) {
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

TEST_F(RemoteCompleterTest, AsksABusyServerAgainAfterAWhile) {
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

TEST_F(RemoteCompleterTest, LeavesAServerAloneThatFails) {
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

TEST_F(RemoteCompleterTest, AnswersInTimeWithWhatItHas) {
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

TEST_F(RemoteCompleterTest, IsCancelledWhileTheServerIsSilent) {
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

TEST_F(RemoteCompleterTest, SpeaksTlsWithTheKeyThatAFileHolds) {
  const TemporaryFolder folder;
  const TestCertificate certificate = TestCertificate::For("IP:127.0.0.1");
  const TestServer server(Streaming({Event("2"), kEnd}), certificate);
  RemoteSettings settings = SettingsFor(server);
  settings.key_file = folder.Write("key", "  s3cret\n");
  const CompletionRequest request = At(R"([1, |])");
  const CompletionAnswer refused = CompleterOf(settings)->Complete(request, std::stop_token());
  EXPECT_TRUE(Has(refused.reason, "not trusted")) << refused.reason;
  settings.ca_file = folder.Write("ca.pem", certificate.certificate_pem);
  EXPECT_EQ(With(request, CompleterOf(settings)->Complete(request, std::stop_token())), "[1, 2]");
  ASSERT_EQ(server.heads().size(), 1u);
  EXPECT_TRUE(Has(server.heads()[0], "Authorization: Bearer s3cret")) << server.heads()[0];
}

}  // namespace
}  // namespace tenon::server
