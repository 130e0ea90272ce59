#include "model/inference/loadable_module.h"

#include <dlfcn.h>

namespace tenon::model {

LoadableModule::LoadableModule(const char* file_name)
    // Not closed: it is needed until the end.
    : library_(dlopen(file_name, RTLD_NOW | RTLD_LOCAL)) {
  if (library_ != nullptr) return;
  const char* why = dlerror();
  fault_ = std::string(file_name) + " cannot be loaded: " + (why != nullptr ? why : "") +
           "; build or install tenon again";
}

void* LoadableModule::Symbol(const char* name) const {
  return library_ != nullptr ? dlsym(library_, name) : nullptr;
}

}  // namespace tenon::model
