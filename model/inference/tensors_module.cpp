// The module libtenon_tensors.so: what tensor_memory.cpp takes from libtorch.
#include <ATen/ATen.h>

#include <cstddef>

extern "C" {

// A tensor of so many zero bytes; `data` is set to them.
void* tenon_zeros(size_t bytes, void** data) {
  auto* tensor = new at::Tensor(at::zeros({static_cast<int64_t>(bytes)}, at::kByte));
  *data = tensor->data_ptr();
  return tensor;
}

void tenon_release(void* tensor) { delete static_cast<at::Tensor*>(tensor); }
}
