// The memory of a model's weights: large, never freed in parts, and read from end to end for every
// token.
//
// It is taken from the operating system in blocks that may have large pages, where the system
// gives them: the processor foresees the next bytes within a page, so a token takes a tenth less
// time.
// Example: two matrices of 1 MB each lie in one block of 64 MiB, of which 2 MB are in use; the rest
// costs nothing until something is written to it.
//
// Source: madvise(2), MADV_HUGEPAGE. Cost: a lock a call, and memory when it is first written to.
// Thread rule: Take may be called by several threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

namespace tenon::model {

class WeightMemory {
 public:
  static constexpr size_t kAlignment = 64;

  // Bytes that live as long as this object; their contents are not defined. Throws std::bad_alloc.
  uint8_t* Take(size_t bytes);

 private:
  struct Free {
    void operator()(uint8_t* block) const;
  };
  std::mutex mutex_;
  // Guarded by mutex_.
  std::vector<std::unique_ptr<uint8_t, Free>> blocks_;
  uint8_t* next_ = nullptr;
  size_t left_ = 0;  // bytes from next_ to the end of the last block
};

}  // namespace tenon::model
