#include "model/inference/tensor_memory.h"

#include <stdexcept>
#include <string>

#include "model/inference/loadable_module.h"

namespace tenon::model {
namespace {

// The functions of tensors_module.cpp.
struct Module {
  void* (*zeros)(size_t bytes, void** data) = nullptr;
  void (*release)(void* tensor) = nullptr;
  std::string fault;  // empty: it is loaded
};

Module Load() {
  const LoadableModule library("libtenon_tensors.so");
  Module module{library.Find<void*(size_t, void**)>("tenon_zeros"),
                library.Find<void(void*)>("tenon_release"), library.fault()};
  if (module.fault.empty() && (module.zeros == nullptr || module.release == nullptr))
    module.fault = "libtenon_tensors.so is of another version; build or install tenon again";
  return module;
}

const Module& TheModule() {
  static const Module kLoaded = Load();
  if (!kLoaded.fault.empty()) throw std::runtime_error(kLoaded.fault);
  return kLoaded;
}

}  // namespace

void LoadTensors() { (void)TheModule(); }

TensorMemory::TensorMemory(size_t bytes) {
  const Module& module = TheModule();
  void* const tensor = module.zeros(bytes, &data_);
  tensor_ = std::shared_ptr<void>(tensor, module.release);
}

}  // namespace tenon::model
