#include "model/kernels/block_matmul.h"

#include <cassert>

#include "model/kernels/matrix_registers.h"

namespace tenon::model {

// One source a kind of processor: block_kernels_KIND.cpp.
void FillPlainKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
#if defined(__x86_64__)
void FillAvx2Kernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
void FillVnniKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
void FillAmxKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]);
#endif

ProcessorKind ThisProcessor() {
#if defined(__x86_64__)
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2 && __builtin_cpu_supports("avx512vnni") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512bw")) {
    static const bool has_registers = __builtin_cpu_supports("avx512bf16") && GetMatrixRegisters();
    return has_registers ? ProcessorKind::kAmx : ProcessorKind::kVnni;
  }
  if (avx2) return ProcessorKind::kAvx2;
#endif
  return ProcessorKind::kPlain;
}

BlockMatmul::BlockMatmul(ProcessorKind kind) : kind_(kind) {
  assert(kind <= ThisProcessor() && "kernels for instructions that this processor lacks");
#if defined(__x86_64__)
  if (kind == ProcessorKind::kAmx) FillAmxKernels(of_numbers_);
  if (kind >= ProcessorKind::kVnni) FillVnniKernels(kernels_);
  if (kind == ProcessorKind::kAvx2) FillAvx2Kernels(kernels_);
#endif
  if (kind == ProcessorKind::kPlain) FillPlainKernels(kernels_);
}

ActivationForm BlockMatmul::FormFor(int rows) const {
  return kind_ == ProcessorKind::kAmx && rows >= kRowsInBFloat16 ? ActivationForm::kBFloat16
                                                                 : ActivationForm::kBytes;
}

void BlockMatmul::Multiply(const PanelMatrix& w, const ActivationRows& x, Rows rows, float* y,
                           int y_stride, Into into) const {
  assert(x.columns() == w.columns && rows.first >= 0 && rows.first + rows.count <= x.rows());
  const bool in_bytes = x.form() == ActivationForm::kBytes;
  assert((in_bytes || kind_ == ProcessorKind::kAmx) && "activations in another form");
  (in_bytes ? kernels_ : of_numbers_)[static_cast<int>(w.format)](w, x, rows, y, y_stride, into);
}

}  // namespace tenon::model
