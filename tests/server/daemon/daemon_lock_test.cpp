#include "server/daemon/daemon_lock.h"

#include <atomic>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace tenon::server {
namespace {

TEST(DaemonLock, TheFirstHasItUntilItEnds) {
  const TemporaryFolder folder;
  {
    auto first = DaemonLock::Take(folder.path() / "a.lock");
    ASSERT_TRUE(first.has_value());
    EXPECT_TRUE(first->first());
    first->Share();
    const auto second = DaemonLock::Take(folder.path() / "a.lock");
    ASSERT_TRUE(second.has_value());
    EXPECT_FALSE(second->first());
  }
  const auto third = DaemonLock::Take(folder.path() / "a.lock");
  EXPECT_TRUE(third.has_value() && third->first());
}

TEST(DaemonLock, TheSecondWaitsUntilTheFirstListens) {
  const TemporaryFolder folder;
  auto first = DaemonLock::Take(folder.path() / "a.lock");
  ASSERT_TRUE(first.has_value());
  std::atomic<bool> listens = false;
  std::thread second([&] {
    const auto lock = DaemonLock::Take(folder.path() / "a.lock");
    EXPECT_TRUE(lock.has_value() && !lock->first());
    EXPECT_TRUE(listens);
  });
  listens = true;
  first->Share();
  second.join();
}

TEST(DaemonLock, OfManyAtOnceOneIsFirst) {
  const TemporaryFolder folder;
  std::atomic<int> firsts = 0;
  std::vector<tl::expected<DaemonLock, std::string>> locks(8);
  std::vector<std::thread> starters;
  for (auto& lock : locks) {
    starters.emplace_back([&] {
      lock = DaemonLock::Take(folder.path() / "a.lock");
      ASSERT_TRUE(lock.has_value());
      if (lock->first()) ++firsts;
      lock->Share();
    });
  }
  for (std::thread& starter : starters) starter.join();
  EXPECT_EQ(firsts, 1);
}

TEST(DaemonLock, NamesTheFileThatCannotBeMade) {
  const auto lock = DaemonLock::Take("/nowhere/a.lock");
  ASSERT_FALSE(lock.has_value());
  EXPECT_NE(lock.error().find("/nowhere/a.lock"), std::string::npos);
}

}  // namespace
}  // namespace tenon::server
