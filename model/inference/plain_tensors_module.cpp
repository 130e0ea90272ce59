// libtenon_tensors.so for packages that bring no libtorch, as the wheel for PyPI: the same
// functions, with memory of the C library.
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {
constexpr size_t kAlignment = 64;
}

extern "C" {

// So many zero bytes; `data` is set to them. Throws std::bad_alloc.
void* tenon_zeros(size_t bytes, void** data) {
  const size_t size = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  void* const memory = std::aligned_alloc(kAlignment, size == 0 ? kAlignment : size);
  if (memory == nullptr) throw std::bad_alloc();
  *data = std::memset(memory, 0, bytes);
  return memory;
}

void tenon_release(void* memory) { std::free(memory); }
}
