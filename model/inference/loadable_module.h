// A loadable module of tenon's: a shared library that is opened when the first function is wanted,
// and stays until the program ends.
//
// Example: LoadableModule("libtenon_torch.so").Find<bool()>("tenon_torch_has_gpu").
// The system finds a module by the program's own search path for libraries.
// Cost: opening takes as long as the libraries that the module needs take (libtorch: 0.5 s).
// Thread rule: immutable, any threads.
#pragma once

#include <string>

namespace tenon::model {

class LoadableModule {
 public:
  explicit LoadableModule(const char* file_name);
  // Empty where it is loaded; else why not, and the remedy.
  [[nodiscard]] const std::string& fault() const { return fault_; }
  // nullptr where the module, or the function, is missing. REQUIRES: it is of that type.
  template <typename Function>
  [[nodiscard]] Function* Find(const char* name) const {
    return reinterpret_cast<Function*>(Symbol(name));
  }

 private:
  void* Symbol(const char* name) const;

  void* library_ = nullptr;
  std::string fault_;
};

}  // namespace tenon::model
