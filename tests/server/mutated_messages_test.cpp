// Whatever comes, the server neither crashes nor hangs, answers each request exactly once, and
// keeps the texts of documents as the client has them.
#include <map>
#include <random>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include "protocol/framing.h"
#include "protocol/lsp_types.h"
#include "protocol/position_encoding.h"
#include "tests/protocol/naive_text.h"
#include "tests/server/in_process_server.h"
#include "tests/server/message_mutator.h"
#include "tests/server/test_arguments.h"

namespace tenon::server {
namespace {

using nlohmann::json;
using protocol::PositionEncoding;

int DepthOf(const json& value) {
  int depth = 0;
  if (!value.is_structured()) return depth;
  for (const json& child : value) depth = std::max(depth, DepthOf(child));
  return depth + 1;
}

// The id of a body that is a request by the letter of JSON-RPC; null where it is none.
json IdOfRequest(std::string body) {
  // Each byte that is no UTF-8 is read as U+FFFD.
  for (size_t at = 0; at < body.size();) {
    size_t length = protocol::CharacterBytes(std::string_view(body).substr(at));
    if (length == 1 && static_cast<unsigned char>(body[at]) >= 0x80) {
      body.replace(at, 1, "\uFFFD");
      length = 3;
    }
    at += length;
  }
  const json message = json::parse(body, nullptr, false);
  if (!message.is_object() || !message.contains("id") ||
      message.value("jsonrpc", json()) != "2.0" || !message.value("method", json()).is_string() ||
      DepthOf(message) > 128)
    return nullptr;
  const json params = message.value("params", json());
  if (!params.is_null() && !params.is_structured()) return nullptr;
  const json& id = message["id"];
  const bool too_large = id.is_number_unsigned() && id.get<uint64_t>() > INT64_MAX;
  return id.is_string() || (id.is_number_integer() && !too_large) ? id : json();
}

// A client that counts: requests without an answer, by id.
class CountingClient {
 public:
  explicit CountingClient(uint64_t seed) : mutator_(seed), seed_(seed) {
    const json start = {{"jsonrpc", "2.0"},
                        {"id", 0},
                        {"method", "initialize"},
                        {"params",
                         {{"capabilities",
                           {{"workspace", {{"configuration", seed % 2 == 0}}},
                            {"experimental", {{"tenon", {{"text", true}}}}}}}}}};
    Send(protocol::EncodeFrame(start.dump()));
    Send(protocol::EncodeFrame(R"({"jsonrpc":"2.0","method":"initialized","params":{}})"));
  }

  void SendOne() { Send(mutator_.Next()); }
  [[nodiscard]] bool ended() const { return server_.exit_code().has_value(); }

  // Ends the session: then nothing may be open.
  void Finish() {
    if (!ended()) {
      // A message that was announced too long still waits for its bytes.
      Send("\n" + protocol::EncodeFrame(R"({"jsonrpc":"2.0","id":"last","method":"shutdown"})"));
      Send(protocol::EncodeFrame(R"({"jsonrpc":"2.0","method":"exit"})"));
    }
    EXPECT_TRUE(ended()) << "seed " << seed_;
    for (const auto& [id, count] : open_)
      EXPECT_EQ(count, 0) << "request " << id << ", seed " << seed_;
  }

 private:
  void Send(const std::string& bytes) {
    reader_.Append(bytes);
    while (const auto frame = reader_.Next()) {
      if (ended()) return;
      const auto* body = std::get_if<std::string>(&*frame);
      if (body == nullptr) continue;
      const json id = IdOfRequest(*body);
      if (!id.is_null()) ++open_[id.dump()];
      server_.Feed(protocol::EncodeFrame(*body));
      TakeAnswers();
    }
  }

  void TakeAnswers() {
    for (const json& message : server_.Take()) {
      if (message.contains("method")) {
        if (message.contains("id")) Send(mutator_.AnswerTo(message));
        continue;
      }
      const std::string id = message["id"].dump();
      // A request that is none by the letter, but has an id, is refused under it.
      if (id == "null" ||
          (open_[id] == 0 && message.contains("error") && message["error"]["code"] == -32600))
        continue;
      EXPECT_GE(--open_[id], 0) << "a second answer to " << id << ", seed " << seed_;
    }
  }

  MessageMutator mutator_;
  uint64_t seed_;
  InProcessServer server_;
  protocol::FrameReader reader_;
  std::map<std::string, int> open_;
};

TEST(MutatedMessages, AreEachAnsweredOnceAndEndNoServer) {
  constexpr uint64_t kSession = 500;
  for (uint64_t sent = 0, seed = 1; sent < MutatedMessages(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CountingClient client(seed);
    for (uint64_t i = 0; i < kSession && !client.ended(); ++i, ++sent) client.SendOne();
    client.Finish();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(MutatedMessages, BrokenBytesOfAnyKindLeaveTheServerToItsNextClientMessage) {
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    InProcessServer server;
    server.Start();
    MessageMutator mutator(seed);
    std::mt19937_64 random(seed);
    for (int i = 0; i < 50 && !server.exit_code(); ++i) {
      std::string bytes = mutator.Next();
      for (uint64_t hits = random() % 4; hits > 0; --hits)
        bytes[random() % bytes.size()] = static_cast<char>(random() % 256);
      server.Feed(bytes);
    }
    if (server.exit_code()) continue;
    (void)server.Take();
    server.Feed("\n");
    server.Send({{"jsonrpc", "2.0"}, {"id", "mine"}, {"method", "tenon/status"}});
    int answers = 0;
    for (const json& message : server.Take()) answers += message.value("id", json()) == "mine";
    EXPECT_EQ(answers, 1) << "seed " << seed;
  }
}

TEST(MutatedMessages, EditsLeaveTheTextThatTheNaiveModelHas) {
  for (const PositionEncoding encoding :
       {PositionEncoding::kUtf8, PositionEncoding::kUtf16, PositionEncoding::kUtf32}) {
    static const std::map<PositionEncoding, const char*> kNames = {
        {PositionEncoding::kUtf8, "utf-8"},
        {PositionEncoding::kUtf16, "utf-16"},
        {PositionEncoding::kUtf32, "utf-32"}};
    std::mt19937 random(static_cast<unsigned>(encoding) + 1);
    InProcessServer server;
    server.Start({{"capabilities",
                   {{"general", {{"positionEncodings", {kNames.at(encoding)}}}},
                    {"experimental", {{"tenon", {{"text", true}}}}}}}});
    std::string naive = protocol::RandomText(random, 40);
    server.Open("test:///a.py", "python", naive);
    const json document = {{"uri", "test:///a.py"}, {"version", 2}};
    for (int change = 0; change < 300; ++change) {
      json changes = json::array();
      for (unsigned i = random() % 4; i > 0; --i) {
        const std::string inserted = protocol::RandomText(random, random() % 6);
        if (random() % 50 == 0) {
          changes.push_back({{"text", inserted}});
          naive = inserted;
          continue;
        }
        const auto lines = static_cast<uint32_t>(protocol::Places(naive, encoding).back().at.line);
        const auto position = [&random, lines] {
          return protocol::Position{static_cast<uint32_t>(random() % (lines + 3)),
                                    static_cast<uint32_t>(random() % 12)};
        };
        const protocol::Range range{position(), position()};
        changes.push_back({{"range", protocol::ToJson(range)}, {"text", inserted}});
        naive = protocol::NaiveEdit(std::move(naive), range, inserted, encoding);
      }
      server.Send({{"jsonrpc", "2.0"},
                   {"method", "textDocument/didChange"},
                   {"params", {{"textDocument", document}, {"contentChanges", changes}}}});
      (void)server.Take();
      server.Send({{"jsonrpc", "2.0"},
                   {"id", change},
                   {"method", "tenon/text"},
                   {"params", {{"textDocument", document}}}});
      const auto answers = server.Take();
      ASSERT_EQ(answers.size(), 1U);
      ASSERT_EQ(answers[0]["result"]["text"], naive) << kNames.at(encoding) << " " << change;
      ASSERT_EQ(answers[0]["result"]["inStep"], true);
    }
  }
}

}  // namespace
}  // namespace tenon::server
