#include "server/client/load_watch.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/fake_completer.h"

namespace tenon::server {
namespace {

using nlohmann::json;

class LoadWatchTest : public testing::Test {
 protected:
  LoadWatchTest() {
    client_.work_done_progress = true;
    client_.message_actions = true;
  }

  void RunPosted() {
    while (!posted_.empty()) {
      const auto task = std::move(posted_.front());
      posted_.pop_front();
      task();
    }
  }
  // The methods of the messages since the last call.
  std::vector<std::string> Sent() {
    std::vector<std::string> methods;
    for (const json& message : std::exchange(sent_, {})) {
      std::string method = message["method"];
      const json& params = message["params"];
      if (method == "$/progress") method += " " + params["value"]["kind"].get<std::string>();
      methods.push_back(std::move(method));
    }
    return methods;
  }

  ClientProfile client_;
  std::vector<json> sent_;
  std::deque<std::function<void()>> posted_;
  int statuses_ = 0, readies_ = 0, loads_ = 0;
  FakeCompleter completer_{CompleterState::kLoading};
  ClientRequests requests_{[this](const json& message) { sent_.push_back(message); }};
  LoadWatch watch_{{client_, requests_, [this](const json& message) { sent_.push_back(message); },
                    [this](std::function<void()> task) { posted_.push_back(std::move(task)); },
                    std::make_shared<spdlog::logger>("test"),
                    [] { return std::chrono::steady_clock::time_point(); }, [this] { ++statuses_; },
                    [this] { ++readies_; },
                    [this] {
                      ++loads_;
                      completer_.set_state(CompleterState::kLoading);
                      watch_.Again();
                    }}};
};

TEST_F(LoadWatchTest, ShowsPercentsUntilTheModelIsLoaded) {
  watch_.Start(completer_);
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/workDoneProgress/create"});
  EXPECT_TRUE(watch_.OnResponse({std::string("tenon/model/create"), std::nullopt, nullptr}));
  EXPECT_EQ(Sent(), std::vector<std::string>{"$/progress begin"});
  completer_.set_percent(41);
  EXPECT_TRUE(sent_.empty()) << "the completer's thread tells nothing by itself";
  RunPosted();
  EXPECT_EQ(Sent(), std::vector<std::string>{"$/progress report"});
  EXPECT_EQ(statuses_, 1);
  completer_.set_state(CompleterState::kReady);
  RunPosted();
  EXPECT_EQ(Sent(), (std::vector<std::string>{"$/progress report", "$/progress end"}));
  EXPECT_EQ(statuses_, 2);
  EXPECT_EQ(readies_, 1);
}

TEST_F(LoadWatchTest, TellsOfAModelThatFailsAfterItWasLoaded) {
  completer_.set_state(CompleterState::kReady);
  watch_.Start(completer_);
  RunPosted();
  EXPECT_TRUE(Sent().empty());
  completer_.set_state(CompleterState::kFailed);
  RunPosted();
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/showMessageRequest"});
}

TEST_F(LoadWatchTest, LoadsAgainWhereTheUserWantsIt) {
  completer_.set_state(CompleterState::kFailed);
  watch_.Start(completer_);
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/showMessageRequest"});
  EXPECT_TRUE(
      requests_.OnResponse({std::string("tenon/1"), std::nullopt, {{"title", "Try again"}}}));
  EXPECT_EQ(loads_, 1);
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/workDoneProgress/create"});
}

TEST_F(LoadWatchTest, WatchesAModelThatAnotherClientLoads) {
  completer_.set_state(CompleterState::kFailed);
  watch_.Start(completer_);
  Sent();
  watch_.Again();
  EXPECT_TRUE(Sent().empty()) << "the user knows that it has failed";
  completer_.set_state(CompleterState::kLoading);
  watch_.Again();
  watch_.Again();
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/workDoneProgress/create"});
  EXPECT_TRUE(watch_.OnResponse({std::string("tenon/model/create"), std::nullopt, nullptr}));
  const int statuses = statuses_;
  completer_.set_state(CompleterState::kReady);
  RunPosted();
  EXPECT_EQ(Sent(),
            (std::vector<std::string>{"$/progress begin", "$/progress report", "$/progress end"}));
  EXPECT_EQ(statuses_, statuses + 1);
  completer_.set_state(CompleterState::kFailed);
  RunPosted();
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/showMessageRequest"}) << "a new failure";
}

TEST_F(LoadWatchTest, AClientWithoutActionsGetsAMessageAlone) {
  client_.message_actions = false;
  completer_.set_state(CompleterState::kFailed);
  watch_.Start(completer_);
  EXPECT_EQ(Sent(), std::vector<std::string>{"window/showMessage"});
}

TEST_F(LoadWatchTest, AfterStopNothingIsTold) {
  watch_.Start(completer_);
  Sent();
  completer_.set_percent(41);
  completer_.set_state(CompleterState::kFailed);
  watch_.Stop();
  RunPosted();
  EXPECT_TRUE(Sent().empty());
  EXPECT_EQ(statuses_, 0);
}

}  // namespace
}  // namespace tenon::server
