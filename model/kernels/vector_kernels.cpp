// This source is compiled with -fassociative-math: without it the compiler vectorises no sum.
#include "model/kernels/vector_kernels.h"

#include <bit>
#include <cmath>

namespace tenon::model {
namespace {

#define TENON_INLINE [[gnu::always_inline]] inline

// e^x = 2^k * e^r with r = x - k ln 2 in [-ln 2 / 2, ln 2 / 2]; e^r is a polynomial. Below -87 the
// result is e^-87, nearly zero; above 88 it is e^88.
TENON_INLINE float Exp(float x) {
  constexpr float kLog2E = 1.44269504f, kLn2High = 0.693359375f, kLn2Low = -2.12194440e-4f;
  // 1.5 * 2^23: a sum with it has the nearest integer in its low bits.
  constexpr float kRoundingShift = 12582912.0f;
  x = x < -87.0f ? -87.0f : x > 88.0f ? 88.0f : x;
  const float shifted = std::bit_cast<float>(std::bit_cast<uint32_t>(x * kLog2E + kRoundingShift));
  const auto k = static_cast<int32_t>(std::bit_cast<uint32_t>(shifted) -
                                      std::bit_cast<uint32_t>(kRoundingShift));
  const auto whole = static_cast<float>(k);
  const float r = (x - whole * kLn2High) - whole * kLn2Low;
  float p = 1.9875691500e-4f;
  p = p * r + 1.3981999507e-3f;
  p = p * r + 8.3334519073e-3f;
  p = p * r + 4.1665795894e-2f;
  p = p * r + 1.6666665459e-1f;
  p = p * r + 5.0000001201e-1f;
  p = p * r * r + r + 1.0f;
  return p * std::bit_cast<float>((k + 127) << 23);
}

template <typename T>
TENON_INLINE void RmsNormLoop(const float* x, const float* weight, size_t n, float epsilon,
                              T* out) {
  float squares = 0;
  for (size_t i = 0; i < n; ++i) squares += x[i] * x[i];
  const float scale = 1.0f / std::sqrt(squares / static_cast<float>(n) + epsilon);
  for (size_t i = 0; i < n; ++i) Round(x[i] * scale * weight[i], out[i]);
}

template <typename T>
TENON_INLINE void LayerNormLoop(const float* x, const float* weight, const float* bias, size_t n,
                                float epsilon, T* out) {
  float sum = 0;
  for (size_t i = 0; i < n; ++i) sum += x[i];
  const float mean = sum / static_cast<float>(n);
  float squares = 0;
  for (size_t i = 0; i < n; ++i) squares += (x[i] - mean) * (x[i] - mean);
  const float scale = 1.0f / std::sqrt(squares / static_cast<float>(n) + epsilon);
  for (size_t i = 0; i < n; ++i) Round((x[i] - mean) * scale * weight[i] + bias[i], out[i]);
}

TENON_INLINE float Gelu(float x) {
  constexpr float kTwiceRootOfTwoOverPi = 1.59576912f;
  return x / (1.0f + Exp(-kTwiceRootOfTwoOverPi * (x + 0.044715f * x * x * x)));
}

template <typename T>
TENON_INLINE void GeluLoop(const float* x, size_t n, T* out) {
  for (size_t i = 0; i < n; ++i) Round(Gelu(x[i]), out[i]);
}

template <typename T>
TENON_INLINE void GeluMulLoop(const float* gate, const float* up, size_t n, T* out) {
  for (size_t i = 0; i < n; ++i) Round(Gelu(gate[i]) * up[i], out[i]);
}

template <typename T>
TENON_INLINE void SiluMulLoop(const float* gate, const float* up, size_t n, T* out) {
  for (size_t i = 0; i < n; ++i) Round(gate[i] / (1.0f + Exp(-gate[i])) * up[i], out[i]);
}

template <typename T>
TENON_INLINE float SoftmaxLoop(const float* scores, size_t n, float scale, T* out) {
  float largest = scores[0];
  for (size_t i = 1; i < n; ++i) largest = scores[i] > largest ? scores[i] : largest;
  float sum = 0;
  for (size_t i = 0; i < n; ++i) {
    Round(Exp((scores[i] - largest) * scale), out[i]);
    sum += ToFloat(out[i]);
  }
  return sum;
}

TENON_INLINE double LogSumExpLoop(const float* x, size_t n) {
  float largest = x[0];
  for (size_t i = 1; i < n; ++i) largest = x[i] > largest ? x[i] : largest;
  float sum = 0;
  for (size_t i = 0; i < n; ++i) sum += Exp(x[i] - largest);
  return static_cast<double>(largest) + std::log(static_cast<double>(sum));
}

template <typename T>
TENON_INLINE void ScoresLoop(const float* query, const T* keys, size_t n_keys, size_t depth,
                             float* out) {
  for (size_t k = 0; k < n_keys; ++k) {
    float sum = 0;
    for (size_t i = 0; i < depth; ++i) sum += query[i] * ToFloat(keys[k * depth + i]);
    out[k] = sum;
  }
}

template <typename T>
TENON_INLINE void AddWeightedLoop(const float* weights, const T* values, size_t n_keys,
                                  size_t depth, float* out) {
  for (size_t k = 0; k < n_keys; ++k) {
    for (size_t i = 0; i < depth; ++i) out[i] += weights[k] * ToFloat(values[k * depth + i]);
  }
}

template <typename T>
TENON_INLINE void RotateLoop(const float* x, const float* cosines, const float* sines, size_t pairs,
                             T* out) {
  for (size_t i = 0; i < pairs; ++i) {
    const float a = x[2 * i], b = x[2 * i + 1];
    Round(a * cosines[i] - b * sines[i], out[2 * i]);
    Round(a * sines[i] + b * cosines[i], out[2 * i + 1]);
  }
}

template <typename T>
TENON_INLINE void RotateHalvesLoop(const float* x, const float* cosines, const float* sines,
                                   size_t pairs, T* out) {
  for (size_t i = 0; i < pairs; ++i) {
    const float a = x[i], b = x[i + pairs];
    Round(a * cosines[i] - b * sines[i], out[i]);
    Round(a * sines[i] + b * cosines[i], out[i + pairs]);
  }
}

template <typename T>
TENON_INLINE void RoundLoop(const float* x, size_t n, float scale, T* out) {
  for (size_t i = 0; i < n; ++i) Round(x[i] * scale, out[i]);
}

TENON_INLINE void AddLoop(const float* x, size_t n, float* out) {
  for (size_t i = 0; i < n; ++i) out[i] += x[i];
}

// All loops, compiled for one kind of processor.
#define TENON_KERNEL_SET(NAME, TARGET)                                                             \
  template <typename T>                                                                            \
  struct NAME {                                                                                    \
    TARGET static void RmsNorm(const float* x, const float* w, size_t n, float eps, T* out) {      \
      RmsNormLoop(x, w, n, eps, out);                                                              \
    }                                                                                              \
    TARGET static void LayerNorm(const float* x, const float* w, const float* b, size_t n,         \
                                 float eps, T* out) {                                              \
      LayerNormLoop(x, w, b, n, eps, out);                                                         \
    }                                                                                              \
    TARGET static void GeluOf(const float* x, size_t n, T* out) { GeluLoop(x, n, out); }           \
    TARGET static void GeluMul(const float* g, const float* u, size_t n, T* out) {                 \
      GeluMulLoop(g, u, n, out);                                                                   \
    }                                                                                              \
    TARGET static void SiluMul(const float* g, const float* u, size_t n, T* out) {                 \
      SiluMulLoop(g, u, n, out);                                                                   \
    }                                                                                              \
    TARGET static float Softmax(const float* s, size_t n, float scale, T* out) {                   \
      return SoftmaxLoop(s, n, scale, out);                                                        \
    }                                                                                              \
    TARGET static double LogSumExp(const float* x, size_t n) { return LogSumExpLoop(x, n); }       \
    TARGET static void Scores(const float* q, const T* keys, size_t n, size_t depth, float* out) { \
      ScoresLoop(q, keys, n, depth, out);                                                          \
    }                                                                                              \
    TARGET static void AddWeighted(const float* w, const T* values, size_t n, size_t depth,        \
                                   float* out) {                                                   \
      AddWeightedLoop(w, values, n, depth, out);                                                   \
    }                                                                                              \
    TARGET static void Rotate(const float* x, const float* c, const float* s, size_t n, T* out) {  \
      RotateLoop(x, c, s, n, out);                                                                 \
    }                                                                                              \
    TARGET static void RotateHalves(const float* x, const float* c, const float* s, size_t n,      \
                                    T* out) {                                                      \
      RotateHalvesLoop(x, c, s, n, out);                                                           \
    }                                                                                              \
    TARGET static void Convert(const float* x, size_t n, float scale, T* out) {                    \
      RoundLoop(x, n, scale, out);                                                                 \
    }                                                                                              \
    TARGET static void Add(const float* x, size_t n, float* out) { AddLoop(x, n, out); }           \
    static VectorKernels<T> Table() {                                                              \
      return {RmsNorm, LayerNorm,   SiluMul, GeluOf,       GeluMul, Softmax, LogSumExp,            \
              Scores,  AddWeighted, Rotate,  RotateHalves, Convert, Add};                          \
    }                                                                                              \
  };

TENON_KERNEL_SET(PlainKernels, )
#if defined(__x86_64__)
TENON_KERNEL_SET(Avx2Kernels, [[gnu::target("avx2,fma")]])
TENON_KERNEL_SET(
    Avx512Kernels,
    [[gnu::target("avx512f,avx512bw,avx512vl,avx512dq,avx2,fma,prefer-vector-width=512")]])
#endif

}  // namespace

template <typename T>
VectorKernels<T> KernelsForThisProcessor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")) {
    return Avx512Kernels<T>::Table();
  }
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return Avx2Kernels<T>::Table();
#endif
  return PlainKernels<T>::Table();
}

template VectorKernels<float> KernelsForThisProcessor<float>();
template VectorKernels<BFloat16> KernelsForThisProcessor<BFloat16>();

}  // namespace tenon::model
