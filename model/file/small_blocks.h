// Blocks of one value, and blocks of 32 values that share one scale.
//
// Each struct is a tensor type: its number, name, size, and Write, which turns the bytes of a
// block into its values. dequantize.h has the formulas, this header the offsets of the bytes.
// Example: Q8_0 at 34 bytes is {scale, 32 signed bytes}.
//
// Source: https://github.com/ggml-org/ggml, ggml-common.h (the layouts; the code is our own).
// Inside the room only. Cost: 2.5 GB/s of floats a thread and more. Thread rule: pure functions.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "model/file/half.h"
#include "model/file/tensor_type.h"

namespace tenon::model::blocks {

static_assert(std::endian::native == std::endian::little, "blocks are read in place");

template <typename T>
T Load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}
inline float LoadHalf(const std::byte* at) { return HalfToFloat(Load<uint16_t>(at)); }
inline uint32_t U8(std::byte byte) { return std::to_integer<uint32_t>(byte); }
inline uint32_t Low4(std::byte byte) { return U8(byte) & 15; }
inline uint32_t High4(std::byte byte) { return U8(byte) >> 4; }

// Where a block has floats: the offsets of the 16 bits with their exponents, and these bits. All of
// them are set in NaN and in the infinities alone.
struct Floats {
  uint16_t exponent = 0;
  int offset_bytes[2] = {};
  int count = 0;
};
inline constexpr uint16_t kHalfExponent = 0x7c00;
inline constexpr uint16_t kFloatExponent = 0x7f80;

struct F32 {
  static constexpr TensorType kType = TensorType::kF32;
  static constexpr TensorLayout kLayout{"F32", 1, 4};
  static constexpr Floats kFloats{kFloatExponent, {2}, 1};  // the upper two bytes
  static void Write(const std::byte* in, float* out) { *out = Load<float>(in); }
};

struct F16 {
  static constexpr TensorType kType = TensorType::kF16;
  static constexpr TensorLayout kLayout{"F16", 1, 2};
  static constexpr Floats kFloats{kHalfExponent, {0}, 1};
  static void Write(const std::byte* in, float* out) { *out = LoadHalf(in); }
};

struct BF16 {
  static constexpr TensorType kType = TensorType::kBF16;
  static constexpr TensorLayout kLayout{"BF16", 1, 2};
  static constexpr Floats kFloats{kFloatExponent, {0}, 1};
  static void Write(const std::byte* in, float* out) { *out = BFloat16ToFloat(Load<uint16_t>(in)); }
};

// {scale, 32 signed bytes}
struct Q8_0 {
  static constexpr TensorType kType = TensorType::kQ8_0;
  static constexpr TensorLayout kLayout{"Q8_0", 32, 34};
  static constexpr Floats kFloats{kHalfExponent, {0}, 1};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in);
    for (int i = 0; i < 32; ++i)
      out[i] = scale * static_cast<float>(static_cast<int8_t>(in[2 + i]));
  }
};

// 16 bytes hold 32 halves of a byte: the low halves first, then the high ones. `value(half, i)` is
// what half i of the 32 stands for.
template <typename Value>
void WritePairs(const std::byte* pairs, const Value& value, float* out) {
  for (int i = 0; i < 16; ++i) {
    out[i] = value(Low4(pairs[i]), i);
    out[i + 16] = value(High4(pairs[i]), i + 16);
  }
}

// {scale, 16 pairs}
struct Q4_0 {
  static constexpr TensorType kType = TensorType::kQ4_0;
  static constexpr TensorLayout kLayout{"Q4_0", 32, 18};
  static constexpr Floats kFloats{kHalfExponent, {0}, 1};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in);
    const auto value = [=](uint32_t q, int) { return scale * (static_cast<float>(q) - 8); };
    WritePairs(in + 2, value, out);
  }
};

// {scale, minimum, 16 pairs}
struct Q4_1 {
  static constexpr TensorType kType = TensorType::kQ4_1;
  static constexpr TensorLayout kLayout{"Q4_1", 32, 20};
  static constexpr Floats kFloats{kHalfExponent, {0, 2}, 2};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in);
    const float minimum = LoadHalf(in + 2);
    const auto value = [=](uint32_t q, int) { return scale * static_cast<float>(q) + minimum; };
    WritePairs(in + 4, value, out);
  }
};

// The number of five bits: four of a pair, the fifth is bit i of `fifth`.
inline float FiveBits(uint32_t low, uint32_t fifth, int i) {
  return static_cast<float>(low | (fifth >> i & 1) << 4);
}

// {scale, 32 fifth bits, 16 pairs}
struct Q5_0 {
  static constexpr TensorType kType = TensorType::kQ5_0;
  static constexpr TensorLayout kLayout{"Q5_0", 32, 22};
  static constexpr Floats kFloats{kHalfExponent, {0}, 1};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in);
    const auto fifth = Load<uint32_t>(in + 2);
    const auto value = [=](uint32_t q, int i) { return scale * (FiveBits(q, fifth, i) - 16); };
    WritePairs(in + 6, value, out);
  }
};

// {scale, minimum, 32 fifth bits, 16 pairs}
struct Q5_1 {
  static constexpr TensorType kType = TensorType::kQ5_1;
  static constexpr TensorLayout kLayout{"Q5_1", 32, 24};
  static constexpr Floats kFloats{kHalfExponent, {0, 2}, 2};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in);
    const float minimum = LoadHalf(in + 2);
    const auto fifth = Load<uint32_t>(in + 4);
    const auto value = [=](uint32_t q, int i) { return scale * FiveBits(q, fifth, i) + minimum; };
    WritePairs(in + 8, value, out);
  }
};

// The values of IQ4: near zero they lie closer together than far from it.
inline constexpr std::array<float, 16> kUneven = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                  1,    13,   25,  38,  53,  69,  89,  113};

// {scale, 16 pairs}
struct IQ4_NL {
  static constexpr TensorType kType = TensorType::kIQ4_NL;
  static constexpr TensorLayout kLayout{"IQ4_NL", 32, 18};
  static constexpr Floats kFloats{kHalfExponent, {0}, 1};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in);
    WritePairs(
        in + 2, [=](uint32_t q, int) { return scale * kUneven[q]; }, out);
  }
};

}  // namespace tenon::model::blocks
