// The types in which a GGUF file stores tensors, and the room that each takes.
//
// A type cuts a row into blocks of equal size. Example: Q4_K keeps 256 values in 144 bytes, 4.5
// bits a value. dequantize.h says what the bytes of each block mean.
//
// Source: https://github.com/ggml-org/ggml, ggml.h (numbers of the types), ggml-common.h (sizes).
// Cost: constant. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <optional>

namespace tenon::model {

// The values are the numbers in the file.
enum class TensorType : uint32_t {
  kF32 = 0,
  kF16 = 1,
  kQ4_0 = 2,
  kQ4_1 = 3,
  kQ5_0 = 6,
  kQ5_1 = 7,
  kQ8_0 = 8,
  kQ2_K = 10,
  kQ3_K = 11,
  kQ4_K = 12,
  kQ5_K = 13,
  kQ6_K = 14,
  kIQ4_NL = 20,
  kIQ4_XS = 23,
  kBF16 = 30
};

// The storage of a tensor type: blocks of `block_elements` values in `block_bytes` bytes.
struct TensorLayout {
  const char* name = "";
  uint64_t block_elements = 0;
  uint64_t block_bytes = 0;
};
TensorLayout LayoutOf(TensorType type);

// The type of that number. Nothing where tenon does not read it.
std::optional<TensorType> TensorTypeOf(uint32_t number);

}  // namespace tenon::model
