#include "server/request/deadline_stop.h"

#include <condition_variable>
#include <mutex>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

// Waits until the token says stop. A test that waits in vain ends by its own time limit.
void WaitFor(std::stop_token token) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait(lock, token, [] { return false; });
}

TEST(DeadlineStop, StopsWhenTheTimeIsOver) {
  const steady_clock::time_point begin = steady_clock::now();
  const DeadlineStop stop(Deadline(milliseconds(20), steady_clock::now), {});
  WaitFor(stop.token());
  EXPECT_GE(steady_clock::now() - begin, milliseconds(20));
}

TEST(DeadlineStop, StopsWhenTheRequestIsCancelled) {
  std::stop_source cancel;
  const DeadlineStop stop(Deadline(std::chrono::hours(10), steady_clock::now), cancel.get_token());
  EXPECT_FALSE(stop.token().stop_requested());
  cancel.request_stop();
  EXPECT_TRUE(stop.token().stop_requested());
}

TEST(DeadlineStop, IsTheCancellationWhereThereIsNoDeadline) {
  std::stop_source cancel;
  const DeadlineStop stop(Deadline(), cancel.get_token());
  EXPECT_EQ(stop.token(), cancel.get_token());
  EXPECT_FALSE(DeadlineStop(Deadline(), {}).token().stop_possible());
}

TEST(DeadlineStop, EndsBeforeItsTimeDoes) {
  const steady_clock::time_point begin = steady_clock::now();
  { const DeadlineStop stop(Deadline(std::chrono::hours(10), steady_clock::now), {}); }
  EXPECT_LT(steady_clock::now() - begin, std::chrono::hours(1));
}

}  // namespace
}  // namespace tenon::server
