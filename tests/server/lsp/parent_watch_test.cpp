#include "server/lsp/parent_watch.h"

#include <limits>

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

TEST_F(ParentWatchTest, DoesNotWatchAProcessThatItCannotSee) {
  for (const int64_t unseen :
       {int64_t{0}, int64_t{-1}, int64_t{1} << 40, int64_t{std::numeric_limits<int32_t>::max()}})
    watch_.Watch(unseen, [this] { ++ends_; });
  io_.run();  // nothing is waited for
  EXPECT_EQ(ends_, 0);
}

}  // namespace
}  // namespace tenon::server
