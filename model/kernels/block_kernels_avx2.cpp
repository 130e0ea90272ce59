#define TENON_KERNEL_NAMESPACE avx2_kernels
#include "model/kernels/block_kernels.h"

namespace tenon::model {

void FillAvx2Kernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]) {
  avx2_kernels::FillKernels(kernels);
}

}  // namespace tenon::model
