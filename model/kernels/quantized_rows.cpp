#include "model/kernels/quantized_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tenon::model {
namespace {

constexpr float kLargest = 127.0f;
constexpr int kHalf = QuantizedRows::kGroup / 2;

// 1.5 * 2^23: a sum with it has the nearest integer in its low bits.
constexpr float kRoundingShift = 12582912.0f;

}  // namespace

void QuantizedRows::Resize(int rows, int columns) {
  assert(columns % kGroup == 0 && "a row of activations is a whole number of groups");
  rows_ = rows;
  columns_ = columns;
  chunks_ = (columns + kChunk - 1) / kChunk;
  const auto chunks = static_cast<size_t>(rows) * chunks_;
  // Only ever grown: a forward pass alternates between few sizes.
  const auto grow = [](auto& list, size_t size) {
    if (list.size() < size) list.resize(size);
  };
  grow(values_, chunks * kChunk);
  grow(scales_, chunks * (kChunk / kGroup));
  grow(sums_, chunks * (3 * kChunk / kGroup));
}

void QuantizedRows::Quantize(int row, const float* x) {
  auto* values = const_cast<int8_t*>(this->values(row));
  auto* scales = const_cast<float*>(this->scales(row));
  auto* sums = const_cast<float*>(this->sums(row));
  constexpr int kGroups = kChunk / kGroup;
  const int groups = columns_ / kGroup;
  for (int g = 0; g < groups; ++g) {
    const float* in = x + g * kGroup;
    int8_t* out = values + g * kGroup;
    float largest = 0;
    for (int i = 0; i < kGroup; ++i) largest = std::max(largest, std::fabs(in[i]));
    const float scale = largest / kLargest;
    const float inverse = largest > 0 ? kLargest / largest : 0;
    int halves[2] = {0, 0};
    for (int half = 0; half < 2; ++half) {
      for (int i = half * kHalf; i < (half + 1) * kHalf; ++i) {
        const float shifted = in[i] * inverse + kRoundingShift;
        const int q = static_cast<int>(shifted - kRoundingShift);
        out[i] = static_cast<int8_t>(q);
        halves[half] += q;
      }
    }
    scales[g] = scale;
    float* of_group = sums + static_cast<size_t>(g / kGroups) * 3 * kGroups + g % kGroups;
    of_group[0] = scale * static_cast<float>(halves[0] + halves[1]);
    of_group[kGroups] = scale * static_cast<float>(halves[0]);
    of_group[2 * kGroups] = scale * static_cast<float>(halves[1]);
  }
  for (int g = groups; g < chunks_ * kGroups; ++g) {
    std::fill_n(values + g * kGroup, kGroup, int8_t{0});
    scales[g] = 0;
    float* of_group = sums + static_cast<size_t>(g / kGroups) * 3 * kGroups + g % kGroups;
    of_group[0] = of_group[kGroups] = of_group[2 * kGroups] = 0;
  }
}

}  // namespace tenon::model
