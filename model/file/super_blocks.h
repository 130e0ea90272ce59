// Super-blocks: 256 values in sub-blocks of 16 or 32, whose scales are small integers themselves.
//
// Each struct is a tensor type: its number, name, size, and Write, which turns the bytes of a
// super-block into its values. dequantize.h has the formulas, this header the offsets of the
// bytes. Example: Q4_K at 144 bytes is {scale, scale of minima, 12 bytes of scales, 128 bytes of
// pairs}.
//
// Source: https://github.com/ggml-org/ggml, ggml-common.h and ggml-quants.c (the layouts; the code
// is our own).
// Inside the room only. Cost: 2.5 GB/s of floats a thread and more. Thread rule: pure functions.
#pragma once

#include "model/file/small_blocks.h"

namespace tenon::model::blocks {

inline constexpr int kSuperBlock = 256;

// A few bits of some values in a row: those of value i lie in byte i, all at the same shift.
struct Bits {
  const std::byte* bytes = nullptr;
  int shift = 0;
  uint32_t mask = 0;

  uint32_t operator[](int i) const { return U8(bytes[i]) >> shift & mask; }
};

// Two bits of the values from `first` on, up to the next multiple of 32: a byte serves the values
// i, i + 32, i + 64 and i + 96 of a half of 128, and 32 bytes serve the half.
inline Bits TwoBits(const std::byte* bytes, int first) {
  return {bytes + first / 128 * 32 + first % 32, first % 128 / 32 * 2, 3};
}

// Four bits of the values from `first` on, up to the next multiple of `apart`: a byte serves i in
// its low half and i + `apart` in its high half, and `apart` bytes serve a run of 2 * `apart`
// values.
inline Bits FourBits(const std::byte* bytes, int first, int apart) {
  return {bytes + first / (2 * apart) * apart + first % apart, first / apart % 2 * 4, 15};
}

// One bit of the values from `first` on, up to the next multiple of 32: bit i / 32 of byte i % 32.
inline Bits OneBit(const std::byte* bytes, int first) {
  return {bytes + first % 32, first / 32, 1};
}

// {16 bytes: scale in the low half, minimum in the high half; 64 bytes of two bits; scale; scale of
// the minima}
struct Q2_K {
  static constexpr TensorType kType = TensorType::kQ2_K;
  static constexpr TensorLayout kLayout{"Q2_K", kSuperBlock, 84};
  static constexpr Floats kFloats{kHalfExponent, {80, 82}, 2};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in + 80);
    const float minimum = LoadHalf(in + 82);
    for (int sub = 0; sub < 16; ++sub) {
      const float step = scale * static_cast<float>(Low4(in[sub]));
      const float base = minimum * static_cast<float>(High4(in[sub]));
      const Bits two = TwoBits(in + 16, sub * 16);
      for (int i = 0; i < 16; ++i) *out++ = step * static_cast<float>(two[i]) - base;
    }
  }
};

// {32 bytes of third bits; 64 bytes of two bits; 12 bytes of scales; scale}
struct Q3_K {
  static constexpr TensorType kType = TensorType::kQ3_K;
  static constexpr TensorLayout kLayout{"Q3_K", kSuperBlock, 110};
  static constexpr Floats kFloats{kHalfExponent, {108}, 1};
  // Six bits: the low four lie in 8 bytes of pairs, the high two in the 4 bytes after them.
  static int ScaleOf(const std::byte* scales, int sub) {
    const uint32_t high = U8(scales[8 + sub % 4]) >> sub / 4 * 2 & 3;
    return static_cast<int>(FourBits(scales, sub, 8)[0] | high << 4) - 32;
  }
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in + 108);
    for (int sub = 0; sub < 16; ++sub) {
      const float step = scale * static_cast<float>(ScaleOf(in + 96, sub));
      const Bits two = TwoBits(in + 32, sub * 16);
      const Bits third = OneBit(in, sub * 16);
      for (int i = 0; i < 16; ++i) *out++ = step * (static_cast<float>(two[i] | third[i] << 2) - 4);
    }
  }
};

// The 12 bytes that hold 8 scales and 8 minima of six bits.
//
//   sub-block   its scale                          its minimum
//   0 to 3      low six bits of byte sub           low six bits of byte sub + 4
//   4 to 7      low four bits: of byte sub + 4     low four bits: high half of byte sub + 4
//               high two: top bits of byte sub - 4 high two: top bits of byte sub
struct ScaleAndMinimum {
  float scale = 0;
  float minimum = 0;

  static ScaleAndMinimum Of(const std::byte* bytes, int sub) {
    uint32_t scale = 0;
    uint32_t minimum = 0;
    if (sub < 4) {
      scale = U8(bytes[sub]) & 63;
      minimum = U8(bytes[sub + 4]) & 63;
    } else {
      scale = Low4(bytes[sub + 4]) | U8(bytes[sub - 4]) >> 6 << 4;
      minimum = High4(bytes[sub + 4]) | U8(bytes[sub]) >> 6 << 4;
    }
    return {static_cast<float>(scale), static_cast<float>(minimum)};
  }
};

// Both begin with {scale, scale of the minima, 12 bytes of scales}. `numbers(first)` is a function
// from i to the stored number of value first + i, for the 32 values of a sub-block.
template <typename Numbers>
void WriteWithMinima(const std::byte* in, const Numbers& numbers, float* out) {
  const float scale = LoadHalf(in);
  const float minimum = LoadHalf(in + 2);
  for (int sub = 0; sub < 8; ++sub) {
    const ScaleAndMinimum small = ScaleAndMinimum::Of(in + 4, sub);
    const float step = scale * small.scale;
    const float base = minimum * small.minimum;
    const auto number = numbers(sub * 32);
    for (int i = 0; i < 32; ++i) *out++ = step * static_cast<float>(number(i)) - base;
  }
}

// {as above; 128 bytes of pairs}
struct Q4_K {
  static constexpr TensorType kType = TensorType::kQ4_K;
  static constexpr TensorLayout kLayout{"Q4_K", kSuperBlock, 144};
  static constexpr Floats kFloats{kHalfExponent, {0, 2}, 2};
  static void Write(const std::byte* in, float* out) {
    const auto numbers = [=](int first) {
      return [four = FourBits(in + 16, first, 32)](int i) { return four[i]; };
    };
    WriteWithMinima(in, numbers, out);
  }
};

// {as above; 32 bytes of fifth bits; 128 bytes of pairs}
struct Q5_K {
  static constexpr TensorType kType = TensorType::kQ5_K;
  static constexpr TensorLayout kLayout{"Q5_K", kSuperBlock, 176};
  static constexpr Floats kFloats{kHalfExponent, {0, 2}, 2};
  static void Write(const std::byte* in, float* out) {
    const auto numbers = [=](int first) {
      return [four = FourBits(in + 48, first, 32), fifth = OneBit(in + 16, first)](int i) {
        return four[i] | fifth[i] << 4;
      };
    };
    WriteWithMinima(in, numbers, out);
  }
};

// {128 bytes of pairs; 64 bytes of fifth and sixth bits; 16 signed scales; scale}
struct Q6_K {
  static constexpr TensorType kType = TensorType::kQ6_K;
  static constexpr TensorLayout kLayout{"Q6_K", kSuperBlock, 210};
  static constexpr Floats kFloats{kHalfExponent, {208}, 1};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in + 208);
    for (int sub = 0; sub < 16; ++sub) {
      const float step = scale * static_cast<float>(static_cast<int8_t>(in[192 + sub]));
      const Bits four = FourBits(in, sub * 16, 64);
      const Bits two = TwoBits(in + 128, sub * 16);
      for (int i = 0; i < 16; ++i) *out++ = step * (static_cast<float>(four[i] | two[i] << 4) - 32);
    }
  }
};

// {scale; 16 bits with the high two of 8 scales; 4 bytes with their low four; 8 times 16 pairs}
struct IQ4_XS {
  static constexpr TensorType kType = TensorType::kIQ4_XS;
  static constexpr TensorLayout kLayout{"IQ4_XS", kSuperBlock, 136};
  static constexpr Floats kFloats{kHalfExponent, {0}, 1};
  static void Write(const std::byte* in, float* out) {
    const float scale = LoadHalf(in);
    const uint32_t high = Load<uint16_t>(in + 2);
    for (int sub = 0; sub < 8; ++sub) {
      const uint32_t small = FourBits(in + 4, sub, 1)[0] | (high >> 2 * sub & 3) << 4;
      const float step = scale * (static_cast<float>(small) - 32);
      const auto value = [=](uint32_t q, int) { return step * kUneven[q]; };
      WritePairs(in + 8 + 16 * sub, value, out + 32 * sub);
    }
  }
};

}  // namespace tenon::model::blocks
