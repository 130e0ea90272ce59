#include "model/inference/model_family.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace tenon::model {
namespace {

constexpr std::array kFamilies = {
    ModelFamily{.name = "llama", .examples = "SmolLM2, Llama, DeepSeek-Coder"},
    ModelFamily{.name = "qwen2",
                .examples = "Qwen2.5-Coder",
                .gguf_rotates_halves = true,
                .traits = {.has_attention_bias = true}},
    ModelFamily{.name = "qwen3",
                .examples = "Qwen3",
                .gguf_rotates_halves = true,
                .traits = {.has_head_norms = true}},
    ModelFamily{.name = "starcoder2",
                .examples = "StarCoder2",
                .gguf_rotates_halves = true,
                .traits = {.has_attention_bias = true,
                           .has_layer_norms = true,
                           .has_all_biases = true,
                           .has_no_gate = true},
                .ties_by_default = true,
                .config_epsilon = "norm_epsilon",
                .activation = "gelu_pytorch_tanh",
                .always_has_window = true},
    ModelFamily{.name = "starcoder",
                .config_name = "gpt_bigcode",
                .examples = "SantaCoder, StarCoder",
                .gguf_rotates_halves = true,
                .traits = {.has_attention_bias = true,
                           .has_layer_norms = true,
                           .has_all_biases = true,
                           .has_no_gate = true,
                           .has_learned_positions = true,
                           .has_fused_attention = true,
                           .has_names_of_gpt2 = true},
                .ties_by_default = true,
                .config_epsilon = "layer_norm_epsilon",
                .activation = "gelu_pytorch_tanh"},
    ModelFamily{.name = "gemma",
                .examples = "CodeGemma",
                .gguf_rotates_halves = true,
                .traits = {.has_gelu_gate = true, .scales_embedding = true},
                .ties_by_default = true,
                .activation = "gelu_pytorch_tanh",
                .has_norms_less_one = true},
    ModelFamily{.name = "gemma3",
                .config_name = "gemma3_text",
                .examples = "Gemma 3",
                .gguf_rotates_halves = true,
                .traits = {.has_head_norms = true,
                           .has_gelu_gate = true,
                           .has_post_norms = true,
                           .scales_embedding = true},
                .ties_by_default = true,
                .activation = "gelu_pytorch_tanh",
                .always_has_window = true,
                .global_every = 6,
                .window_rope_base = 10000,
                .config_score_divisor = "query_pre_attn_scalar",
                .layers_of_other_scores = 62,
                .config_rope_base = 1'000'000,
                .has_norms_less_one = true}};

constexpr std::array kSizes = {
    FamilySize{"block_count", "num_hidden_layers", "n_layer", &LlamaConfig::layers},
    FamilySize{"embedding_length", "hidden_size", "n_embd", &LlamaConfig::width},
    FamilySize{"feed_forward_length", "intermediate_size", "n_inner", &LlamaConfig::feed_forward},
    FamilySize{"attention.head_count", "num_attention_heads", "n_head", &LlamaConfig::heads},
    FamilySize{"context_length", "max_position_embeddings", "n_positions", &LlamaConfig::context}};

// Names of tensors in Hugging Face's folders.
struct TensorNames {
  const char *embedding, *final_norm, *layers;
  // In a layer.
  const char *attention_norm, *feed_forward_norm, *attention_out, *up, *down;
};
constexpr TensorNames kNames = {
    "model.embed_tokens",       "model.norm",       "model.layers", "input_layernorm",
    "post_attention_layernorm", "self_attn.o_proj", "mlp.up_proj",  "mlp.down_proj"};
constexpr TensorNames kNamesWithoutGate = {
    "model.embed_tokens",       "model.norm",       "model.layers", "input_layernorm",
    "post_attention_layernorm", "self_attn.o_proj", "mlp.c_fc",     "mlp.c_proj"};
constexpr TensorNames kNamesOfGpt2 = {
    "transformer.wte", "transformer.ln_f", "transformer.h", "ln_1", "ln_2",
    "attn.c_proj",     "mlp.c_fc",         "mlp.c_proj"};
const TensorNames& NamesOf(const FamilyTraits& traits) {
  if (traits.has_names_of_gpt2) return kNamesOfGpt2;
  return traits.has_no_gate ? kNamesWithoutGate : kNames;
}

using NameOfFamily = std::string_view(const ModelFamily&);
std::string_view NameInGguf(const ModelFamily& family) { return family.name; }
std::string_view NameInConfig(const ModelFamily& family) {
  return family.config_name.empty() ? family.name : family.config_name;
}

const ModelFamily* FindBy(NameOfFamily* name_of, std::string_view name) {
  const auto* found =
      std::find_if(kFamilies.begin(), kFamilies.end(),
                   [&](const ModelFamily& family) { return name_of(family) == name; });
  return found == kFamilies.end() ? nullptr : found;
}

std::string ListBy(NameOfFamily* name_of) {
  std::string names;
  for (const ModelFamily& family : kFamilies) {
    const bool last = &family == &kFamilies.back();
    names += fmt::format("{}'{}' ({})",
                         names.empty() ? ""
                         : last        ? " and "
                                       : ", ",
                         name_of(family), family.examples);
  }
  return names;
}

}  // namespace

std::span<const ModelFamily> ModelFamilies() { return kFamilies; }
std::span<const FamilySize> FamilySizes() { return kSizes; }

const ModelFamily* FindFamily(std::string_view architecture) {
  return FindBy(NameInGguf, architecture);
}
const ModelFamily* FindFamilyOfConfig(std::string_view model_type) {
  return FindBy(NameInConfig, model_type);
}

std::string NamesOfFamilies() { return ListBy(NameInGguf); }
std::string NamesOfFamiliesInConfigs() { return ListBy(NameInConfig); }

std::string GgufNameInLayer(int layer, std::string_view name, std::string_view part) {
  return fmt::format("blk.{}.{}.{}", layer, name, part);
}

std::vector<FamilyTensor> FamilyTensors(const LlamaConfig& c) {
  const int64_t query = int64_t{c.heads} * c.head_width, key = int64_t{c.kv_heads} * c.head_width;
  const FamilyTraits& traits = c.traits;
  const TensorNames& names = NamesOf(traits);
  const auto weight = [](const char* name) { return fmt::format("{}.weight", name); };
  std::vector<FamilyTensor> all = {
      {"token_embd.weight", weight(names.embedding), c.vocabulary, c.width},
      {"output_norm.weight", weight(names.final_norm), 0, c.width},
      {"output.weight", "lm_head.weight", c.vocabulary, c.width, true},
      {"rope_freqs.weight", "", 0, c.rope_width / 2, true}};
  if (traits.has_layer_norms)
    all.push_back({"output_norm.bias", fmt::format("{}.bias", names.final_norm), 0, c.width});
  if (traits.has_learned_positions)
    all.push_back({"position_embd.weight", "transformer.wpe.weight", c.context, c.width});
  for (int i = 0; i < c.layers; ++i) {
    const auto add = [&](std::string_view gguf, std::string_view hugging_face, int64_t rows,
                         int64_t columns, std::string_view part = "weight") {
      all.push_back({GgufNameInLayer(i, gguf, part),
                     fmt::format("{}.{}.{}.{}", names.layers, i, hugging_face, part), rows,
                     columns});
    };
    add("attn_norm", names.attention_norm, 0, c.width);
    if (traits.has_post_norms) {
      add("post_attention_norm", "post_attention_layernorm", 0, c.width);
      add("ffn_norm", "pre_feedforward_layernorm", 0, c.width);
      add("post_ffw_norm", "post_feedforward_layernorm", 0, c.width);
    } else {
      add("ffn_norm", names.feed_forward_norm, 0, c.width);
    }
    if (traits.has_layer_norms) {
      add("attn_norm", names.attention_norm, 0, c.width, "bias");
      add("ffn_norm", names.feed_forward_norm, 0, c.width, "bias");
    }
    if (traits.has_fused_attention) {
      add("attn_qkv", "attn.c_attn", query + 2 * key, c.width);
      add("attn_qkv", "attn.c_attn", 0, query + 2 * key, "bias");
    } else {
      add("attn_q", "self_attn.q_proj", query, c.width);
      add("attn_k", "self_attn.k_proj", key, c.width);
      add("attn_v", "self_attn.v_proj", key, c.width);
    }
    if (traits.has_attention_bias && !traits.has_fused_attention) {
      add("attn_q", "self_attn.q_proj", 0, query, "bias");
      add("attn_k", "self_attn.k_proj", 0, key, "bias");
      add("attn_v", "self_attn.v_proj", 0, key, "bias");
    }
    if (traits.has_head_norms) {
      add("attn_q_norm", "self_attn.q_norm", 0, c.head_width);
      add("attn_k_norm", "self_attn.k_norm", 0, c.head_width);
    }
    add("attn_output", names.attention_out, c.width, query);
    if (!traits.has_no_gate) add("ffn_gate", "mlp.gate_proj", c.feed_forward, c.width);
    add("ffn_up", names.up, c.feed_forward, c.width);
    add("ffn_down", names.down, c.width, c.feed_forward);
    if (traits.has_all_biases) {
      add("attn_output", names.attention_out, 0, c.width, "bias");
      add("ffn_up", names.up, 0, c.feed_forward, "bias");
      add("ffn_down", names.down, 0, c.width, "bias");
    }
  }
  return all;
}

}  // namespace tenon::model
