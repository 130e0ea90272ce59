// Sessions with an InProcessServer are recorded, and played again with another one.
#include "server/session/session_replay.h"

#include <deque>
#include <functional>

#include <gtest/gtest.h>

#include "tests/server/in_process_server.h"
#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

json Ask(int64_t id, const char* method, uint32_t character) {
  return {{"jsonrpc", "2.0"},
          {"id", id},
          {"method", method},
          {"params",
           {{"textDocument", {{"uri", "test:///a.py"}}},
            {"position", {{"line", 0}, {"character", character}}}}}};
}

class SessionReplayTest : public testing::Test {
 protected:
  // A request that is answered, one that an edit supersedes, one that is cancelled, no JSON at all.
  std::vector<RecordedMessage> Record() {
    const std::string path = (folder_.path() / "session.jsonl").string();
    auto record =
        SessionRecord::Begin(path, "1", [] { return std::chrono::steady_clock::time_point(); }, {});
    EXPECT_TRUE(record);
    InProcessServer server({}, *record);
    server.Start({{"processId", 4711}});
    server.Open("test:///a.py", "python", "x = ");
    server.Send(Ask(1, "textDocument/completion", 4));
    server.Open("test:///a.py", "python", "SLOW");
    server.Send(Ask(2, "textDocument/inlineCompletion", 4));
    server.Open("test:///a.py", "python", "SLOW");
    server.Send(Ask(3, "textDocument/inlineCompletion", 4));
    server.Send({{"jsonrpc", "2.0"}, {"method", "$/cancelRequest"}, {"params", {{"id", 3}}}});
    server.Feed(protocol::EncodeFrame("{"));
    server.Send({{"jsonrpc", "2.0"}, {"id", 4}, {"method", "shutdown"}});
    auto read = ReadSessionRecord(path);
    EXPECT_TRUE(read) << read.error();
    return *read;
  }

  // `hears`: each message of the player, before the server does.
  static std::vector<ReplayedAnswer> Play(
      const std::vector<RecordedMessage>& record, InProcessServer& server,
      const std::function<void(const std::string& body)>& hears = [](const std::string&) {}) {
    std::deque<json> said;
    return Replay(record,
                  {[&](const std::string& body) {
                     hears(body);
                     server.Feed(protocol::EncodeFrame(body));
                     for (const json& message : server.Take()) said.push_back(message);
                   },
                   [&](milliseconds) -> std::optional<json> {
                     if (said.empty()) return std::nullopt;
                     json message = std::move(said.front());
                     said.pop_front();
                     return message;
                   }},
                  milliseconds(1));
  }

  TemporaryFolder folder_;
};

TEST_F(SessionReplayTest, TheSameServerAnswersTheSame) {
  const auto record = Record();
  InProcessServer server;
  const auto answers = Play(record, server);
  ASSERT_EQ(answers.size(), 5U);
  for (const ReplayedAnswer& answer : answers)
    EXPECT_EQ(answer.verdict, ReplayVerdict::kSame) << answer.method << answer.now;
  EXPECT_EQ(answers[0].method, "initialize");
  EXPECT_EQ(answers[3].now["error"]["code"], -32800);
  EXPECT_EQ(server.watched_process(), 0) << "the editor of the record is long gone";
}

TEST_F(SessionReplayTest, ADifferenceIsOneUnlessTimeDecided) {
  auto record = Record();
  for (RecordedMessage& message : record) {
    if (message.from_client || !message.message.contains("id")) continue;
    if (message.message["id"] == 1) message.message["result"]["items"][0]["label"] = "other";
    if (message.message["id"] == 2) message.message["result"] = {{"items", {1}}};
  }
  InProcessServer server;
  const auto answers = Play(record, server);
  EXPECT_EQ(answers[1].verdict, ReplayVerdict::kDifferent);
  EXPECT_EQ(answers[2].verdict, ReplayVerdict::kTime) << "nothing was offered in time";
  EXPECT_EQ(answers[4].verdict, ReplayVerdict::kSame);
}

TEST_F(SessionReplayTest, TheFirstCompletionWaitsForTheModel) {
  auto record = Record();
  record.at(0).message["params"]["initializationOptions"] = {{"model", "slow.gguf"}};
  InProcessServer server;
  int asked = 0;
  const auto answers = Play(record, server, [&](const std::string& body) {
    if (Has(body, "\"tenon/status\"") && ++asked == 3) server.FinishLoading();
  });
  EXPECT_EQ(asked, 3);
  ASSERT_EQ(answers.size(), 5U);
  EXPECT_EQ(answers[1].verdict, ReplayVerdict::kSame) << answers[1].now;
}

TEST_F(SessionReplayTest, LatenciesAreNotCompared) {
  auto record = Record();
  record.insert(record.begin() + 3,
                {{1, true, {{"jsonrpc", "2.0"}, {"id", "s"}, {"method", "tenon/status"}}, ""},
                 {1, false, {{"jsonrpc", "2.0"}, {"id", "s"}, {"result", 1}}, ""}});
  InProcessServer server;
  const auto answers = Play(record, server);
  ASSERT_EQ(answers.size(), 6U);
  EXPECT_EQ(answers[1].verdict, ReplayVerdict::kTime);
}

TEST_F(SessionReplayTest, AnAnswerThatDoesNotComeIsMissing) {
  auto record = Record();
  record.push_back({9, false, {{"id", 77}, {"result", nullptr}}, ""});
  record.push_back({9, false, {{"method", "window/showMessage"}, {"params", nullptr}}, ""});
  InProcessServer server;
  EXPECT_EQ(Play(record, server).back().verdict, ReplayVerdict::kMissing);
}

TEST_F(SessionReplayTest, WhatIsNoRecordIsNamedWithItsLine) {
  EXPECT_NE(ReadSessionRecord("/nowhere/r").error().find("/nowhere/r"), std::string::npos);
  EXPECT_FALSE(ReadSessionRecord("/tmp"));
  const std::string path = folder_.Write("r", "{\"record\": 1}\n{\"ms\": 1}\n");
  EXPECT_NE(ReadSessionRecord(path).error().find(path + ":2:"), std::string::npos);
  const std::string two = folder_.Write("two", R"({"record": 1}
{"ms": 0, "client": 1, "from": "client", "message": {}}
{"ms": 0, "client": 2, "from": "client", "message": {}}
)");
  EXPECT_EQ(ReadSessionRecord(two)->size(), 1U);
  EXPECT_TRUE(ReadSessionRecord(two, 200));
  const auto longer = ReadSessionRecord(two, 100);
  ASSERT_FALSE(longer);
  EXPECT_NE(longer.error().find(two + ":3: a line has at most"), std::string::npos)
      << longer.error();
}

}  // namespace
}  // namespace tenon::server
