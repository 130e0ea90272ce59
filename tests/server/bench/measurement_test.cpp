#include "server/bench/measurement.h"

#include <chrono>

#include <gtest/gtest.h>

namespace tenon::server {
namespace {

TEST(Timings, MakeARowOfPercentiles) {
  Timings timings("opening", TimeUnit::kMilliseconds);
  EXPECT_TRUE(timings.empty());
  for (const int ms : {9, 1, 3, 2}) timings.Add(std::chrono::milliseconds(ms));
  timings.Note("file_bytes", 7);
  const nlohmann::json row = timings.Row();
  EXPECT_EQ(row["name"], "opening");
  EXPECT_EQ(row["unit"], "ms");
  EXPECT_EQ(row["count"], 4);
  EXPECT_EQ(row["file_bytes"], 7);
  EXPECT_NEAR(row["p50"], 2, 1e-9);
  EXPECT_NEAR(row["p90"], 9, 1e-9);
  EXPECT_NEAR(row["max"], 9, 1e-9);
  EXPECT_NEAR(timings.total(), 15, 1e-9);
}

TEST(Timings, RowsInMillisecondsHoldProcessorTime) {
  Timings slow("slow", TimeUnit::kMilliseconds), quick("quick", TimeUnit::kMicroseconds);
  volatile unsigned sum = 0;
  for (Timings* timings : {&slow, &quick}) {
    timings->Time([&] {
      for (unsigned i = 0; i < 1'000'000; ++i) sum = sum + i;
      return 0;
    });
  }
  EXPECT_GT(slow.Row()["cpu_p50"], 0.0);
  EXPECT_FALSE(quick.Row().contains("cpu_p50"));
}

TEST(Timings, ReturnWhatTheMeasuredWorkReturns) {
  Timings timings("work", TimeUnit::kMicroseconds);
  EXPECT_EQ(timings.Time([] { return 7; }), 7);
  EXPECT_GE(timings.last_taken().count(), 0);
  EXPECT_FALSE(timings.empty());
}

TEST(Measurement, ValuesOfAnyUnitHavePercentiles) {
  const nlohmann::json row = ValuesRow("prompt_512", "tokens/s", {9, 1, 3, 2});
  EXPECT_EQ(row, nlohmann::json({{"name", "prompt_512"},
                                 {"unit", "tokens/s"},
                                 {"p50", 2.0},
                                 {"p90", 9.0},
                                 {"p99", 9.0},
                                 {"max", 9.0},
                                 {"count", 4}}));
}

}  // namespace
}  // namespace tenon::server
