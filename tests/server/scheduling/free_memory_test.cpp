#include "server/scheduling/free_memory.h"

#include <cstdlib>
#include <memory>

#include <gtest/gtest.h>
#include <malloc.h>

namespace tenon::server {
namespace {

// The bytes of blocks that have pages of their own.
size_t BytesApart() { return mallinfo2().hblkhd; }

using Block = std::unique_ptr<void, decltype(&std::free)>;

Block Allocate(size_t bytes) { return {std::malloc(bytes), &std::free}; }

TEST(FreeMemory, LargeBlocksStayApartWhateverWasFreed) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer has an allocator of its own";
#endif
  KeepLargeBlocksApart();
  // Larger than the holes that other tests may have left. By itself glibc would keep all smaller
  // blocks together once the first one is freed.
  constexpr size_t kFreed = size_t{24} << 20, kLater = size_t{20} << 20;
  Allocate(kFreed).reset();
  const size_t before = BytesApart();
  Block large = Allocate(kLater);
  EXPECT_GE(BytesApart(), before + kLater);
  large.reset();
  EXPECT_EQ(BytesApart(), before);
}

}  // namespace
}  // namespace tenon::server
