#include "model/inference/weight_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <new>

namespace tenon::model {
namespace {

constexpr size_t kLargePage = size_t{2} << 20;
constexpr size_t kBlock = size_t{64} << 20;

size_t RoundUp(size_t bytes, size_t grain) { return (bytes + grain - 1) / grain * grain; }

}  // namespace

void WeightMemory::Free::operator()(uint8_t* block) const { std::free(block); }

uint8_t* WeightMemory::Take(size_t bytes) {
  bytes = RoundUp(bytes, kAlignment);
  const std::lock_guard lock(mutex_);
  if (bytes > left_) {
    const size_t size = std::max(kBlock, RoundUp(bytes, kLargePage));
    auto* block = static_cast<uint8_t*>(std::aligned_alloc(kLargePage, size));
    if (block == nullptr) throw std::bad_alloc();
    blocks_.emplace_back(block);
    ::madvise(block, size, MADV_HUGEPAGE);  // a wish: a system without large pages says no
    next_ = block;
    left_ = size;
  }
  uint8_t* taken = next_;
  next_ += bytes;
  left_ -= bytes;
  return taken;
}

}  // namespace tenon::model
