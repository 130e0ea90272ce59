#include "model/inference/tensor_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <span>
#include <utility>

namespace tenon::model {
namespace {

TEST(TensorMemory, IsZeroAndAlignedAndItsOwn) {
  const TensorMemory one(1000), other(1000);
  std::fill_n(static_cast<char*>(other.data()), 1000, 'x');
  EXPECT_NE(one.data(), other.data());
  EXPECT_EQ(reinterpret_cast<uintptr_t>(one.data()) % 64, 0U);
  const std::span<const char> bytes(static_cast<const char*>(one.data()), 1000);
  EXPECT_TRUE(std::all_of(bytes.begin(), bytes.end(), [](char c) { return c == 0; }));
}

TEST(TensorMemory, LivesOnWhereItIsMoved) {
  TensorMemory last;
  EXPECT_EQ(last.data(), nullptr);
  {
    TensorMemory first(8);
    *static_cast<int64_t*>(first.data()) = 7;
    last = std::move(first);
  }
  EXPECT_EQ(*static_cast<int64_t*>(last.data()), 7);
}

TEST(TensorMemory, MoreThanThereIsIsRefused) {
  EXPECT_THROW(TensorMemory(size_t{1} << 62), std::bad_alloc);
  EXPECT_THROW(TensorMemory(std::numeric_limits<size_t>::max()), std::bad_alloc);
}

}  // namespace
}  // namespace tenon::model
