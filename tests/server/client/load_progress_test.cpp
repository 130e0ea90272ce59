#include "server/client/load_progress.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using nlohmann::json;

class LoadProgressTest : public testing::Test {
 protected:
  // The method of each message sent, with the kind of a progress.
  std::vector<std::string> Sent() const {
    std::vector<std::string> sent;
    for (const json& message : messages_) {
      const json value = message["params"].value("value", json::object());
      sent.push_back(message["method"].get<std::string>() + value.value("kind", ""));
    }
    return sent;
  }

  protocol::Response Created() const {
    protocol::Response response;
    response.id = std::string("tenon/model/create");
    return response;
  }

  std::vector<json> messages_;
  LoadProgress progress_{[this](const json& message) { messages_.push_back(message); }, "tenon/"};
};

TEST_F(LoadProgressTest, IsShownFromTheClientsAnswerToTheEndOfLoading) {
  progress_.Start();
  EXPECT_TRUE(progress_.OnResponse(Created()));
  progress_.End("ready");
  EXPECT_EQ(Sent(), (std::vector<std::string>{"window/workDoneProgress/create", "$/progressbegin",
                                              "$/progressend"}));
}

TEST_F(LoadProgressTest, IsNotShownWhereLoadingEndsFirst) {
  progress_.Start();
  progress_.End("ready");
  EXPECT_TRUE(progress_.OnResponse(Created()));
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/workDoneProgress/create"});
}

TEST_F(LoadProgressTest, ShowsHowFarLoadingIs) {
  progress_.Start();
  progress_.Report(30);
  progress_.OnResponse(Created());
  for (const int percent : {31, 31, 29, 100}) progress_.Report(percent);
  progress_.End("ready");
  progress_.Report(100);
  std::vector<int> shown;
  for (const json& message : messages_) {
    if (const auto value = message["params"].value("value", json()); value.contains("percentage"))
      shown.push_back(value["percentage"]);
  }
  EXPECT_EQ(shown, (std::vector<int>{30, 31, 100}));
  EXPECT_EQ(messages_.size(), 5U);
}

TEST_F(LoadProgressTest, LeavesOtherResponsesAlone) {
  protocol::Response other;
  other.id = int64_t{1};
  EXPECT_FALSE(progress_.OnResponse(other));
  EXPECT_TRUE(messages_.empty());
}

}  // namespace
}  // namespace tenon::server
