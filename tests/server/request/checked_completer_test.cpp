#include "server/request/checked_completer.h"

#include <future>

#include <gtest/gtest.h>

#include "tests/server/fake_completer.h"

namespace tenon::server {
namespace {

CompletionRequest Question() {
  CompletionRequest request;
  request.text = std::string("x");
  return request;
}

TEST(CheckedCompleter, OffersUntilItsModelTurnsOutToBeDamaged) {
  std::promise<void> let_check;
  CheckedCompleter completer(std::make_unique<FakeCompleter>(),
                             [&let_check](const std::stop_token&) {
                               let_check.get_future().wait();
                               return std::optional<std::string>("damaged");
                             });
  EXPECT_EQ(completer.WaitUntilLoaded().state, CompleterState::kReady);
  EXPECT_EQ(completer.Complete(Question(), {}).items.size(), 1U);
  EXPECT_EQ(completer.CompleteAhead(Question(), {}).items.size(), 1U);

  const auto alive = std::make_shared<char>();
  std::promise<void> failed;
  completer.WhenFailed(alive, [&failed] { failed.set_value(); });
  let_check.set_value();
  failed.get_future().wait();
  EXPECT_EQ(completer.status().message, "damaged");
  EXPECT_EQ(completer.Complete(Question(), {}).reason, "damaged");
  EXPECT_TRUE(completer.CompleteAhead(Question(), {}).items.empty());
}

TEST(CheckedCompleter, AGoodModelStaysReady) {
  std::promise<void> checked;
  CheckedCompleter completer(std::make_unique<FakeCompleter>(),
                             [&checked](const std::stop_token&) -> std::optional<std::string> {
                               checked.set_value();
                               return std::nullopt;
                             });
  checked.get_future().wait();
  EXPECT_EQ(completer.status().state, CompleterState::kReady);
  EXPECT_EQ(completer.Complete(Question(), {}).items.size(), 1U);
}

TEST(CheckedCompleter, AModelThatDidNotLoadIsNotChecked) {
  bool checked = false;
  {
    const CheckedCompleter completer(std::make_unique<FakeCompleter>(CompleterState::kFailed),
                                     [&checked](const std::stop_token&) {
                                       checked = true;
                                       return std::optional<std::string>("damaged");
                                     });
    EXPECT_EQ(completer.WaitUntilLoaded().state, CompleterState::kFailed);
  }
  EXPECT_FALSE(checked);
}

TEST(CheckedCompleter, TellsHowFarItsModelIs) {
  auto inner = std::make_unique<FakeCompleter>(CompleterState::kLoading);
  FakeCompleter& loading = *inner;
  CheckedCompleter completer(std::move(inner), [](const auto&) { return std::nullopt; });
  loading.set_percent(40);
  EXPECT_EQ(completer.status().percent, 40);
}

TEST(CheckedCompleter, GoesWhileItsModelIsLoadingOrChecked) {
  { const CheckedCompleter loading(std::make_unique<FakeCompleter>(CompleterState::kLoading), {}); }
  bool stopped = false;
  std::promise<void> begun;
  {
    const CheckedCompleter checking(
        std::make_unique<FakeCompleter>(), [&](const std::stop_token& stop) {
          std::promise<void> told;
          const std::stop_callback when_told(stop, [&told] { told.set_value(); });
          begun.set_value();
          told.get_future().wait();
          stopped = true;
          return std::optional<std::string>();
        });
    begun.get_future().wait();
  }
  EXPECT_TRUE(stopped);
}

}  // namespace
}  // namespace tenon::server
