// The loops of the forward pass that are no matrix product, for float and bfloat16 operands.
//
//   rms_norm:  out[i] = x[i] * w[i] / sqrt(mean(x^2) + eps)          silu_mul: out[i] = g[i] / (1 + e^-g[i]) * u[i]
//   softmax:   out[i] = e^(scale * (s[i] - max s)), returns the sum   (the caller divides once, at the end)
//   scores:    out[k] = sum_i q[i] * keys[k, i]                      weighted: out[i] = sum_k p[k] * values[k, i]
//   rotate:    (a, b) -> (a cos - b sin, a sin + b cos) on neighbours  round: out[i] = x[i] * scale;  add: out[i] += x[i]
//
// Each loop is written once and compiled for AVX-512, AVX2 and the plain processor; the table says which fits the
// machine that runs. The exponential is a polynomial, exact to 1e-6. Cost: bound by the first-level cache, 10 to 30
// GB/s. Thread rule: pure functions.
#pragma once

#include <cstddef>

#include "model/bfloat16.h"

namespace tenon::model {

// T: how activations and the KV cache are stored, float or BFloat16.
template <typename T>
struct VectorKernels {
  void (*rms_norm)(const float* x, const float* weight, size_t n, float epsilon, T* out);
  void (*silu_mul)(const float* gate, const float* up, size_t n, T* out);
  float (*softmax)(const float* scores, size_t n, float scale, T* out);
  void (*scores)(const float* query, const T* keys, size_t n_keys, size_t depth, float* out);
  void (*weighted)(const T* weights, const T* values, size_t n_keys, size_t depth, float* out);
  void (*rotate)(const float* x, const float* cosines, const float* sines, size_t pairs, T* out);
  void (*round)(const float* x, size_t n, float scale, T* out);
  void (*add)(const float* x, size_t n, float* out);
};

// Instances: float, BFloat16.
template <typename T>
VectorKernels<T> KernelsForThisProcessor();

}  // namespace tenon::model
