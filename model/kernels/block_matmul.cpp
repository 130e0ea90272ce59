#include "model/kernels/block_matmul.h"

#include <cassert>

namespace tenon::model {

// One source a kind of processor: block_kernels_KIND.cpp.
void FillPlainKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
#if defined(__x86_64__)
void FillAvx2Kernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
void FillVnniKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
#endif

BlockSize SizeOf(BlockFormat format) {
  switch (format) {
    case BlockFormat::kQ4_0:
      return {32, 18};
    case BlockFormat::kQ4_1:
      return {32, 20};
    case BlockFormat::kQ5_0:
      return {32, 22};
    case BlockFormat::kQ5_1:
      return {32, 24};
    case BlockFormat::kQ8_0:
      return {32, 34};
    case BlockFormat::kQ2_K:
      return {256, 84};
    case BlockFormat::kQ3_K:
      return {256, 110};
    case BlockFormat::kQ4_K:
      return {256, 144};
    case BlockFormat::kQ5_K:
      return {256, 176};
    case BlockFormat::kQ6_K:
      return {256, 210};
    case BlockFormat::kIq4Nl:
      return {32, 18};
    case BlockFormat::kIq4Xs:
      return {256, 136};
  }
  return {};
}

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

void BlockMatmul::Multiply(const BlockMatrix& w, int first_row, int n_rows, const QuantizedRows& x,
                           int m, float* y, int y_stride) const {
  assert(x.columns() == w.columns && m <= x.rows() && first_row + n_rows <= w.rows);
  kernels_[static_cast<int>(w.format)](w, first_row, n_rows, x, m, y, y_stride);
}

}  // namespace tenon::model
