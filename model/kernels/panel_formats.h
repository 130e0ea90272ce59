// One description for each block format: how the file stores it, and how a panel does.
//
// A description names the bits of a value, the zero, the scales of a group (block_format.h), and
// reads a row's blocks. The layout of a panel (panel_matrix.h) follows from these numbers, so
// nothing but the reading is written for a format.
//
//   kBits      of a value: 8 bytes; or half bytes (4), pairs of bits (2) and single bits (1) in
//              lines of their own. Example: 6 bits are a half byte and a pair.
//   Scales     SmallScales: a 16-bit float a group (and one for the offset)
//              SuperScales: a 16-bit float a chunk, times a small integer a group or half
//
// Decode turns a chunk of half a panel into a Tile: whole bytes and floats, lane by lane, which
// stay in the first-level cache while all rows of x are multiplied.
//
// This header is compiled once for each kind of processor, in a namespace of that kind. Bytes and
// Floats are vectors of the compiler's own, as wide as that kind has them: a line takes one of
// AVX-512, two of AVX2, four of others.
// Source of the layouts in files: https://github.com/ggml-org/ggml, src/ggml-common.h and
// src/ggml-quants.c (facts; the code is our own).
// Cost: 0.03 ns a value. Thread rule: pure functions.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "model/kernels/block_format.h"
#include "model/kernels/panel_matrix.h"

namespace tenon::model::TENON_KERNEL_NAMESPACE {

constexpr int kGroup = 32;
constexpr int kGroups = 8;  // of a chunk
constexpr int kQuads = 8;   // steps of four columns in a group
constexpr int kLine = 64;   // bytes; four columns of sixteen rows
constexpr int kLineRows = 16;
constexpr int kHalves = PanelMatrix::kRows / kLineRows;  // of a panel
constexpr int kMaxParts = 2;

// The widest vector of this kind of processor. g++ 12 moves wider ones through memory, piece by
// piece.
#if defined(__AVX512F__)
constexpr int kVectorBytes = 64;
#elif defined(__AVX2__)
constexpr int kVectorBytes = 32;
#else
constexpr int kVectorBytes = 16;
#endif
constexpr int kFloats = kVectorBytes / 4;
using Bytes [[gnu::vector_size(kVectorBytes), gnu::may_alias]] = uint64_t;
using Floats [[gnu::vector_size(kVectorBytes), gnu::may_alias]] = float;

// A chunk of half a panel. Part p of group g has the number g * Format::Scales::kParts + p.
struct Tile {
  alignas(kLine) uint8_t q[kGroups][kQuads][kLine];
  alignas(kLine) float scale[kMaxParts * kGroups][kLineRows];
  alignas(kLine) float offset[kMaxParts * kGroups][kLineRows];
};

// The scales in a chunk of one row of a file.
struct RowScales {
  uint16_t scale[kGroups] = {};           // 16-bit floats; SuperScales has one
  uint16_t offset[kGroups] = {};          // the same
  uint8_t small_scale[2 * kGroups] = {};  // integers with a sign, of SuperScales
  uint8_t small_offset[2 * kGroups] = {};
};

inline uint64_t Every(uint8_t byte) { return 0x0101010101010101 * byte; }

// (byte >> shift) & mask. REQUIRES: mask < 256 >> shift.
inline Bytes Bits(const Bytes& bytes, int shift, uint8_t mask) {
  return (bytes >> shift) & Every(mask);
}

inline Bytes LoadBytes(const uint8_t* at) { return *reinterpret_cast<const Bytes*>(at); }
inline void StoreBytes(const Bytes& bytes, uint8_t* at) { *reinterpret_cast<Bytes*>(at) = bytes; }
inline void StoreFloats(const Floats& floats, float* at) {
  *reinterpret_cast<Floats*>(at) = floats;
}

// As many 16-bit floats as a vector has.
inline Floats LoadHalves(const uint8_t* at) {
#if defined(__AVX512F__)
  return std::bit_cast<Floats>(
      _mm512_cvtph_ps(_mm256_load_si256(reinterpret_cast<const __m256i*>(at))));
#elif defined(__F16C__)
  return std::bit_cast<Floats>(
      _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(at))));
#else
  // The exponent moves from bias 15 to bias 127 by a product with 2^112, which also makes a
  // subnormal number normal. Infinities become 65,536: a block that has one is lost anyway.
  constexpr float kExponents = 5.192296858534828e33f;
  Floats out;
  for (int i = 0; i < kFloats; ++i) {
    uint16_t bits;
    std::memcpy(&bits, at + 2 * i, sizeof bits);
    const float size = std::bit_cast<float>(static_cast<uint32_t>(bits & 0x7fffu) << 13);
    out[i] = (bits & 0x8000u) != 0 ? -size * kExponents : size * kExponents;
  }
  return out;
#endif
}

// As many integers of 8 bits. g++ 12 converts vectors of such different widths lane by lane, so it
// is told how.
inline Floats LoadIntegers(const uint8_t* at) {
#if defined(__AVX512F__)
  const __m128i bytes = _mm_load_si128(reinterpret_cast<const __m128i*>(at));
  return std::bit_cast<Floats>(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes)));
#elif defined(__AVX2__)
  const __m128i bytes = _mm_loadl_epi64(reinterpret_cast<const __m128i*>(at));
  return std::bit_cast<Floats>(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)));
#else
  Floats out;
  for (int i = 0; i < kFloats; ++i) out[i] = static_cast<float>(static_cast<int8_t>(at[i]));
  return out;
#endif
}

// A 16-bit float a group: [group][row], and another for the offset.
template <bool kOffset>
struct SmallScales {
  static constexpr int kParts = 1;
  static constexpr bool kHasOffset = kOffset;
  static constexpr int kBytesOfRows = 2 * kLineRows;

  static constexpr int Size(int groups) { return groups * kBytesOfRows * (kOffset ? 2 : 1); }

  static void Pack(const RowScales& scales, int groups, int row, uint8_t* out) {
    for (int g = 0; g < groups; ++g) {
      std::memcpy(out + g * kBytesOfRows + 2 * row, &scales.scale[g], 2);
      if constexpr (kOffset)
        std::memcpy(out + (groups + g) * kBytesOfRows + 2 * row, &scales.offset[g], 2);
    }
  }

  static void Decode(const uint8_t* in, int groups, Tile& tile) {
    for (int g = 0; g < groups; ++g) {
      for (int row = 0; row < kLineRows; row += kFloats) {
        const uint8_t* at = in + g * kBytesOfRows + 2 * row;
        StoreFloats(LoadHalves(at), tile.scale[g] + row);
        if constexpr (kOffset)
          StoreFloats(LoadHalves(at + groups * kBytesOfRows), tile.offset[g] + row);
      }
    }
  }
};

// A 16-bit float a row and chunk, times an integer of 8 bits a part: [row], [part][row]. The
// offset, if there is one, is such a product, too, and is subtracted.
template <int kPartsOfGroup, bool kOffset>
struct SuperScales {
  static constexpr int kParts = kPartsOfGroup;
  static constexpr bool kHasOffset = kOffset;
  static constexpr int kNumbers = kParts * kGroups;
  static constexpr int kHalves = 2 * kLineRows * (kOffset ? 2 : 1);  // bytes of 16-bit floats

  static constexpr int Size(int) { return kHalves + kNumbers * kLineRows * (kOffset ? 2 : 1); }

  static void Pack(const RowScales& scales, int, int row, uint8_t* out) {
    std::memcpy(out + 2 * row, &scales.scale[0], 2);
    if constexpr (kOffset) std::memcpy(out + 2 * (kLineRows + row), &scales.offset[0], 2);
    for (int i = 0; i < kNumbers; ++i) {
      out[kHalves + i * kLineRows + row] = scales.small_scale[i];
      if constexpr (kOffset)
        out[kHalves + (kNumbers + i) * kLineRows + row] = scales.small_offset[i];
    }
  }

  static void Decode(const uint8_t* in, int, Tile& tile) {
    for (int row = 0; row < kLineRows; row += kFloats) {
      const Floats scale = LoadHalves(in + 2 * row);
      const uint8_t* small = in + kHalves + row;
      for (int i = 0; i < kNumbers; ++i)
        StoreFloats(LoadIntegers(small + i * kLineRows) * scale, tile.scale[i] + row);
      if constexpr (kOffset) {
        const Floats offset = -LoadHalves(in + 2 * (kLineRows + row));
        small += kNumbers * kLineRows;
        for (int i = 0; i < kNumbers; ++i)
          StoreFloats(LoadIntegers(small + i * kLineRows) * offset, tile.offset[i] + row);
      }
    }
  }
};

// Values of kBits bits: quads of columns to lines and back. q: [quad][4 columns of 16 rows].
template <int kBits>
struct ValueLines {
  static constexpr bool kNibbles = kBits >= 4 && kBits < 8;
  static constexpr bool kPairs = kBits == 2 || kBits == 3 || kBits == 6;
  static constexpr bool kSingles = kBits == 3 || kBits == 5;
  static constexpr int kPairShift = kNibbles ? 4 : 0;
  static constexpr int kSingleShift = kBits - 1;
  static constexpr int kBytesOfGroup = kBits * kLine;

  static void Pack(const uint8_t (&q)[kQuads][kLine], uint8_t* out) {
    if constexpr (kBits == 8) {
      std::memcpy(out, q, sizeof q);
    } else {
      for (int at = 0; at < kLine; at += kVectorBytes) PackVectors(q[0] + at, out + at);
    }
  }

  static void Decode(const uint8_t* in, uint8_t (&q)[kQuads][kLine]) {
    if constexpr (kBits == 8) {
      std::memcpy(q, in, sizeof q);
    } else {
      for (int at = 0; at < kLine; at += kVectorBytes) DecodeVectors(in + at, q[0] + at);
    }
  }

 private:
  // One vector of each line; lines are kLine bytes apart.
  static void PackVectors(const uint8_t* q, uint8_t* out) {
    const auto quad = [&](int k) { return LoadBytes(q + k * kLine); };
    if constexpr (kNibbles) {
      for (int j = 0; j < kQuads / 2; ++j, out += kLine)
        StoreBytes(Bits(quad(j), 0, 15) | Bits(quad(j + 4), 0, 15) << 4, out);
    }
    if constexpr (kPairs) {
      for (int j = 0; j < kQuads; j += 4, out += kLine) {
        Bytes pairs = {};
        for (int k = 0; k < 4; ++k) pairs |= Bits(quad(j + k), kPairShift, 3) << (2 * k);
        StoreBytes(pairs, out);
      }
    }
    if constexpr (kSingles) {
      Bytes singles = {};
      for (int k = 0; k < kQuads; ++k) singles |= Bits(quad(k), kSingleShift, 1) << k;
      StoreBytes(singles, out);
    }
  }

  static void DecodeVectors(const uint8_t* in, uint8_t* q) {
    Bytes quad[kQuads] = {};
    if constexpr (kNibbles) {
      for (int j = 0; j < kQuads / 2; ++j, in += kLine) {
        quad[j] = Bits(LoadBytes(in), 0, 15);
        quad[j + 4] = Bits(LoadBytes(in), 4, 15);
      }
    }
    if constexpr (kPairs) {
      for (int j = 0; j < kQuads; j += 4, in += kLine) {
        for (int k = 0; k < 4; ++k) quad[j + k] |= Bits(LoadBytes(in), 2 * k, 3) << kPairShift;
      }
    }
    if constexpr (kSingles) {
      for (int k = 0; k < kQuads; ++k) quad[k] |= Bits(LoadBytes(in), k, 1) << kSingleShift;
    }
    for (int k = 0; k < kQuads; ++k) StoreBytes(quad[k], q + k * kLine);
  }
};

// Reading of rows in files, a byte at a time: it happens once, when a model is loaded.

// Half bytes: value i in the low half of byte i, value i + 16 in its high half.
inline void ReadNibbles(const uint8_t* bytes, uint8_t* q) {
  for (int i = 0; i < kGroup / 2; ++i) q[i] = bytes[i] & 15;
  for (int i = 0; i < kGroup / 2; ++i) q[kGroup / 2 + i] = bytes[i] >> 4;
}

// The fifth bits of 32 values, bit i for value i.
inline void ReadFifthBits(const uint8_t* bytes, uint8_t* q) {
  for (int i = 0; i < kGroup; ++i)
    q[i] = static_cast<uint8_t>(q[i] | (bytes[i / 8] >> (i % 8) & 1) << 4);
}

inline void ReadHalf(const uint8_t* bytes, uint16_t& half) { std::memcpy(&half, bytes, 2); }

// Blocks of 32 values: a scale, perhaps an offset, perhaps fifth bits, half bytes.
template <int kBitsOfValue, bool kOffset>
struct SmallBlocks {
  static constexpr int kBits = kBitsOfValue, kZero = kOffset ? 0 : 1 << (kBits - 1);
  static constexpr bool kTable = false;
  using Scales = SmallScales<kOffset>;
  static constexpr int kValues = 32, kFifthBits = kOffset ? 4 : 2;
  static constexpr int kNibbles = kFifthBits + (kBits == 5 ? 4 : 0);
  static constexpr int kBytes = kNibbles + 16;

  static void Read(const uint8_t* bytes, int groups, uint8_t* q, RowScales& scales) {
    for (int g = 0; g < groups; ++g, bytes += kBytes, q += kGroup) {
      ReadHalf(bytes, scales.scale[g]);
      if constexpr (kOffset) ReadHalf(bytes + 2, scales.offset[g]);
      ReadNibbles(bytes + kNibbles, q);
      if constexpr (kBits == 5) ReadFifthBits(bytes + kFifthBits, q);
    }
  }
};
using FormatQ4_0 = SmallBlocks<4, false>;
using FormatQ4_1 = SmallBlocks<4, true>;
using FormatQ5_0 = SmallBlocks<5, false>;
using FormatQ5_1 = SmallBlocks<5, true>;

struct FormatQ8_0 {
  static constexpr int kBits = 8, kZero = 128;
  static constexpr bool kTable = false;
  using Scales = SmallScales<false>;
  static constexpr int kValues = 32, kBytes = 34;

  static void Read(const uint8_t* bytes, int groups, uint8_t* q, RowScales& scales) {
    for (int g = 0; g < groups; ++g, bytes += kBytes, q += kGroup) {
      ReadHalf(bytes, scales.scale[g]);
      for (int i = 0; i < kGroup; ++i) q[i] = bytes[2 + i] ^ 128;
    }
  }
};

// The 16 values of the formats IQ4, spaced like the quantiles of real weights, plus the zero.
alignas(16) inline constexpr uint8_t kIq4Values[16] = {1,   24,  45,  63,  79,  93,  106, 118,
                                                       129, 141, 153, 166, 181, 197, 217, 241};

inline Bytes LookUpIq4(const Bytes& numbers) {
#if defined(__AVX2__)
  const __m128i values = _mm_load_si128(reinterpret_cast<const __m128i*>(kIq4Values));
#endif
#if defined(__AVX512BW__)
  return std::bit_cast<Bytes>(
      _mm512_shuffle_epi8(_mm512_broadcast_i32x4(values), std::bit_cast<__m512i>(numbers)));
#elif defined(__AVX2__)
  return std::bit_cast<Bytes>(
      _mm256_shuffle_epi8(_mm256_broadcastsi128_si256(values), std::bit_cast<__m256i>(numbers)));
#else
  uint8_t bytes[kVectorBytes];
  std::memcpy(bytes, &numbers, kVectorBytes);
  for (uint8_t& byte : bytes) byte = kIq4Values[byte];
  return std::bit_cast<Bytes>(bytes);
#endif
}

struct FormatIq4Nl {
  static constexpr int kBits = 4, kZero = 128;
  static constexpr bool kTable = true;
  using Scales = SmallScales<false>;
  static constexpr int kValues = 32, kBytes = 18;

  static void Read(const uint8_t* bytes, int groups, uint8_t* q, RowScales& scales) {
    FormatQ4_0::Read(bytes, groups, q, scales);
  }
};

struct FormatIq4Xs {
  static constexpr int kBits = 4, kZero = 128;
  static constexpr bool kTable = true;
  using Scales = SuperScales<1, false>;
  static constexpr int kValues = 256, kBytes = 136;

  static void Read(const uint8_t* bytes, int, uint8_t* q, RowScales& scales) {
    ReadHalf(bytes, scales.scale[0]);
    const uint8_t *high = bytes + 2, *low = bytes + 4, *values = bytes + 8;
    for (int g = 0; g < kGroups; ++g) {
      const int scale = (low[g / 2] >> (4 * (g % 2)) & 15) | (high[g / 4] >> (2 * (g % 4)) & 3)
                                                                 << 4;
      scales.small_scale[g] = static_cast<uint8_t>(scale - 32);
      ReadNibbles(values + kGroup / 2 * g, q + g * kGroup);
    }
  }
};

// Scales and minima of Q4_K and Q5_K: 6 bits each, 16 of them in 12 bytes.
inline void ReadSixBitScales(const uint8_t* bytes, RowScales& scales) {
  ReadHalf(bytes, scales.scale[0]);
  ReadHalf(bytes + 2, scales.offset[0]);
  const uint8_t* s = bytes + 4;
  for (int i = 0; i < 4; ++i) {
    scales.small_scale[i] = s[i] & 63;
    scales.small_offset[i] = s[4 + i] & 63;
    // The last four have their upper two bits beside the first four.
    scales.small_scale[4 + i] = static_cast<uint8_t>((s[8 + i] & 15) | s[i] >> 6 << 4);
    scales.small_offset[4 + i] = static_cast<uint8_t>(s[8 + i] >> 4 | s[4 + i] >> 6 << 4);
  }
}

// Q4_K and Q5_K.
template <int kBitsOfValue>
struct SixBitScaledBlocks {
  static constexpr int kBits = kBitsOfValue, kZero = 0;
  static constexpr bool kTable = false;
  using Scales = SuperScales<1, true>;
  static constexpr int kNibbles = kBits == 5 ? 48 : 16;
  static constexpr int kValues = 256, kBytes = kNibbles + 128;

  static void Read(const uint8_t* bytes, int, uint8_t* q, RowScales& scales) {
    ReadSixBitScales(bytes, scales);
    for (int g = 0; g < kGroups; ++g) {
      const uint8_t* in = bytes + kNibbles + g / 2 * kGroup;
      for (int i = 0; i < kGroup; ++i) {
        q[g * kGroup + i] = in[i] >> (4 * (g % 2)) & 15;
        if constexpr (kBits == 5) q[g * kGroup + i] |= (bytes[16 + i] >> g & 1) << 4;
      }
    }
  }
};
using FormatQ4_K = SixBitScaledBlocks<4>;
using FormatQ5_K = SixBitScaledBlocks<5>;

struct FormatQ6_K {
  static constexpr int kBits = 6, kZero = 32;
  static constexpr bool kTable = false;
  using Scales = SuperScales<2, false>;
  static constexpr int kValues = 256, kBytes = 210;

  static void Read(const uint8_t* bytes, int, uint8_t* q, RowScales& scales) {
    ReadHalf(bytes + 208, scales.scale[0]);
    std::memcpy(scales.small_scale, bytes + 192, sizeof scales.small_scale);
    // Four groups share 64 bytes of half bytes and 32 bytes of pairs.
    for (int g = 0; g < kGroups; ++g) {
      const uint8_t* low = bytes + g / 4 * 64 + g % 2 * kGroup;
      const uint8_t* high = bytes + 128 + g / 4 * 32;
      for (int i = 0; i < kGroup; ++i) {
        q[g * kGroup + i] = static_cast<uint8_t>((low[i] >> (g % 4 / 2 * 4) & 15) |
                                                 (high[i] >> (2 * (g % 4)) & 3) << 4);
      }
    }
  }
};

struct FormatQ3_K {
  static constexpr int kBits = 3, kZero = 4;
  static constexpr bool kTable = false;
  using Scales = SuperScales<2, false>;
  static constexpr int kValues = 256, kBytes = 110;

  static void Read(const uint8_t* bytes, int, uint8_t* q, RowScales& scales) {
    ReadHalf(bytes + 108, scales.scale[0]);
    const uint8_t* packed = bytes + 96;
    for (int i = 0; i < 2 * kGroups; ++i) {
      const int low_half = i < 8 ? packed[i] & 15 : packed[i - 8] >> 4;
      const int upper = packed[8 + i % 4] >> (2 * (i / 4)) & 3;
      scales.small_scale[i] = static_cast<uint8_t>((low_half | upper << 4) - 32);
    }
    for (int g = 0; g < kGroups; ++g) {
      for (int i = 0; i < kGroup; ++i) {
        q[g * kGroup + i] = static_cast<uint8_t>(
            (bytes[32 + g / 4 * kGroup + i] >> (2 * (g % 4)) & 3) | (bytes[i] >> g & 1) << 2);
      }
    }
  }
};

struct FormatQ2_K {
  static constexpr int kBits = 2, kZero = 0;
  static constexpr bool kTable = false;
  using Scales = SuperScales<2, true>;
  static constexpr int kValues = 256, kBytes = 84;

  static void Read(const uint8_t* bytes, int, uint8_t* q, RowScales& scales) {
    ReadHalf(bytes + 80, scales.scale[0]);
    ReadHalf(bytes + 82, scales.offset[0]);
    for (int i = 0; i < 2 * kGroups; ++i) scales.small_scale[i] = bytes[i] & 15;
    for (int i = 0; i < 2 * kGroups; ++i) scales.small_offset[i] = bytes[i] >> 4;
    for (int g = 0; g < kGroups; ++g) {
      for (int i = 0; i < kGroup; ++i)
        q[g * kGroup + i] = bytes[16 + g / 4 * kGroup + i] >> (2 * (g % 4)) & 3;
    }
  }
};

// The bytes before the values of sixteen rows of a chunk of `groups` groups.
template <typename Format>
constexpr int ScaleBytes(int groups) {
  return (Format::Scales::Size(groups) + kLine - 1) / kLine * kLine;
}

// All bytes of these rows.
template <typename Format>
constexpr int BytesOfRows(int groups) {
  return ScaleBytes<Format>(groups) + groups * ValueLines<Format::kBits>::kBytesOfGroup;
}

// All bytes of a panel with that many groups.
template <typename Format>
constexpr size_t PanelBytesOf(int groups) {
  return kHalves * (static_cast<size_t>(groups / kGroups) * BytesOfRows<Format>(kGroups) +
                    (groups % kGroups == 0 ? 0 : BytesOfRows<Format>(groups % kGroups)));
}

// Sixteen rows of a chunk.
template <typename Format>
inline void DecodeRows(const uint8_t* in, int groups, Tile& tile) {
  Format::Scales::Decode(in, groups, tile);
  in += ScaleBytes<Format>(groups);
  for (int g = 0; g < groups; ++g, in += ValueLines<Format::kBits>::kBytesOfGroup) {
    ValueLines<Format::kBits>::Decode(in, tile.q[g]);
    if constexpr (Format::kTable) {
      for (int at = 0; at < kQuads * kLine; at += kVectorBytes) {
        uint8_t* numbers = tile.q[g][0] + at;
        StoreBytes(LookUpIq4(LoadBytes(numbers)), numbers);
      }
    }
  }
}

// The same rows, from a file. row(r): the blocks of row r at this chunk, or nullptr for a row of
// zeros.
template <typename Format, typename Row>
void PackRows(const Row& row, int groups, uint8_t* out) {
  alignas(kLine) uint8_t quads[kGroups][kQuads][kLine] = {};
  std::memset(out, 0, ScaleBytes<Format>(groups));
  for (int r = 0; r < kLineRows; ++r) {
    const uint8_t* bytes = row(r);
    if (bytes == nullptr) continue;
    uint8_t q[kGroups * kGroup];
    RowScales scales;
    Format::Read(bytes, groups, q, scales);
    Format::Scales::Pack(scales, groups, r, out);
    for (int i = 0; i < groups * kQuads; ++i)
      std::memcpy(quads[i / kQuads][i % kQuads] + 4 * r, q + 4 * i, 4);
  }
  out += ScaleBytes<Format>(groups);
  for (int g = 0; g < groups; ++g, out += ValueLines<Format::kBits>::kBytesOfGroup)
    ValueLines<Format::kBits>::Pack(quads[g], out);
}

// use(Format()) for the description of a format.
template <typename Use>
auto WithFormat(BlockFormat format, const Use& use) {
  switch (format) {
    case BlockFormat::kQ4_0:
      return use(FormatQ4_0());
    case BlockFormat::kQ4_1:
      return use(FormatQ4_1());
    case BlockFormat::kQ5_0:
      return use(FormatQ5_0());
    case BlockFormat::kQ5_1:
      return use(FormatQ5_1());
    case BlockFormat::kQ8_0:
      return use(FormatQ8_0());
    case BlockFormat::kQ2_K:
      return use(FormatQ2_K());
    case BlockFormat::kQ3_K:
      return use(FormatQ3_K());
    case BlockFormat::kQ4_K:
      return use(FormatQ4_K());
    case BlockFormat::kQ5_K:
      return use(FormatQ5_K());
    case BlockFormat::kQ6_K:
      return use(FormatQ6_K());
    case BlockFormat::kIq4Nl:
      return use(FormatIq4Nl());
    case BlockFormat::kIq4Xs:
      break;
  }
  return use(FormatIq4Xs());
}

}  // namespace tenon::model::TENON_KERNEL_NAMESPACE
