// Every tensor type's block: its size, and the function that turns blocks into floats.
//
// One table for the whole room: LayoutOf, TensorTypeOf and DequantizeRows all read it, so a new
// type is one struct (small_blocks.h, super_blocks.h) and one line of the table
// (tensor_formats.cpp). Example: FormatOf(TensorType::kQ8_0).layout is {"Q8_0", 32, 34}.
//
// Inside the room only. Cost: constant. Thread rule: immutable.
#pragma once

#include <cstddef>
#include <span>

#include "model/file/tensor_type.h"

namespace tenon::model {

struct TensorFormat {
  TensorType type = TensorType::kF32;
  TensorLayout layout;
  // Writes `blocks` * layout.block_elements floats.
  void (*write)(const std::byte* in, uint64_t blocks, float* out) = nullptr;
  // True where no float of the blocks is NaN or infinite.
  bool (*finite)(const std::byte* in, uint64_t blocks) = nullptr;
};

std::span<const TensorFormat> TensorFormats();
// REQUIRES: a value of the enumeration.
const TensorFormat& FormatOf(TensorType type);

}  // namespace tenon::model
