#include "server/scheduling/shared_completer.h"

#include <vector>

#include <gtest/gtest.h>

#include "tests/server/fake_completer.h"

namespace tenon::server {
namespace {

TEST(SharedCompleter, AModelThatFailedIsTriedAgainByTheNextClientOrTheUser) {
  std::vector<std::string> made;
  CompleterState state = CompleterState::kFailed;
  SharedCompleter shared(
      [&](const Settings& settings) {
        made.push_back(*settings.model);
        return std::make_unique<FakeCompleter>(state);
      },
      [](const std::function<void()>&) {});
  Settings settings;
  settings.model = "a";
  Completer& completer = shared.Start(settings);
  EXPECT_EQ(completer.status().state, CompleterState::kFailed);
  int told = 0;
  auto alive = std::make_shared<char>();
  shared.WhenMadeAgain(alive, [&told] { ++told; });
  settings.model = "b";
  EXPECT_EQ(&shared.Start(settings), &completer);
  EXPECT_EQ(completer.status().state, CompleterState::kFailed);
  state = CompleterState::kReady;
  shared.TryAgain(settings);
  EXPECT_EQ(completer.status().state, CompleterState::kReady);
  EXPECT_EQ(told, 2);
  shared.TryAgain(settings);
  shared.Start(settings);
  EXPECT_EQ(told, 2) << "it was not made again";
  EXPECT_EQ(made, (std::vector<std::string>{"a", "b", "b"}));
  CompletionRequest request;
  request.text = std::string("x");
  EXPECT_EQ(completer.Complete(request, {}).items.size(), 1U);
}

TEST(ReplaceableCompleter, ItsStatusFollowsTheOneInside) {
  ReplaceableCompleter completer;
  const auto slow = std::make_shared<FakeCompleter>(CompleterState::kLoading);
  completer.Use(slow);
  int loaded = 0;
  completer.WhenLoaded([&loaded] { ++loaded; });
  EXPECT_EQ(completer.status().state, CompleterState::kLoading);
  slow->set_percent(40);
  EXPECT_EQ(completer.status().percent, 40);
  slow->set_state(CompleterState::kReady);
  EXPECT_EQ(completer.status().state, CompleterState::kReady);
  EXPECT_EQ(loaded, 1);
  slow->set_state(CompleterState::kFailed);
  EXPECT_EQ(completer.status().state, CompleterState::kFailed);
}

}  // namespace
}  // namespace tenon::server
