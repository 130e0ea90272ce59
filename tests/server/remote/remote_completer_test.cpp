// The whole path against a server in this process: each request has one answer, and what is offered
// fits. Servers that are slow, busy or wrong: remote_completer_faults_test.cpp.
#include "server/remote/remote_completer.h"

#include <atomic>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/remote/remote_completer_fixture.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class RemoteCompleterTest : public RemoteCompleterFixture {};

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
      Streaming({Event("2"), Event(","), Event("}", {")", "[", "5"}), Event("lost")})(client);
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

TEST_F(RemoteCompleterTest, SendsNothingThatNobodyHasAskedFor) {
  const TestServer server(Streaming({Event("2"), kEnd}));
  const auto completer = CompleterOf(SettingsFor(server));
  const CompletionRequest request = At("[1, |]");
  completer->ReadAhead(request, std::stop_token());
  EXPECT_TRUE(completer->CompleteAhead(request, std::stop_token()).cancelled);
  EXPECT_TRUE(completer->GoOn(std::stop_token()).cancelled);
  EXPECT_EQ(server.connections(), 0u);
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
