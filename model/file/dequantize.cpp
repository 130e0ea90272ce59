#include "model/file/dequantize.h"

#include <cassert>

#include "model/file/tensor_formats.h"

namespace tenon::model {

void DequantizeRows(const GgufTensor& tensor, uint64_t first_row, std::span<float> out) {
  assert(out.size() % tensor.columns() == 0 &&
         first_row + out.size() / tensor.columns() <= tensor.rows() && "the rows exist");
  const TensorFormat& format = FormatOf(tensor.type);
  // A row is whole blocks, and no bytes lie between rows, so several rows are one run of blocks.
  format.write(tensor.data.data() + first_row * tensor.row_bytes(),
               out.size() / format.layout.block_elements, out.data());
}

std::optional<uint64_t> FindRowNotFinite(const GgufTensor& tensor) {
  const TensorFormat& format = FormatOf(tensor.type);
  const uint64_t blocks = tensor.columns() / format.layout.block_elements;
  for (uint64_t row = 0; row < tensor.rows(); ++row) {
    if (!format.finite(tensor.data.data() + row * tensor.row_bytes(), blocks)) return row;
  }
  return std::nullopt;
}

}  // namespace tenon::model
