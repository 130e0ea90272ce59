// A Llama model of a few thousand weights with a vocabulary of all bytes, as a GGUF file in
// memory: for tests of everything that does not need a model that knows anything.
//
// Thread rule: pure functions.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "model/text/byte_alphabet.h"
#include "tests/model/gguf_writer.h"

namespace tenon::model {

struct TinyShape {
  // Or "qwen2": with biases of q, k and v. Or "qwen3": with norms of their heads. Or "starcoder2":
  // with layer norms, all biases, no gate and a window of 12. Or "gemma": with a gate of gelu and a
  // scaled embedding. Or "gemma3": besides with norms of heads and of what is added, and a window
  // of 12 in every second layer. Or "starcoder": with layer norms, all biases, no gate, learned
  // positions, and q, k and v in one matrix.
  std::string architecture = "llama";
  uint32_t layers = 2, width = 32, heads = 4, kv_heads = 2, feed_forward = 64;
  std::string pre = "smollm";
  // Control tokens, ids 0, 1, ...; bytes and merges follow.
  std::vector<std::string> control = {"<|endoftext|>", "<file_sep>", "<|im_start|>"};
  // Matrices as Q8_0 blocks; else floats.
  bool in_blocks = false;
  // Tokens of two others, as signs of ASCII; ids behind those of all others.
  std::vector<std::pair<std::string, std::string>> pairs = {};
};

// Metadata of a tokenizer: control tokens, the 256 bytes, merges of "th", "the", "  ", "    " and
// "ab".
inline void AddTinyTokenizer(GgufWriter& file, const TinyShape& shape) {
  std::vector<std::string> tokens = shape.control;
  std::vector<int32_t> kinds(tokens.size(), 3);
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(ByteAsText(static_cast<uint8_t>(byte)));
  const std::string space = ByteAsText(' ');
  tokens.insert(tokens.end(), {"th", "the", space + space, space + space + space + space, "ab"});
  std::vector<std::string> merges = {"t h", "th e", space + " " + space,
                                     space + space + " " + space + space, "a b"};
  for (const auto& [first, second] : shape.pairs) {
    tokens.push_back(first + second);
    merges.push_back(first + " " + second);
  }
  kinds.resize(tokens.size(), 1);
  file.Text("tokenizer.ggml.model", "gpt2").Text("tokenizer.ggml.pre", shape.pre);
  file.Texts("tokenizer.ggml.tokens", tokens).Integers("tokenizer.ggml.token_type", kinds);
  file.Texts("tokenizer.ggml.merges", merges);
  file.Unsigned("tokenizer.ggml.eos_token_id", 0);
}

inline uint64_t TinyVocabulary(const TinyShape& shape) {
  return shape.control.size() + 256 + 5 + shape.pairs.size();
}

// Q8_0 blocks: of 32 values the scale 2^-6 as a half, then signed bytes.
inline std::vector<std::byte> TinyBlocks(const std::vector<float>& values) {
  constexpr uint16_t kHalfOfScale = 0x2400;  // 2^-6
  std::vector<std::byte> bytes;
  for (size_t i = 0; i < values.size(); ++i) {
    if (i % 32 == 0) {
      bytes.push_back(static_cast<std::byte>(kHalfOfScale & 255));
      bytes.push_back(static_cast<std::byte>(kHalfOfScale >> 8));
    }
    const float scaled = std::round(values[i] * 64.0f);
    bytes.push_back(static_cast<std::byte>(static_cast<int8_t>(scaled)));
  }
  return bytes;
}

inline GgufWriter TinyModel(const TinyShape& shape = {}, bool with_metadata = true) {
  GgufWriter file;
  const std::string& family = shape.architecture;
  file.Text("general.architecture", family);
  if (with_metadata) {
    file.Unsigned(family + ".block_count", shape.layers)
        .Unsigned(family + ".embedding_length", shape.width);
    file.Unsigned(family + ".feed_forward_length", shape.feed_forward)
        .Unsigned(family + ".attention.head_count", shape.heads);
    file.Unsigned(family + ".attention.head_count_kv", shape.kv_heads)
        .Unsigned(family + ".context_length", 600);
    const bool layer_norms = family.starts_with("starcoder");
    file.Real(
        family + ".attention." + (layer_norms ? "layer_norm_epsilon" : "layer_norm_rms_epsilon"),
        1e-5f);
    if (family == "starcoder2" || family == "gemma3")
      file.Unsigned(family + ".attention.sliding_window", 12);
    if (family == "gemma3") {
      file.Unsigned("gemma3.attention.sliding_window_pattern", 2);
      file.Real("gemma3.rope.freq_base", 1e6f);
    }
  }
  AddTinyTokenizer(file, shape);
  // Weights from a fixed sequence, small enough that nothing overflows.
  uint32_t state = 12345;
  const auto floats = [&state](uint64_t n, float centre, float spread) {
    std::vector<float> values(n);
    for (float& value : values) {
      state = state * 1664525u + 1013904223u;
      value = centre + spread * (static_cast<float>(state >> 8) / 8388608.0f - 1.0f);
    }
    return values;
  };
  const auto matrix = [&](const std::string& name, uint64_t rows, uint64_t columns) {
    const auto values = floats(rows * columns, 0, 2.0f / std::sqrt(static_cast<float>(columns)));
    if (shape.in_blocks) {
      file.Tensor(name, {columns, rows}, 8, TinyBlocks(values));
    } else {
      file.Floats(name, {columns, rows}, values);
    }
  };
  const auto vector = [&](const std::string& name, uint64_t n, float centre, float spread) {
    file.Floats(name, {n}, floats(n, centre, spread));
  };
  const bool is_starcoder = family.starts_with("starcoder"), is_fused = family == "starcoder";
  const uint64_t key_width = uint64_t{shape.width} / shape.heads * shape.kv_heads;
  matrix("token_embd.weight", TinyVocabulary(shape), shape.width);
  file.Floats("output_norm.weight", {shape.width}, floats(shape.width, 1, 0.1f));
  if (is_starcoder) vector("output_norm.bias", shape.width, 0, 0.3f);
  if (is_fused) matrix("position_embd.weight", 600, shape.width);
  for (uint32_t layer = 0; layer < shape.layers; ++layer) {
    const std::string blk = "blk." + std::to_string(layer) + ".";
    file.Floats(blk + "attn_norm.weight", {shape.width}, floats(shape.width, 1, 0.1f));
    file.Floats(blk + "ffn_norm.weight", {shape.width}, floats(shape.width, 1, 0.1f));
    if (is_fused) {
      matrix(blk + "attn_qkv.weight", shape.width + 2 * key_width, shape.width);
      vector(blk + "attn_qkv.bias", shape.width + 2 * key_width, 0, 0.3f);
    } else {
      matrix(blk + "attn_q.weight", shape.width, shape.width);
      matrix(blk + "attn_k.weight", key_width, shape.width);
      matrix(blk + "attn_v.weight", key_width, shape.width);
    }
    if (is_starcoder) {
      for (const char* name :
           {"attn_norm.bias", "ffn_norm.bias", "attn_output.bias", "ffn_down.bias"})
        vector(blk + name, shape.width, 0, 0.3f);
      vector(blk + "ffn_up.bias", shape.feed_forward, 0, 0.3f);
    }
    if (family == "qwen2" || family == "starcoder2") {
      file.Floats(blk + "attn_q.bias", {shape.width}, floats(shape.width, 0, 0.3f));
      file.Floats(blk + "attn_k.bias", {key_width}, floats(key_width, 0, 0.3f));
      file.Floats(blk + "attn_v.bias", {key_width}, floats(key_width, 0, 0.3f));
    }
    if (family == "gemma3") {
      for (const char* name : {"post_attention_norm.weight", "post_ffw_norm.weight"})
        vector(blk + name, shape.width, 1, 0.3f);
    }
    if (family == "qwen3" || family == "gemma3") {
      const uint64_t head = shape.width / shape.heads;
      file.Floats(blk + "attn_q_norm.weight", {head}, floats(head, 1, 0.3f));
      file.Floats(blk + "attn_k_norm.weight", {head}, floats(head, 1, 0.3f));
    }
    matrix(blk + "attn_output.weight", shape.width, shape.width);
    if (!is_starcoder) matrix(blk + "ffn_gate.weight", shape.feed_forward, shape.width);
    matrix(blk + "ffn_up.weight", shape.feed_forward, shape.width);
    matrix(blk + "ffn_down.weight", shape.width, shape.feed_forward);
  }
  return file;
}

}  // namespace tenon::model
