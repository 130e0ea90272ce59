#include "server/lsp/message_trace.h"

#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

class MessageTraceTest : public testing::Test {
 protected:
  std::vector<json> sent_;
  int64_t time_ms_ = 0;
  MessageTrace trace_{[this](const json& message) { sent_.push_back(message); },
                      [this] { return steady_clock::time_point(milliseconds(time_ms_)); }};
};

TEST_F(MessageTraceTest, TellsOfAnswersAsMuchAsIsWanted) {
  const protocol::Request request{int64_t{3}, "textDocument/completion", nullptr};
  trace_.Around(request)({{"id", 3}});
  EXPECT_EQ(sent_.size(), 1U);
  EXPECT_TRUE(trace_.Set("messages"));
  trace_.Around(request)({{"id", 3}});
  ASSERT_EQ(sent_.size(), 3U);
  EXPECT_EQ(sent_[2]["method"], "$/logTrace");
  EXPECT_EQ(sent_[2]["params"], (json{{"message", "textDocument/completion 3 was answered"}}));
  const SendMessage send = trace_.Around(request);
  EXPECT_TRUE(trace_.Set("verbose"));
  time_ms_ = 25;
  send({{"id", 3}});
  EXPECT_EQ(sent_[4]["params"]["verbose"], "after 25.0 ms: {\"id\":3}");
  EXPECT_FALSE(trace_.Set("loud"));
}

TEST_F(MessageTraceTest, ALongAnswerIsCutBetweenCharacters) {
  trace_.Set("verbose");
  std::string text;
  for (int i = 0; i < 999; ++i) text += "é";
  trace_.Around({std::string("a"), "m", nullptr})({{"text", text}});
  const std::string verbose = sent_[1]["params"]["verbose"];
  EXPECT_LT(verbose.size(), 1100U);
  EXPECT_EQ(protocol::Dump(verbose).find("\xEF\xBF\xBD"), std::string::npos);
}

}  // namespace
}  // namespace tenon::server
