#include "model/file/tensor_formats.h"

#include <algorithm>
#include <array>
#include <cassert>

#include "model/file/small_blocks.h"
#include "model/file/super_blocks.h"

namespace tenon::model {
namespace {

// The one loop over blocks.
template <typename Format>
void WriteBlocks(const std::byte* in, uint64_t count, float* out) {
  for (uint64_t i = 0; i < count; ++i) {
    Format::Write(in, out);
    in += Format::kLayout.block_bytes;
    out += Format::kLayout.block_elements;
  }
}

template <typename Format>
bool AllFinite(const std::byte* in, uint64_t count) {
  constexpr blocks::Floats kFloats = Format::kFloats;
  bool finite = true;
  for (uint64_t i = 0; i < count; ++i) {
    for (int f = 0; f < kFloats.count; ++f) {
      const auto bits = blocks::Load<uint16_t>(in + kFloats.offset_bytes[f]);
      finite &= (bits & kFloats.exponent) != kFloats.exponent;
    }
    in += Format::kLayout.block_bytes;
  }
  return finite;
}

template <typename... Formats>
constexpr std::array<TensorFormat, sizeof...(Formats)> Table() {
  return {
      TensorFormat{Formats::kType, Formats::kLayout, WriteBlocks<Formats>, AllFinite<Formats>}...};
}

constexpr auto kFormats =
    Table<blocks::F32, blocks::F16, blocks::BF16, blocks::Q8_0, blocks::Q4_0, blocks::Q4_1,
          blocks::Q5_0, blocks::Q5_1, blocks::Q2_K, blocks::Q3_K, blocks::Q4_K, blocks::Q5_K,
          blocks::Q6_K, blocks::IQ4_NL, blocks::IQ4_XS>();

const TensorFormat* Find(uint32_t number) {
  const auto* found = std::find_if(
      kFormats.begin(), kFormats.end(),
      [&](const TensorFormat& format) { return static_cast<uint32_t>(format.type) == number; });
  return found == kFormats.end() ? nullptr : found;
}

}  // namespace

std::span<const TensorFormat> TensorFormats() { return kFormats; }

const TensorFormat& FormatOf(TensorType type) {
  const TensorFormat* format = Find(static_cast<uint32_t>(type));
  assert(format && "every value of TensorType is in the table");
  return *format;
}

TensorLayout LayoutOf(TensorType type) { return FormatOf(type).layout; }

std::optional<TensorType> TensorTypeOf(uint32_t number) {
  const TensorFormat* format = Find(number);
  return format ? std::optional(format->type) : std::nullopt;
}

}  // namespace tenon::model
