#include "server/lsp/parent_watch.h"

#include <sys/resource.h>

#include <chrono>
#include <limits>
#include <memory>
#include <thread>

#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include "tests/server/child_process.h"

namespace tenon::server {
namespace {

class ParentWatchTest : public testing::Test {
 protected:
  boost::asio::io_context io_;
  ParentWatch watch_{io_, std::make_shared<spdlog::logger>(
                              "test", std::make_shared<spdlog::sinks::null_sink_mt>())};
  int ends_ = 0;
};

TEST_F(ParentWatchTest, TellsOnceThatTheProcessHasEnded) {
  ChildProcess editor({"/bin/sleep", "600"});
  watch_.Watch(editor.pid(), [this] { ++ends_; });
  io_.poll();
  EXPECT_EQ(ends_, 0);
  editor.Kill();
  io_.restart();
  io_.run();
  EXPECT_EQ(ends_, 1);
}

// Without a descriptor left the process is looked for every two seconds. Both timers have expired
// when the first is heard, so the second handler is on its way when its watch is stopped.
TEST_F(ParentWatchTest, AfterStopNothingIsTold) {
  ChildProcess editor({"/bin/sleep", "600"});
  auto other = std::make_unique<ParentWatch>(
      io_,
      std::make_shared<spdlog::logger>("test", std::make_shared<spdlog::sinks::null_sink_mt>()));
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  watch_.Watch(editor.pid(), [&] {
    ++ends_;
    other->Stop();
    other.reset();
  });
  other->Watch(editor.pid(), [this] { ++ends_; });
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
  editor.Kill();
  editor.Wait();
  std::this_thread::sleep_for(std::chrono::milliseconds(2100));
  io_.run();
  EXPECT_EQ(ends_, 1);
}

TEST_F(ParentWatchTest, DoesNotWatchAProcessThatItCannotSee) {
  for (const int64_t unseen :
       {int64_t{0}, int64_t{-1}, int64_t{1} << 40, int64_t{std::numeric_limits<int32_t>::max()}})
    watch_.Watch(unseen, [this] { ++ends_; });
  io_.run();  // nothing is waited for
  EXPECT_EQ(ends_, 0);
}

}  // namespace
}  // namespace tenon::server
