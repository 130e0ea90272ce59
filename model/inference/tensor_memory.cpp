#include "model/inference/tensor_memory.h"

#include <limits>
#include <new>

namespace tenon::model {
namespace {

constexpr size_t kAlignment = 64;  // the widest vectors, and a line of the cache

}  // namespace

TensorMemory::TensorMemory(size_t bytes) {
  if (bytes > std::numeric_limits<size_t>::max() - kAlignment) throw std::bad_alloc();
  // calloc asks the system for a large block, whose pages are zero before they exist.
  size_t room = bytes + kAlignment;
  block_.reset(std::calloc(room, 1));
  if (!block_) throw std::bad_alloc();
  data_ = block_.get();
  std::align(kAlignment, bytes, data_, room);
}

}  // namespace tenon::model
