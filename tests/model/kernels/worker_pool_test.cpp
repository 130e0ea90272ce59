#include "model/kernels/worker_pool.h"

#include <gtest/gtest.h>

#include <numeric>
#include <stdexcept>

namespace tenon::model {
namespace {

TEST(WorkerPool, EveryPieceRunsOnceInASlotOfThePool) {
  for (const int threads : {1, 2, 5}) {
    WorkerPool pool(threads);
    EXPECT_EQ(pool.slots(), threads);
    for (int round = 0; round < 2000; ++round) {
      const int count = round % 9;
      std::vector<std::atomic<int>> ran(count);
      pool.Run(count, [&](int index, int slot) {
        EXPECT_GE(slot, 0);
        EXPECT_LT(slot, threads);
        ++ran[index];
      });
      for (const auto& times : ran) ASSERT_EQ(times, 1);
    }
  }
}

TEST(WorkerPool, WorkersWakeUpAfterSleeping) {
  WorkerPool pool(3);
  for (int round = 0; round < 20; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::atomic<int> sum{0};
    pool.Run(100, [&](int index, int) { sum += index; });
    EXPECT_EQ(sum, 4950);
  }
}

TEST(WorkerPool, AnExceptionReachesTheCallerAndThePoolGoesOn) {
  for (const int threads : {1, 3}) {
    WorkerPool pool(threads);
    const auto fail = [&] {
      pool.Run(8, [](int index, int) {
        if (index == 5) throw std::runtime_error("five");
      });
    };
    EXPECT_THROW(fail(), std::runtime_error);
    std::atomic<int> count{0};
    pool.Run(8, [&](int, int) { ++count; });
    EXPECT_EQ(count, 8);
  }
}

TEST(WorkerPool, ATaskMayHaveMorePiecesThanATicketCounts) {
  WorkerPool pool(3);
  constexpr int kPieces = 200'001;
  std::vector<std::atomic<int>> ran(kPieces);
  pool.Run(kPieces, [&](int index, int) { ++ran[index]; });
  for (const auto& times : ran) ASSERT_EQ(times, 1);
}

TEST(WorkerPool, EachNewThreadStartsWithTheGivenCall) {
  std::atomic<int> started{0};
  {
    WorkerPool pool(4, [&] { ++started; });
  }
  EXPECT_EQ(started, 3);
}

}  // namespace
}  // namespace tenon::model
