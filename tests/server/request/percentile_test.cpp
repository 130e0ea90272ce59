#include "server/request/percentile.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Percentile, IsTheSmallestValueThatTheShareDoesNotExceed) {
  const std::vector<double> values = {1, 2, 3, 10};
  EXPECT_EQ(PercentileOf(values, 0), 1);
  EXPECT_EQ(PercentileOf(values, 0.25), 1);
  EXPECT_EQ(PercentileOf(values, 0.5), 2);
  EXPECT_EQ(PercentileOf(values, 0.51), 3);
  EXPECT_EQ(PercentileOf(values, 0.95), 10);
  EXPECT_EQ(PercentileOf(values, 1), 10);
  EXPECT_EQ(PercentileOf({7}, 0.5), 7);
}

}  // namespace
}  // namespace tenon::server
