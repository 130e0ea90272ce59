#include "model/file/dequantize.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>

namespace tenon::model {
namespace {

constexpr uint64_t kBlock = 32;

template <typename T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

void Q8Block(const std::byte* block, float* out) {
  const float scale = HalfToFloat(Load<uint16_t>(block));
  for (uint64_t i = 0; i < kBlock; ++i)
    out[i] = scale * static_cast<float>(static_cast<int8_t>(block[2 + i]));
}

void Q4Block(const std::byte* quants, float scale, float minimum, float* out) {
  for (uint64_t i = 0; i < kBlock / 2; ++i) {
    const auto pair = static_cast<uint8_t>(quants[i]);
    out[i] = scale * static_cast<float>(pair & 15) + minimum;
    out[i + kBlock / 2] = scale * static_cast<float>(pair >> 4) + minimum;
  }
}

}  // namespace

float HalfToFloat(uint16_t half) {
  const uint32_t sign = (half & 0x8000u) << 16;
  const uint32_t exponent = (half >> 10) & 31u;
  const uint32_t mantissa = half & 1023u;
  if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent == 0) {
    // Subnormal: mantissa * 2^-24, exact in float.
    const float value = std::ldexp(static_cast<float>(mantissa), -24);
    return sign ? -value : value;
  }
  return std::bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
}

void DequantizeRows(const GgufTensor& tensor, uint64_t first_row, std::span<float> out) {
  assert(out.size() % tensor.columns() == 0 &&
         first_row + out.size() / tensor.columns() <= tensor.rows());
  const std::byte* in = tensor.data.data() + first_row * tensor.row_bytes();
  const TensorLayout layout = LayoutOf(tensor.type);
  // A row is whole blocks, and no bytes lie between rows, so several rows are one run of blocks.
  const uint64_t blocks = out.size() / layout.block_elements;
  float* to = out.data();
  if (tensor.type == TensorType::kF32) {
    std::memcpy(to, in, out.size_bytes());
    return;
  }
  for (uint64_t i = 0; i < blocks; ++i, in += layout.block_bytes, to += layout.block_elements) {
    switch (tensor.type) {
      case TensorType::kF16:
        *to = HalfToFloat(Load<uint16_t>(in));
        break;
      case TensorType::kBF16:
        *to = std::bit_cast<float>(uint32_t{Load<uint16_t>(in)} << 16);
        break;
      case TensorType::kQ8_0:
        Q8Block(in, to);
        break;
      case TensorType::kQ4_0: {
        const float scale = HalfToFloat(Load<uint16_t>(in));
        Q4Block(in + 2, scale, -8 * scale, to);
        break;
      }
      case TensorType::kQ4_1:
        Q4Block(in + 4, HalfToFloat(Load<uint16_t>(in)), HalfToFloat(Load<uint16_t>(in + 2)), to);
        break;
      case TensorType::kF32:
        break;  // copied above
    }
  }
}

}  // namespace tenon::model
