// Which questions carry a grammar, and what a server's refusal of it changes.
#include "server/remote/remote_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/server/remote/test_server.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using testing::ElementsAre;

const char* const kEnd = R"({"content":"","stop":true,"stop_type":"eos"})";

RemoteEngine EngineFor(const TestServer& server, const std::string& kind = "llama.cpp",
                       bool grammar = true) {
  RemoteSettings settings;
  settings.kind = kind;
  settings.url = server.url();
  settings.format = "qwen2.5-coder";
  settings.model = "m";
  settings.grammar = grammar;
  return *EngineOf(settings, [](const std::string&) { return std::nullopt; });
}

const Opening kSign{"", true};
const Opening kAny;

TextQuestion Question() {
  TextQuestion question;
  question.prompt = "x =";
  return question;
}

// Opens a stream for each of `all`. The answer: the faults' messages.
std::vector<std::string> OpenEach(const RemoteEngine& engine, const std::vector<Opening>& all) {
  ServerRecord record;
  std::vector<std::string> faults;
  for (const Opening& opening : all) {
    RemoteSource source(engine, record, Question(), Deadline(), std::stop_token());
    const auto stream = source.Open("", 8, opening);
    if (!stream) faults.push_back(stream.error().message);
  }
  return faults;
}

bool HasGrammar(const std::string& body) { return json::parse(body).contains("grammar"); }

std::vector<bool> WithGrammar(const TestServer& server) {
  std::vector<bool> all;
  for (const std::string& body : server.bodies()) all.push_back(HasGrammar(body));
  return all;
}

void Stream(TestConnection& client) {
  client.SendHead();
  client.SendEvent(kEnd);
}

void Refuse(TestConnection& client, std::string_view status = "400 Bad Request") {
  client.SendHead(status);
  client.Send(R"({"error": {"message": "failed to parse grammar"}})");
}

TEST(RemoteSource, SendsAGrammarWhereASignIsDue) {
  const TestServer server(Stream);
  EXPECT_THAT(OpenEach(EngineFor(server), {kSign, kAny, kSign}), ElementsAre());
  EXPECT_THAT(WithGrammar(server), ElementsAre(true, false, true));
  EXPECT_EQ(json::parse(server.bodies()[0])["grammar"],
            R"(root ::= "" [ \t\r\n]* [^ \t\r\n] [^\x00]*)");
}

TEST(RemoteSource, LetsHealedTextBeWrittenAnew) {
  const TestServer server(Stream);
  (void)OpenEach(EngineFor(server), {{"\t\"\\é", true}, {" pri", false}});
  EXPECT_EQ(json::parse(server.bodies()[0])["grammar"],
            R"(root ::= "\x09\"\\é" [ \t\r\n]* [^ \t\r\n] [^\x00]*)");
  EXPECT_EQ(json::parse(server.bodies()[1])["grammar"], R"(root ::= " pri" [^\x00]*)");
  EXPECT_EQ(json::parse(server.bodies()[1])["prompt"], "x =");
}

TEST(RemoteSource, BeginsWithTheHealedTextItselfWhereTheServerRefusesGrammars) {
  const TestServer server(
      [](TestConnection& client) { HasGrammar(client.body) ? Refuse(client) : Stream(client); });
  const RemoteEngine engine = EngineFor(server);
  ServerRecord record;
  for (int time = 0; time < 2; ++time) {
    RemoteSource source(engine, record, Question(), Deadline(), std::stop_token());
    const auto stream = source.Open("", 8, {" pri", true});
    ASSERT_TRUE(stream);
    EXPECT_EQ((**(*stream)->Next()).text.bytes, " pri");
    EXPECT_TRUE((**(*stream)->Next()).text.ends);
    EXPECT_EQ(json::parse(server.bodies().back())["prompt"], "x = pri");
  }
  EXPECT_THAT(WithGrammar(server), ElementsAre(true, false, false));
}

TEST(RemoteSource, SendsNoGrammarToOtherKindsOrWhereTheUserWantsNone) {
  const TestServer server(Stream);
  (void)OpenEach(EngineFor(server, "openai"), {kSign});
  (void)OpenEach(EngineFor(server, "ollama"), {kSign});
  (void)OpenEach(EngineFor(server, "llama.cpp", false), {kSign});
  EXPECT_THAT(WithGrammar(server), ElementsAre(false, false, false));
}

TEST(RemoteSource, AsksAServerThatRefusesGrammarsWithoutOneFromThenOn) {
  for (const char* status : {"400 Bad Request", "500 Internal Server Error"}) {
    const TestServer server([status](TestConnection& client) {
      HasGrammar(client.body) ? Refuse(client, status) : Stream(client);
    });
    EXPECT_THAT(OpenEach(EngineFor(server), {kSign, kSign, kSign}), ElementsAre());
    EXPECT_THAT(WithGrammar(server), ElementsAre(true, false, false, false)) << status;
  }
}

TEST(RemoteSource, BlamesNoGrammarForAnotherFault) {
  const TestServer server([](TestConnection& client) { Refuse(client); });
  const auto faults = OpenEach(EngineFor(server), {kSign, kSign});
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_THAT(faults[0], testing::HasSubstr("it answers 400, 'failed to parse grammar'"));
  EXPECT_THAT(WithGrammar(server), ElementsAre(true, false, true, false));
}

TEST(RemoteSource, AsksOnceWhereTheKeyIsWrong) {
  const TestServer server([](TestConnection& client) { Refuse(client, "401 Unauthorized"); });
  EXPECT_EQ(OpenEach(EngineFor(server), {kSign}).size(), 1u);
  EXPECT_THAT(WithGrammar(server), ElementsAre(true));
}

}  // namespace
}  // namespace tenon::server
