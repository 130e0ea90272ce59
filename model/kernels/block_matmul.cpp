#include "model/kernels/block_matmul.h"

#include <cassert>

namespace tenon::model {

// One source a kind of processor: block_kernels_KIND.cpp.
void FillPlainKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
#if defined(__x86_64__)
void FillAvx2Kernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
void FillVnniKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
#endif

ProcessorKind ThisProcessor() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2 && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    return ProcessorKind::kVnni;
  }
  if (avx2) return ProcessorKind::kAvx2;
#endif
  return ProcessorKind::kPlain;
}

BlockMatmul::BlockMatmul(ProcessorKind kind) {
  assert(kind <= ThisProcessor() && "kernels for instructions that this processor lacks");
#if defined(__x86_64__)
  if (kind == ProcessorKind::kVnni) FillVnniKernels(kernels_);
  if (kind == ProcessorKind::kAvx2) FillAvx2Kernels(kernels_);
#endif
  if (kind == ProcessorKind::kPlain) FillPlainKernels(kernels_);
}

void BlockMatmul::Multiply(const PanelMatrix& w, const QuantizedRows& x, Rows rows, float* y,
                           int y_stride, Into into) const {
  assert(x.columns() == w.columns && rows.first >= 0 && rows.first + rows.count <= x.rows());
  kernels_[static_cast<int>(w.format)](w, x, rows, y, y_stride, into);
}

}  // namespace tenon::model
