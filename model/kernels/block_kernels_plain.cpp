#define TENON_KERNEL_NAMESPACE plain_kernels
#include "model/kernels/block_kernels.h"

namespace tenon::model {

void FillPlainKernels(BlockMatmul::Kernel (&kernels)[kBlockFormats]) {
  plain_kernels::FillKernels(kernels);
}

}  // namespace tenon::model
