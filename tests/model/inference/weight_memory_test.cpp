#include "model/inference/weight_memory.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>

namespace tenon::model {
namespace {

TEST(WeightMemory, GivesAlignedBytesThatNobodyElseHas) {
  WeightMemory memory;
  std::set<uint8_t*> ends;
  for (const size_t bytes : {size_t{1}, size_t{100}, size_t{64}, size_t{100} << 20, size_t{3}}) {
    uint8_t* taken = memory.Take(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(taken) % WeightMemory::kAlignment, 0u);
    taken[0] = taken[bytes - 1] = 7;
    // The next stretch that was given begins after this one's end.
    const auto after = ends.lower_bound(taken);
    EXPECT_TRUE(after == ends.end() || *after > taken + bytes) << bytes;
    ends.insert(taken + bytes);
  }
}

TEST(WeightMemory, FillsABlockBeforeItTakesAnother) {
  WeightMemory memory;
  uint8_t* first = memory.Take(1000);
  EXPECT_EQ(memory.Take(1000), first + 1024);
}

}  // namespace
}  // namespace tenon::model
