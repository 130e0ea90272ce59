#include "server/remote/backoff.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(Backoff, DoublesUpToItsMost) {
  Backoff backoff;
  const Backoff::Time now{seconds(100)};
  EXPECT_EQ(backoff.Left(now), milliseconds(0));
  backoff.Failed(now);
  EXPECT_EQ(backoff.Left(now), milliseconds(250));
  EXPECT_EQ(backoff.Left(now + milliseconds(200)), milliseconds(50));
  EXPECT_EQ(backoff.Left(now + seconds(1)), milliseconds(0));
  backoff.Failed(now);
  EXPECT_EQ(backoff.Left(now), milliseconds(500));
  for (int i = 0; i < 20; ++i) backoff.Failed(now);
  EXPECT_EQ(backoff.Left(now), Backoff::kMaxPause);
  backoff.Succeeded();
  EXPECT_EQ(backoff.Left(now), milliseconds(0));
  backoff.Failed(now);
  EXPECT_EQ(backoff.Left(now), milliseconds(250));
}

TEST(Backoff, LeavesAServerAloneAsLongAsItSaysWithinReason) {
  Backoff backoff;
  const Backoff::Time now{seconds(100)};
  backoff.Failed(now, seconds(2));
  EXPECT_EQ(backoff.Left(now), seconds(2));
  backoff.Failed(now, seconds(3600));
  EXPECT_EQ(backoff.Left(now), Backoff::kMaxPause);
}

}  // namespace
}  // namespace tenon::server
