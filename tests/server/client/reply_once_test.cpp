#include "server/client/reply_once.h"

#include <optional>
#include <sstream>
#include <vector>

#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

namespace tenon::server {
namespace {

using nlohmann::json;

class ReplyOnceTest : public testing::Test {
 protected:
  ReplyOnce Duty() {
    return {int64_t{7}, "textDocument/completion",
            [this](const json& message) { sent_.push_back(message); }, log_};
  }

  std::ostringstream log_text_;
  std::shared_ptr<spdlog::logger> log_ = std::make_shared<spdlog::logger>(
      "test", std::make_shared<spdlog::sinks::ostream_sink_st>(log_text_));
  std::vector<json> sent_;
};

TEST_F(ReplyOnceTest, SendsTheFirstAnswerAndDropsTheSecond) {
  const ReplyOnce reply = Duty(), copy = reply;
  EXPECT_FALSE(reply.answered());
  copy.Result("first");
  reply.Error(protocol::ErrorCode::kInternalError, "second");
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_EQ(sent_[0]["id"], 7);
  EXPECT_EQ(sent_[0]["result"], "first");
  EXPECT_TRUE(reply.answered());
  EXPECT_NE(log_text_.str().find("answered twice"), std::string::npos) << log_text_.str();
}

TEST_F(ReplyOnceTest, AnswersWithAnErrorWhenTheLastCopyGoesAway) {
  std::optional<ReplyOnce> reply = Duty(), copy = reply;
  reply.reset();
  EXPECT_TRUE(sent_.empty());
  copy.reset();
  ASSERT_EQ(sent_.size(), 1u);
  EXPECT_EQ(sent_[0]["error"]["code"], static_cast<int>(protocol::ErrorCode::kInternalError));
}

}  // namespace
}  // namespace tenon::server
