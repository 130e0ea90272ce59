// Waiting for a completer that loads: by a thread, and by a function that is called.
#include "server/request/completer.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/fake_completer.h"

namespace tenon::server {
namespace {

TEST(Completer, NamesHowAnItemEnded) {
  EXPECT_STREQ(ToString(Ended::kStop), "stop");
  EXPECT_STREQ(ToString(Ended::kBudget), "budget");
  EXPECT_STREQ(ToString(Ended::kTime), "time");
  EXPECT_STREQ(ToString(Ended::kWitness), "witness");
}

TEST(Completer, ShowsNoWordsUnaskedThatNobodyDrew) {
  CompletionItem item{.text = "f(a)", .nats = {{2, 0.1}}};
  EXPECT_TRUE(MayBeShownUnasked(item, "x = ", 4, 0.5));
  item.nats.push_back({4, kNobodyDrew});
  EXPECT_FALSE(MayBeShownUnasked(item, "x = ", 4, 0.5));
}

TEST(Completer, WaitsUntilItIsLoaded) {
  FakeCompleter completer(CompleterState::kLoading);
  CompleterState seen = CompleterState::kLoading;
  {
    const std::jthread waiting([&] { seen = completer.WaitUntilLoaded().state; });
    completer.set_state(CompleterState::kReady);
  }
  EXPECT_EQ(seen, CompleterState::kReady);
  EXPECT_EQ(completer.WaitUntilLoaded().message, "fake model");
}

TEST(Completer, WaitsNoLongerThanItIsWaitedFor) {
  FakeCompleter completer(CompleterState::kLoading);
  CompleterState seen = CompleterState::kReady;
  {
    std::jthread waiting(
        [&](const std::stop_token& stop) { seen = completer.WaitUntilLoaded(stop).state; });
    waiting.request_stop();
  }
  EXPECT_EQ(seen, CompleterState::kLoading);
}

TEST(Completer, CallsOnceWhatWaitsForIt) {
  FakeCompleter completer(CompleterState::kLoading);
  int calls = 0;
  completer.WhenLoaded([&calls] { ++calls; });
  EXPECT_EQ(calls, 0);
  completer.set_state(CompleterState::kFailed);
  completer.set_state(CompleterState::kReady);
  EXPECT_EQ(calls, 1);
  completer.WhenLoaded([&calls] { ++calls; });  // at once
  EXPECT_EQ(calls, 2);
}

TEST(Completer, TellsOfAFaultThatComesAfterLoadingToThoseThatLive) {
  FakeCompleter completer(CompleterState::kReady);
  int told = 0;
  const auto alive = std::make_shared<char>();
  completer.WhenFailed(alive, [&told] { ++told; });
  completer.WhenFailed(std::make_shared<char>(), [&told] { told += 10; });  // has gone
  EXPECT_EQ(told, 0);
  completer.set_state(CompleterState::kFailed);
  completer.set_state(CompleterState::kFailed);
  EXPECT_EQ(told, 1);
  completer.WhenFailed(alive, [&told] { ++told; });  // at once
  EXPECT_EQ(told, 2);
}

TEST(Completer, TellsThoseThatLiveWhenMoreOfItIsLoaded) {
  FakeCompleter completer(CompleterState::kLoading);
  std::vector<int> heard;
  const auto alive = std::make_shared<char>();
  completer.WhenProgress(alive, [&] { heard.push_back(completer.status().percent); });
  completer.WhenProgress(std::make_shared<char>(), [&heard] { heard.push_back(-1); });  // has gone
  for (const int percent : {3, 3, 70, 100}) completer.set_percent(percent);
  completer.set_state(CompleterState::kReady);
  EXPECT_EQ(heard, (std::vector<int>{3, 70, 100}));
}

}  // namespace
}  // namespace tenon::server
