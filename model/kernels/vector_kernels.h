// The loops of the forward pass that are no matrix product.
//
// Each loop walks over vectors of n numbers. Example: softmax of the scores {2, 2} with scale 1
// writes {1, 1} and returns their sum 2; the caller divides by the sum once, at the end.
//
//   rms_norm  out[i] = x[i] * weight[i] / sqrt(mean(x^2) + epsilon)
//   layer_norm  out[i] = (x[i] - mean(x)) * weight[i] / sqrt(variance(x) + epsilon) + bias[i]
//   silu_mul  out[i] = gate[i] / (1 + e^-gate[i]) * up[i]
//   gelu      out[i] = x[i] / (1 + e^-2y), y = sqrt(2 / pi) * (x[i] + 0.044715 * x[i]^3): the one
//             that frameworks call gelu_pytorch_tanh
//   gelu_mul  out[i] = gelu(gate[i]) * up[i]
//   softmax   out[i] = e^(scale * (scores[i] - max(scores))); returns the sum of out
//   log_sum_exp  returns ln(sum over i of e^x[i])
//   scores    out[k] = sum over i of query[i] * keys[k, i]
//   add_weighted  out[i] += sum over k of weights[k] * values[k, i]
//   rotate    (a, b) -> (a cos - b sin, a sin + b cos) for each pair of neighbours
//   rotate_halves  the same for each pair (x[i], x[i + n])
//   round     out[i] = x[i] * scale
//   add       out[i] += x[i]
//
// Each loop is written once and compiled three times: for AVX-512, for AVX2 and for any processor.
// KernelsForThisProcessor picks the set that this machine runs fastest. The exponential is a
// polynomial, exact to 1e-6.
// Cost: bound by the first-level cache, 10 to 30 GB/s. Thread rule: pure functions.
#pragma once

#include <cstddef>

#include "model/kernels/bfloat16.h"

namespace tenon::model {

// T: the type of stored numbers, float or BFloat16: activations, keys and values, an adapter's
// matrices.
template <typename T>
struct VectorKernels {
  // `out` may be x.
  void (*rms_norm)(const float* x, const float* weight, size_t n, float epsilon, T* out);
  // `out` may be x.
  void (*layer_norm)(const float* x, const float* weight, const float* bias, size_t n,
                     float epsilon, T* out);
  void (*silu_mul)(const float* gate, const float* up, size_t n, T* out);
  void (*gelu)(const float* x, size_t n, T* out);
  void (*gelu_mul)(const float* gate, const float* up, size_t n, T* out);
  // REQUIRES: n >= 1. `out` may be `scores`.
  float (*softmax)(const float* scores, size_t n, float scale, T* out);
  // REQUIRES: n >= 1.
  double (*log_sum_exp)(const float* x, size_t n);
  // keys: [n_keys, depth].
  void (*scores)(const float* query, const T* keys, size_t n_keys, size_t depth, float* out);
  // values: [n_keys, depth].
  void (*add_weighted)(const float* weights, const T* values, size_t n_keys, size_t depth,
                       float* out);
  // x and out: 2 * n numbers; cosines and sines: n.
  void (*rotate)(const float* x, const float* cosines, const float* sines, size_t n, T* out);
  // The same, of pairs n apart.
  void (*rotate_halves)(const float* x, const float* cosines, const float* sines, size_t n, T* out);
  void (*round)(const float* x, size_t n, float scale, T* out);
  void (*add)(const float* x, size_t n, float* out);
};

// Instances: float, BFloat16.
template <typename T>
VectorKernels<T> KernelsForThisProcessor();

}  // namespace tenon::model
