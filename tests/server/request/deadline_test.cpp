#include "server/request/deadline.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

TEST(Deadline, PassesWhenItsBudgetIsOver) {
  std::chrono::steady_clock::time_point time;
  const Deadline deadline(milliseconds(300), [&time] { return time; });
  EXPECT_TRUE(deadline.exists());
  time += milliseconds(299);
  EXPECT_FALSE(deadline.passed());
  EXPECT_EQ(deadline.left(), milliseconds(1));
  time += milliseconds(1);
  EXPECT_TRUE(deadline.passed());
  EXPECT_EQ(deadline.left(), milliseconds(0));
  time += milliseconds(1);
  EXPECT_EQ(deadline.left(), milliseconds(0));
}

TEST(Deadline, NeverPassesWithoutABudget) {
  std::chrono::steady_clock::time_point time;
  const Deadline deadline(std::nullopt, [&time] { return time; });
  time += std::chrono::hours(1000);
  EXPECT_FALSE(deadline.exists());
  EXPECT_FALSE(deadline.passed());
  EXPECT_FALSE(Deadline().passed());
  EXPECT_EQ(deadline.left(), std::nullopt);
}

}  // namespace
}  // namespace tenon::server
