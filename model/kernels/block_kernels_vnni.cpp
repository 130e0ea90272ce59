#define TENON_KERNEL_NAMESPACE vnni_kernels
#include "model/kernels/block_kernels.h"

namespace tenon::model {

void FillVnniKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]) {
  vnni_kernels::FillKernels(kernels);
}

}  // namespace tenon::model
