// The sizes of a Llama model: its shape and its constants, as a GGUF file's metadata or the
// config.json of a Hugging Face folder gives them.
//
// Example: the small model has 30 layers; its residual vector has 576 numbers; attention has 9
// query heads of 64 numbers (9 * 64 = 576) that share 3 key heads, so 3 query heads use one key
// head.
//
//   width         |<------------- residual vector of one token ------------->|
//   heads         | q0 | q1 | q2 | q3 | q4 | q5 | q6 | q7 | q8 |   head_width each
//   kv_heads      |      k0      |      k1      |      k2      |   one key for three queries
//
// Families (model_family.h) differ in `rotates_halves` and in their traits. Example: Qwen2 is a
// Llama with has_attention_bias.
//
// Source of the keys: https://github.com/ggml-org/ggml/blob/master/docs/gguf.md, section
// "llama"; transformers, configuration_*.py of the families and, for the scaling of rotations,
// modeling_rope_utils.py. Cost: a few lookups. Thread rule: a value; pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tl/expected.hpp>
#include <vector>

#include "model/file/file.h"
#include "model/model_error.h"

namespace tenon::model {

// The operands of matrix products.
enum class Precision : uint8_t {
  kAuto,      // the best of the next three for this file and this processor
  kFloat32,   // weights are unpacked to floats
  kBFloat16,  // weights are unpacked to bfloat16
  kBlocks     // weights are in blocks, mostly those of the file; activations become 8-bit integers
};

// The differences of a family to Llama; model_family.h has a row of them for each family.
struct FamilyTraits {
  bool has_attention_bias = false;  // q, k and v have a bias each
  // Each head of q and k is divided by its root mean square before it is rotated.
  bool has_head_norms = false;
  // Norms take the mean away and have a bias (layer norms); else they divide by the root mean
  // square.
  bool has_layer_norms = false;
  // The output of attention and both matrices of the feed-forward have a bias, too.
  bool has_all_biases = false;
  // The feed-forward is down(gelu(up(x))); else it is down(silu(gate(x)) * up(x)).
  bool has_no_gate = false;
  // The feed-forward is down(gelu(gate(x)) * up(x)).
  bool has_gelu_gate = false;
  // The outputs of attention and of the feed-forward are normed before they are added.
  bool has_post_norms = false;
  // The embedding of a token is multiplied by the root of the width.
  bool scales_embedding = false;
  // A learned vector for each position is added to the embedding, and no head is rotated.
  bool has_learned_positions = false;
  // A file has q, k and v, and their biases, in one tensor each (fused_attention.h).
  bool has_fused_attention = false;
  // In Hugging Face's folders tensors and sizes have the names that GPT-2 gave them.
  bool has_names_of_gpt2 = false;
};

struct LlamaConfig {
  int layers = 0;
  int width = 0;         // length of the residual vector
  int feed_forward = 0;  // length of the gate
  int heads = 0;         // query heads
  int kv_heads = 0;      // key and value heads; heads / kv_heads query heads share one
  int head_width = 0;    // numbers of a head
  // The length of the part of a head, from its beginning, that is rotated; 0: positions are
  // learned.
  int rope_width = 0;
  // The two numbers that a rotation turns: (i, i + rope_width / 2), else the neighbours
  // (2i, 2i + 1).
  bool rotates_halves = false;
  FamilyTraits traits;
  int vocabulary = 0;  // rows of the embedding
  int context = 0;     // positions that the model was trained for
  float rope_base = 0;
  // [rope_width / 2]: each pair turns slower by its divisor; empty: none does.
  std::vector<float> rope_divisors;
  float norm_epsilon = 0;
  // A position sees itself and the window - 1 positions before it; 0: all positions before it.
  int window = 0;
  // [layers] Whether a layer sees all positions in spite of the window; empty: no layer does.
  std::vector<bool> sees_all;
  // The base of the rotations, without divisors, of layers that have the window; 0: all layers
  // rotate alike.
  float window_rope_base = 0;
  // The factor of attention's scores.
  float score_scale = 0;
  // The weights of norms are stored less one.
  bool has_norms_less_one = false;
  // The head is the embedding, even if the file has a matrix for it.
  bool head_is_embedding = false;
  // The next three are no properties of the file: the caller of ReadLlamaConfig sets them.
  Precision precision = Precision::kFloat32;  // never kAuto
  // With kBlocks: matrices of floats become blocks of Q8_0. Else they stay floats.
  bool quantizes_floats = false;
  int threads = 1;

  [[nodiscard]] int WindowOf(int layer) const {
    return sees_all.empty() || !sees_all[static_cast<size_t>(layer)] ? window : 0;
  }
};

// Errors: kUnsupported, another architecture or a rotary scaling; kFormat, a value is missing or
// impossible, by name.
tl::expected<LlamaConfig, ModelError> ReadLlamaConfig(const GgufFile& file);
tl::expected<LlamaConfig, ModelError> ReadLlamaConfig(const HuggingFaceFolder& folder);

}  // namespace tenon::model
