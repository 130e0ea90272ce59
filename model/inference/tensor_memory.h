// Memory for the numbers of a forward pass.
//
// Example: Tensor<float>({2, 3}) are six zeros.
//
// A large piece takes memory of the machine only where it is written: a cache with room for 8,000
// positions costs no more than its computed positions.
// Cost: below 10 us; the system clears a page when it is first touched. Throws std::bad_alloc.
// Thread rule: any thread; a TensorMemory belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <memory>

namespace tenon::model {

class TensorMemory {
 public:
  TensorMemory() = default;  // none
  // `bytes` zeros, aligned for vectors.
  explicit TensorMemory(size_t bytes);

  [[nodiscard]] void* data() const { return data_; }

 private:
  struct Free {
    void operator()(void* block) const { std::free(block); }
  };
  std::unique_ptr<void, Free> block_;
  void* data_ = nullptr;  // in the block
};

// Numbers of type T, all zero at first.
template <typename T>
class Tensor {
 public:
  Tensor() = default;
  explicit Tensor(std::initializer_list<int64_t> shape) {
    size_t count = 1;
    for (const int64_t extent : shape) count *= static_cast<size_t>(extent);
    memory_ = TensorMemory(count * sizeof(T));
  }
  [[nodiscard]] T* data() const { return static_cast<T*>(memory_.data()); }

 private:
  TensorMemory memory_;
};

}  // namespace tenon::model
