#include "server/client/load_percent.h"

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

using std::chrono::milliseconds;

TEST(LoadPercent, IsToldTenTimesASecondAndAtTheEnd) {
  LoadPercent percent;
  const LoadPercent::Time begin{};
  EXPECT_FALSE(percent.IsTold(0, begin)) << "it begins with 0";
  EXPECT_TRUE(percent.IsTold(3, begin));
  EXPECT_FALSE(percent.IsTold(4, begin + milliseconds(20)));
  EXPECT_TRUE(percent.IsTold(9, begin + milliseconds(100)));
  EXPECT_FALSE(percent.IsTold(9, begin + milliseconds(300)));
  EXPECT_FALSE(percent.IsTold(8, begin + milliseconds(300)));
  EXPECT_TRUE(percent.IsTold(99, begin + milliseconds(300)));
  EXPECT_TRUE(percent.IsTold(100, begin + milliseconds(310)));
  EXPECT_FALSE(percent.IsTold(100, begin + milliseconds(500)));
}

TEST(LoadPercent, BeginsAnewWithAnotherModel) {
  LoadPercent percent;
  EXPECT_TRUE(percent.IsTold(100, {}));
  percent.Begin();
  EXPECT_TRUE(percent.IsTold(1, {}));
}

}  // namespace
}  // namespace tenon::server
