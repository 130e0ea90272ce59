#include "model/inference/tensor_memory.h"

#include <dlfcn.h>

#include <stdexcept>
#include <string>

namespace tenon::model {
namespace {

constexpr const char* kModule = "libtenon_tensors.so";

// The functions of tensors_module.cpp.
struct Module {
  void* (*zeros)(size_t bytes, void** data) = nullptr;
  void (*release)(void* tensor) = nullptr;
  std::string fault;  // empty: it is loaded
};

Module Load() {
  Module module;
  // Not closed: it is needed until the end. Found by the program's own search path for libraries.
  void* const library = dlopen(kModule, RTLD_NOW | RTLD_LOCAL);
  if (library != nullptr) {
    module.zeros = reinterpret_cast<decltype(module.zeros)>(dlsym(library, "tenon_zeros"));
    module.release = reinterpret_cast<decltype(module.release)>(dlsym(library, "tenon_release"));
  }
  if (module.zeros == nullptr || module.release == nullptr) {
    const char* why = dlerror();
    module.fault = std::string(kModule) + " cannot be loaded: " + (why != nullptr ? why : "") +
                   "; build or install tenon again";
  }
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
