// One description for each block format: stored bytes -> small integers, scales and offsets.
//
// A description is a struct with the sizes of a block and one function, Decode, that writes a
// chunk: 256 values (or fewer at the end of a row) as 8 groups of 32. The loops of block_kernels.h
// know chunks and nothing of formats.
// Example: a Q4_0 block holds value i in the low half of byte i and value i + 16 in its high half;
// the byte 0x2f at i = 0 is q[0] = 15 and q[16] = 2.
//
// This header is compiled once for each kind of processor, in a namespace of that kind: the
// compiler turns its loops into the vector instructions at hand.
// Source of the layouts: https://github.com/ggml-org/ggml, src/ggml-common.h and src/ggml-quants.c
// (facts; the code is our own).
// Cost: 0.05 ns a value. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <cstring>
#if defined(__F16C__)
#include <immintrin.h>
#endif

namespace tenon::model::TENON_KERNEL_NAMESPACE {

constexpr int kGroup = 32;
constexpr int kHalf = 16;
constexpr int kGroups = 8;  // of a chunk

struct Chunk {
  // Value i of the chunk: unsigned, or signed in the same bits (Format::kSigned).
  alignas(32) uint8_t q[kGroups * kGroup];
  // Of the 8 groups; where Format::kHalves, of their first halves, then of their second halves.
  alignas(32) float scale[2 * kGroups];
  alignas(32) float offset[2 * kGroups];
};

inline float HalfBits(const uint8_t* bytes) {
  uint16_t bits;
  std::memcpy(&bits, bytes, sizeof bits);
#if defined(__F16C__)
  return _cvtsh_ss(bits);
#else
  // The exponent moves from bias 15 to bias 127 by a product with 2^112, which also makes a
  // subnormal number normal. Infinities become 65,536: a block that has one is lost anyway.
  const uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fffu) << 13;
  float value;
  std::memcpy(&value, &magnitude, sizeof value);
  value *= 5.192296858534828e33f;
  return (bits & 0x8000u) != 0 ? -value : value;
#endif
}

// 32 bytes in a register.
struct Bytes32 {
#if defined(__AVX2__)
  __m256i v;
  static Bytes32 Load(const uint8_t* at) {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(at))};
  }
  void Store(uint8_t* at) const { _mm256_storeu_si256(reinterpret_cast<__m256i*>(at), v); }
  // (byte >> shift) & mask. REQUIRES: mask < 256 >> shift.
  Bytes32 Bits(int shift, int mask) const {
    return {
        _mm256_and_si256(_mm256_srli_epi16(v, shift), _mm256_set1_epi8(static_cast<char>(mask)))};
  }
  // byte << shift. REQUIRES: the results are below 256.
  Bytes32 Up(int shift) const { return {_mm256_slli_epi16(v, shift)}; }
  Bytes32 operator|(Bytes32 other) const { return {_mm256_or_si256(v, other.v)}; }
#else
  uint8_t v[kGroup];
  static Bytes32 Load(const uint8_t* at) {
    Bytes32 bytes;
    std::memcpy(bytes.v, at, kGroup);
    return bytes;
  }
  void Store(uint8_t* at) const { std::memcpy(at, v, kGroup); }
  Bytes32 Bits(int shift, int mask) const {
    Bytes32 out;
    for (int i = 0; i < kGroup; ++i) out.v[i] = static_cast<uint8_t>(v[i] >> shift & mask);
    return out;
  }
  Bytes32 Up(int shift) const {
    Bytes32 out;
    for (int i = 0; i < kGroup; ++i) out.v[i] = static_cast<uint8_t>(v[i] << shift);
    return out;
  }
  Bytes32 operator|(Bytes32 other) const {
    for (int i = 0; i < kGroup; ++i) other.v[i] |= v[i];
    return other;
  }
#endif
};

// out[i] = factor * byte i of `bytes`, for 8 signed bytes.
inline void ScaleBytes(uint64_t bytes, float factor, float* out) {
#if defined(__AVX2__)
  const __m256i wide = _mm256_cvtepi8_epi32(_mm_cvtsi64_si128(static_cast<int64_t>(bytes)));
  _mm256_store_ps(out, _mm256_mul_ps(_mm256_cvtepi32_ps(wide), _mm256_set1_ps(factor)));
#else
  for (int i = 0; i < kGroups; ++i)
    out[i] = factor * static_cast<float>(static_cast<int8_t>(bytes >> (8 * i)));
#endif
}

// The same for 16 bytes in the order of a file, first and second half of group 0, of group 1, ...:
// the first halves become out[0 .. 7], the second halves out[8 .. 15].
inline void ScaleHalves(const uint8_t* bytes, float factor, float* out) {
  uint64_t first = 0, second = 0;
#if defined(__AVX2__)
  const __m128i even_odd = _mm_setr_epi8(0, 2, 4, 6, 8, 10, 12, 14, 1, 3, 5, 7, 9, 11, 13, 15);
  const __m128i apart =
      _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes)), even_odd);
  first = static_cast<uint64_t>(_mm_cvtsi128_si64(apart));
  second = static_cast<uint64_t>(_mm_extract_epi64(apart, 1));
#else
  for (int g = 0; g < kGroups; ++g) {
    first |= uint64_t{bytes[2 * g]} << (8 * g);
    second |= uint64_t{bytes[2 * g + 1]} << (8 * g);
  }
#endif
  ScaleBytes(first, factor, out);
  ScaleBytes(second, factor, out + kGroups);
}

// Half bytes: value i in the low half of byte i, value i + 16 in its high half.
inline void DecodeNibbles(const uint8_t* bytes, uint8_t* q) {
#if defined(__AVX2__)
  const __m128i packed = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m256i both = _mm256_set_m128i(_mm_srli_epi16(packed, 4), packed);
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(q), _mm256_and_si256(both, _mm256_set1_epi8(15)));
#else
  for (int i = 0; i < kHalf; ++i) q[i] = bytes[i] & 15;
  for (int i = 0; i < kHalf; ++i) q[kHalf + i] = bytes[i] >> 4;
#endif
}

// out[i] = the half at `bytes` + i * stride for i < count, and 0 for the rest of 8 numbers. They
// are written at once: a load of 8 numbers waits long for 8 separate stores.
inline void LoadHalves(const uint8_t* bytes, int stride, int count, float* out) {
#if defined(__AVX2__)
  const auto bits = [&](int i) -> int {
    uint16_t half = 0;
    if (i < count) std::memcpy(&half, bytes + i * stride, sizeof half);
    return half;
  };
  __m128i halves = _mm_cvtsi32_si128(bits(0));
  halves = _mm_insert_epi16(halves, bits(1), 1);
  halves = _mm_insert_epi16(halves, bits(2), 2);
  halves = _mm_insert_epi16(halves, bits(3), 3);
  halves = _mm_insert_epi16(halves, bits(4), 4);
  halves = _mm_insert_epi16(halves, bits(5), 5);
  halves = _mm_insert_epi16(halves, bits(6), 6);
  halves = _mm_insert_epi16(halves, bits(7), 7);
  _mm256_store_ps(out, _mm256_cvtph_ps(halves));
#else
  for (int i = 0; i < kGroups; ++i) out[i] = i < count ? HalfBits(bytes + i * stride) : 0;
#endif
}

// out[i] = factor * in[i], for 8 numbers.
inline void Times(const float* in, float factor, float* out) {
#if defined(__AVX2__)
  _mm256_store_ps(out, _mm256_mul_ps(_mm256_load_ps(in), _mm256_set1_ps(factor)));
#else
  for (int i = 0; i < kGroups; ++i) out[i] = factor * in[i];
#endif
}

struct FormatQ4_0 {
  static constexpr int kValues = 32, kBytes = 18, kMaxValue = 15;
  static constexpr bool kHalves = false, kSigned = false;
  static void Decode(const uint8_t* bytes, int groups, Chunk& chunk) {
    for (int g = 0; g < groups; ++g) DecodeNibbles(bytes + g * kBytes + 2, chunk.q + g * kGroup);
    LoadHalves(bytes, kBytes, groups, chunk.scale);
    Times(chunk.scale, -8, chunk.offset);
  }
};

struct FormatQ4_1 {
  static constexpr int kValues = 32, kBytes = 20, kMaxValue = 15;
  static constexpr bool kHalves = false, kSigned = false;
  static void Decode(const uint8_t* bytes, int groups, Chunk& chunk) {
    for (int g = 0; g < groups; ++g) DecodeNibbles(bytes + g * kBytes + 4, chunk.q + g * kGroup);
    LoadHalves(bytes, kBytes, groups, chunk.scale);
    LoadHalves(bytes + 2, kBytes, groups, chunk.offset);
  }
};

// Five bits: half bytes, and the fifth bit of each value in 32 bits of their own.
inline void DecodeFiveBits(const uint8_t* fifth_bits, const uint8_t* nibbles, uint8_t* q) {
  DecodeNibbles(nibbles, q);
#if defined(__AVX2__)
  int32_t bits;
  std::memcpy(&bits, fifth_bits, sizeof bits);
  // Byte i of the register gets the byte of `bits` that holds bit i; the mask leaves bit i alone.
  const __m256i byte_of =
      _mm256_setr_epi64x(0, 0x0101010101010101, 0x0202020202020202, 0x0303030303030303);
  const __m256i bit_of = _mm256_set1_epi64x(static_cast<int64_t>(0x8040201008040201u));
  const __m256i spread = _mm256_shuffle_epi8(_mm256_set1_epi32(bits), byte_of);
  const __m256i set = _mm256_cmpeq_epi8(_mm256_and_si256(spread, bit_of), bit_of);
  auto* at = reinterpret_cast<__m256i*>(q);
  const __m256i four = _mm256_loadu_si256(at);
  _mm256_storeu_si256(at, _mm256_or_si256(four, _mm256_and_si256(set, _mm256_set1_epi8(16))));
#else
  for (int i = 0; i < kGroup; ++i) q[i] |= (fifth_bits[i / 8] >> (i % 8) & 1) << 4;
#endif
}

struct FormatQ5_0 {
  static constexpr int kValues = 32, kBytes = 22, kMaxValue = 31;
  static constexpr bool kHalves = false, kSigned = false;
  static void Decode(const uint8_t* bytes, int groups, Chunk& chunk) {
    for (int g = 0; g < groups; ++g) {
      const uint8_t* block = bytes + g * kBytes;
      DecodeFiveBits(block + 2, block + 6, chunk.q + g * kGroup);
    }
    LoadHalves(bytes, kBytes, groups, chunk.scale);
    Times(chunk.scale, -16, chunk.offset);
  }
};

struct FormatQ5_1 {
  static constexpr int kValues = 32, kBytes = 24, kMaxValue = 31;
  static constexpr bool kHalves = false, kSigned = false;
  static void Decode(const uint8_t* bytes, int groups, Chunk& chunk) {
    for (int g = 0; g < groups; ++g) {
      const uint8_t* block = bytes + g * kBytes;
      DecodeFiveBits(block + 4, block + 8, chunk.q + g * kGroup);
    }
    LoadHalves(bytes, kBytes, groups, chunk.scale);
    LoadHalves(bytes + 2, kBytes, groups, chunk.offset);
  }
};

struct FormatQ8_0 {
  static constexpr int kValues = 32, kBytes = 34, kMaxValue = 128;
  static constexpr bool kHalves = false, kSigned = true;
  static void Decode(const uint8_t* bytes, int groups, Chunk& chunk) {
    for (int g = 0; g < groups; ++g)
      std::memcpy(chunk.q + g * kGroup, bytes + g * kBytes + 2, kGroup);
    LoadHalves(bytes, kBytes, groups, chunk.scale);
  }
};

// The 16 values of the formats IQ4: spaced like the quantiles of real weights.
alignas(16) inline constexpr int8_t kIq4Values[16] = {-127, -104, -83, -65, -49, -35, -22, -10,
                                                      1,    13,   25,  38,  53,  69,  89,  113};

inline void DecodeIq4(const uint8_t* bytes, uint8_t* q) {
#if defined(__AVX2__)
  const __m128i table = _mm_load_si128(reinterpret_cast<const __m128i*>(kIq4Values));
  const __m128i low_half = _mm_set1_epi8(15);
  const __m128i packed = _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes));
  const __m128i low = _mm_and_si128(packed, low_half);
  const __m128i high = _mm_and_si128(_mm_srli_epi16(packed, 4), low_half);
  const __m256i values =
      _mm256_set_m128i(_mm_shuffle_epi8(table, high), _mm_shuffle_epi8(table, low));
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(q), values);
#else
  for (int i = 0; i < kHalf; ++i) {
    q[i] = static_cast<uint8_t>(kIq4Values[bytes[i] & 15]);
    q[kHalf + i] = static_cast<uint8_t>(kIq4Values[bytes[i] >> 4]);
  }
#endif
}

struct FormatIq4Nl {
  static constexpr int kValues = 32, kBytes = 18, kMaxValue = 128;
  static constexpr bool kHalves = false, kSigned = true;
  static void Decode(const uint8_t* bytes, int groups, Chunk& chunk) {
    for (int g = 0; g < groups; ++g) DecodeIq4(bytes + g * kBytes + 2, chunk.q + g * kGroup);
    LoadHalves(bytes, kBytes, groups, chunk.scale);
  }
};

struct FormatIq4Xs {
  static constexpr int kValues = 256, kBytes = 136, kMaxValue = 128;
  static constexpr bool kHalves = false, kSigned = true;
  static void Decode(const uint8_t* bytes, int, Chunk& chunk) {
    const float d = HalfBits(bytes);
    const uint8_t *high = bytes + 2, *low = bytes + 4, *values = bytes + 8;
    uint64_t scales = 0;
    for (int g = 0; g < kGroups; ++g) {
      const int scale = (low[g / 2] >> (4 * (g % 2)) & 15) | (high[g / 4] >> (2 * (g % 4)) & 3)
                                                                 << 4;
      scales |= uint64_t{static_cast<uint8_t>(scale - 32)} << (8 * g);
    }
    ScaleBytes(scales, d, chunk.scale);
    for (int g = 0; g < kGroups; ++g) {
      DecodeIq4(values + kHalf * g, chunk.q + g * kGroup);
    }
  }
};

// Scales and minima of Q4_K and Q5_K: 6 bits each, 16 of them in 12 bytes.
inline void DecodeSixBitScales(const uint8_t* bytes, Chunk& chunk) {
  const float d = HalfBits(bytes), minimum = HalfBits(bytes + 2);
  uint32_t s[3];
  std::memcpy(s, bytes + 4, sizeof s);
  // Four bytes a word; the last four scales and minima have their upper two bits in the first
  // words.
  constexpr uint32_t kLowSix = 0x3f3f3f3f, kLowFour = 0x0f0f0f0f, kLowTwo = 0x03030303;
  const uint32_t last_scales = (s[2] & kLowFour) | (s[0] >> 6 & kLowTwo) << 4;
  const uint32_t last_minima = (s[2] >> 4 & kLowFour) | (s[1] >> 6 & kLowTwo) << 4;
  ScaleBytes((s[0] & kLowSix) | uint64_t{last_scales} << 32, d, chunk.scale);
  ScaleBytes((s[1] & kLowSix) | uint64_t{last_minima} << 32, -minimum, chunk.offset);
}

struct FormatQ4_K {
  static constexpr int kValues = 256, kBytes = 144, kMaxValue = 15;
  static constexpr bool kHalves = false, kSigned = false;
  static void Decode(const uint8_t* bytes, int, Chunk& chunk) {
    DecodeSixBitScales(bytes, chunk);
    for (int pair = 0; pair < kGroups / 2; ++pair) {
      const Bytes32 in = Bytes32::Load(bytes + 16 + pair * kGroup);
      uint8_t* q = chunk.q + 2 * pair * kGroup;
      in.Bits(0, 15).Store(q);
      in.Bits(4, 15).Store(q + kGroup);
    }
  }
};

struct FormatQ5_K {
  static constexpr int kValues = 256, kBytes = 176, kMaxValue = 31;
  static constexpr bool kHalves = false, kSigned = false;
  static void Decode(const uint8_t* bytes, int, Chunk& chunk) {
    DecodeSixBitScales(bytes, chunk);
    const Bytes32 fifth = Bytes32::Load(bytes + 16);
    for (int pair = 0; pair < kGroups / 2; ++pair) {
      const Bytes32 in = Bytes32::Load(bytes + 48 + pair * kGroup);
      uint8_t* q = chunk.q + 2 * pair * kGroup;
      (in.Bits(0, 15) | fifth.Bits(2 * pair, 1).Up(4)).Store(q);
      (in.Bits(4, 15) | fifth.Bits(2 * pair + 1, 1).Up(4)).Store(q + kGroup);
    }
  }
};

struct FormatQ6_K {
  static constexpr int kValues = 256, kBytes = 210, kMaxValue = 63;
  static constexpr bool kHalves = true, kSigned = false;
  static void Decode(const uint8_t* bytes, int, Chunk& chunk) {
    const float d = HalfBits(bytes + 208);
    ScaleHalves(bytes + 192, d, chunk.scale);
    ScaleHalves(bytes + 192, -32 * d, chunk.offset);
    // Four groups share 64 bytes of low halves and 32 bytes of upper pairs of bits.
    for (int part = 0; part < 2; ++part) {
      const Bytes32 low = Bytes32::Load(bytes + 64 * part);
      const Bytes32 next = Bytes32::Load(bytes + 64 * part + kGroup);
      const Bytes32 high = Bytes32::Load(bytes + 128 + 32 * part);
      uint8_t* q = chunk.q + part * 4 * kGroup;
      (low.Bits(0, 15) | high.Bits(0, 3).Up(4)).Store(q);
      (next.Bits(0, 15) | high.Bits(2, 3).Up(4)).Store(q + kGroup);
      (low.Bits(4, 15) | high.Bits(4, 3).Up(4)).Store(q + 2 * kGroup);
      (next.Bits(4, 15) | high.Bits(6, 3).Up(4)).Store(q + 3 * kGroup);
    }
  }
};

struct FormatQ3_K {
  static constexpr int kValues = 256, kBytes = 110, kMaxValue = 7;
  static constexpr bool kHalves = true, kSigned = false;
  static void Decode(const uint8_t* bytes, int, Chunk& chunk) {
    const Bytes32 third = Bytes32::Load(bytes);
    const uint8_t* packed = bytes + 96;
    const float d = HalfBits(bytes + 108);
    uint8_t scales[2 * kGroups];
    for (int i = 0; i < 2 * kGroups; ++i) {
      const int low_half = i < 8 ? packed[i] & 15 : packed[i - 8] >> 4;
      const int upper = packed[8 + i % 4] >> (2 * (i / 4)) & 3;
      scales[i] = static_cast<uint8_t>((low_half | upper << 4) - 32);
    }
    ScaleHalves(scales, d, chunk.scale);
    ScaleHalves(scales, -4 * d, chunk.offset);
    for (int g = 0; g < kGroups; ++g) {
      const Bytes32 in = Bytes32::Load(bytes + 32 + g / 4 * kGroup);
      const Bytes32 upper = third.Bits(g, 1);
      (in.Bits(2 * (g % 4), 3) | upper.Up(2)).Store(chunk.q + g * kGroup);
    }
  }
};

struct FormatQ2_K {
  static constexpr int kValues = 256, kBytes = 84, kMaxValue = 3;
  static constexpr bool kHalves = true, kSigned = false;
  static void Decode(const uint8_t* bytes, int, Chunk& chunk) {
    const float d = HalfBits(bytes + 80), minimum = HalfBits(bytes + 82);
    uint8_t scales[2 * kGroups], minima[2 * kGroups];
    for (int i = 0; i < 2 * kGroups; ++i) scales[i] = bytes[i] & 15;
    for (int i = 0; i < 2 * kGroups; ++i) minima[i] = bytes[i] >> 4;
    ScaleHalves(scales, d, chunk.scale);
    ScaleHalves(minima, -minimum, chunk.offset);
    for (int g = 0; g < kGroups; ++g) {
      Bytes32::Load(bytes + 16 + g / 4 * kGroup).Bits(2 * (g % 4), 3).Store(chunk.q + g * kGroup);
    }
  }
};

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE
