// Memory for the numbers of a forward pass: a libtorch tensor, and libtorch loaded when the first
// is made.
//
// Libtorch and the libraries that it needs take half a second and 50 MB of a process's own memory
// to load. Most runs of the program never compute: `tenon check`, and `tenon --stdio` beside a
// daemon. So libtorch belongs to a loadable module, libtenon_tensors.so, which lies in lib/tenon of
// an installation.
//
// Example: Tensor<float>({2, 3}) are six zeros.
//
// Cost: below 10 us and the clearing of the memory; the first one 0.5 s, unless LoadTensors came
// before. Thread rule: any thread; a TensorMemory belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>

namespace tenon::model {

// Loads libtorch; later calls do nothing. Throws std::runtime_error where the module is missing,
// and so does TensorMemory.
void LoadTensors();

class TensorMemory {
 public:
  TensorMemory() = default;  // none
  // `bytes` zeros, aligned for vectors.
  explicit TensorMemory(size_t bytes);

  [[nodiscard]] void* data() const { return data_; }

 private:
  void* data_ = nullptr;
  std::shared_ptr<void> tensor_;
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
