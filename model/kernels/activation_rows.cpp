#include "model/kernels/activation_rows.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tenon::model {
namespace {

constexpr float kLargest = 127.0f;
// A group with no number as large is all zeros: 127 divided by its largest would be infinite.
constexpr float kSmallest = 1e-36f;
constexpr int kHalf = ActivationRows::kGroup / 2;

// 1.5 * 2^23: a sum with it has the nearest integer in its low bits.
constexpr float kRoundingShift = 12582912.0f;

// One group, quantized.
struct Group {
  float scale = 0;
  int halves[2] = {0, 0};  // sums of numbers
};

[[gnu::always_inline]] inline Group QuantizeLoop(const float* in, int8_t* out) {
  float largest = 0;
  for (int i = 0; i < ActivationRows::kGroup; ++i) largest = std::max(largest, std::fabs(in[i]));
  const float inverse = largest >= kSmallest ? kLargest / largest : 0;
  Group group{.scale = largest / kLargest};
  for (int half = 0; half < 2; ++half) {
    int sum = 0;
    for (int i = half * kHalf; i < (half + 1) * kHalf; ++i) {
      const int q = static_cast<int>(in[i] * inverse + kRoundingShift - kRoundingShift);
      out[i] = static_cast<int8_t>(q);
      sum += q;
    }
    group.halves[half] = sum;
  }
  return group;
}

[[gnu::always_inline]] inline void RoundLoop(const float* in, BFloat16* out) {
  for (int i = 0; i < ActivationRows::kGroup; ++i) Round(in[i], out[i]);
}

// The loops, compiled for a kind of processor.
struct Loops {
  Group (*quantize)(const float* in, int8_t* out);
  void (*round)(const float* in, BFloat16* out);
};
Group QuantizePlain(const float* in, int8_t* out) { return QuantizeLoop(in, out); }
void RoundPlain(const float* in, BFloat16* out) { RoundLoop(in, out); }
#if defined(__x86_64__)
#define TENON_AVX512 gnu::target("avx512f,avx512bw,avx512vl,prefer-vector-width=512")
[[gnu::target("avx2")]] Group QuantizeAvx2(const float* in, int8_t* out) {
  return QuantizeLoop(in, out);
}
[[TENON_AVX512]] Group QuantizeAvx512(const float* in, int8_t* out) {
  return QuantizeLoop(in, out);
}
[[TENON_AVX512]] void RoundAvx512(const float* in, BFloat16* out) { RoundLoop(in, out); }
#endif

Loops ForThisProcessor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl")) {
    return {QuantizeAvx512, RoundAvx512};
  }
  if (__builtin_cpu_supports("avx2")) return {QuantizeAvx2, RoundPlain};
#endif
  return {QuantizePlain, RoundPlain};
}

}  // namespace

void ActivationRows::Resize(int rows, int columns, ActivationForm form) {
  assert(columns % kGroup == 0 && "a row of activations is a whole number of groups");
  rows_ = rows;
  columns_ = columns;
  form_ = form;
  const int chunks = (columns / kGroup + kGroups - 1) / kGroups;
  const auto groups = static_cast<size_t>(rows) * chunks * kGroups;
  // Only ever grown: a forward pass alternates between few sizes.
  const auto grow = [](auto& list, size_t size) {
    if (list.size() < size) list.resize(size);
  };
  if (form == ActivationForm::kBFloat16) {
    grow(lines_, groups + static_cast<size_t>(kRowsAtOnce - 1) * kGroups);
    return;
  }
  grow(values_, groups * kGroup);
  grow(scales_, groups);
  grow(totals_, groups * kParts);
  grow(sums_, groups * kParts);
}

void ActivationRows::Write(int row, const float* x) {
  form_ == ActivationForm::kBytes ? WriteBytes(row, x) : WriteNumbers(row, x);
}

void ActivationRows::WriteNumbers(int row, const float* x) {
  static const auto round = ForThisProcessor().round;
  for (int g = 0; g < columns_ / kGroup; ++g) {
    Line& line = lines_[At(g / kGroups, row) + static_cast<size_t>(g % kGroups)];
    round(x + static_cast<size_t>(g) * kGroup, line.numbers);
  }
}

void ActivationRows::WriteBytes(int row, const float* x) {
  static const auto quantize = ForThisProcessor().quantize;
  for (int g = 0; g < columns_ / kGroup; ++g) {
    const int chunk = g / kGroups, at = g % kGroups;
    int8_t* out = const_cast<int8_t*>(values(chunk, row)) + at * kGroup;
    const Group group = quantize(x + static_cast<size_t>(g) * kGroup, out);
    const_cast<float*>(scales(chunk, row))[at] = group.scale;
    const int parts[kParts] = {group.halves[0] + group.halves[1], group.halves[0], group.halves[1]};
    for (int part = 0; part < kParts; ++part) {
      const_cast<int32_t*>(totals(chunk, row))[part * kGroups + at] = parts[part];
      const_cast<float*>(sums(chunk, row))[part * kGroups + at] =
          group.scale * static_cast<float>(parts[part]);
    }
  }
}

}  // namespace tenon::model
