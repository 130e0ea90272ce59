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

// Lists the tensors of one layer.
class LayerTensors {
 public:
  LayerTensors(const LlamaConfig& config, int layer, std::vector<FamilyTensor>& all)
      : config_(config),
        traits_(config.traits),
        names_(NamesOf(config.traits)),
        layer_(layer),
        all_(all) {}

  void AddNorms() {
    AddNorm("attn_norm", names_.attention_norm);
    if (traits_.has_post_norms) {
      AddNorm("post_attention_norm", "post_attention_layernorm");
      AddNorm("ffn_norm", "pre_feedforward_layernorm");
      AddNorm("post_ffw_norm", "post_feedforward_layernorm");
    } else {
      AddNorm("ffn_norm", names_.feed_forward_norm);
    }
    if (!traits_.has_layer_norms) return;
    AddBias("attn_norm", names_.attention_norm, config_.width);
    AddBias("ffn_norm", names_.feed_forward_norm, config_.width);
  }

  void AddAttention() {
    const int64_t query = int64_t{config_.heads} * config_.head_width;
    const int64_t key = int64_t{config_.kv_heads} * config_.head_width;
    if (traits_.has_fused_attention) {
      AddMatrix("attn_qkv", "attn.c_attn", query + 2 * key, config_.width);
      AddBias("attn_qkv", "attn.c_attn", query + 2 * key);
    } else {
      AddMatrix("attn_q", "self_attn.q_proj", query, config_.width);
      AddMatrix("attn_k", "self_attn.k_proj", key, config_.width);
      AddMatrix("attn_v", "self_attn.v_proj", key, config_.width);
    }
    if (traits_.has_attention_bias && !traits_.has_fused_attention) {
      AddBias("attn_q", "self_attn.q_proj", query);
      AddBias("attn_k", "self_attn.k_proj", key);
      AddBias("attn_v", "self_attn.v_proj", key);
    }
    if (traits_.has_head_norms) {
      Add("attn_q_norm", "self_attn.q_norm", "weight", 0, config_.head_width);
      Add("attn_k_norm", "self_attn.k_norm", "weight", 0, config_.head_width);
    }
    AddMatrix("attn_output", names_.attention_out, config_.width, query);
    if (traits_.has_all_biases) AddBias("attn_output", names_.attention_out, config_.width);
  }

  void AddFeedForward() {
    if (!traits_.has_no_gate)
      AddMatrix("ffn_gate", "mlp.gate_proj", config_.feed_forward, config_.width);
    AddMatrix("ffn_up", names_.up, config_.feed_forward, config_.width);
    AddMatrix("ffn_down", names_.down, config_.width, config_.feed_forward);
    if (!traits_.has_all_biases) return;
    AddBias("ffn_up", names_.up, config_.feed_forward);
    AddBias("ffn_down", names_.down, config_.width);
  }

 private:
  void AddMatrix(std::string_view gguf, std::string_view hugging_face, int64_t rows,
                 int64_t columns) {
    Add(gguf, hugging_face, "weight", rows, columns);
  }
  void AddNorm(std::string_view gguf, std::string_view hugging_face) {
    Add(gguf, hugging_face, "weight", 0, config_.width);
  }
  void AddBias(std::string_view gguf, std::string_view hugging_face, int64_t numbers) {
    Add(gguf, hugging_face, "bias", 0, numbers);
  }
  // rows: 0 of a vector.
  void Add(std::string_view gguf, std::string_view hugging_face, std::string_view part,
           int64_t rows, int64_t columns) {
    all_.push_back({GgufNameInLayer(layer_, gguf, part),
                    fmt::format("{}.{}.{}.{}", names_.layers, layer_, hugging_face, part), rows,
                    columns});
  }

  const LlamaConfig& config_;
  const FamilyTraits& traits_;
  const TensorNames& names_;
  const int layer_;
  std::vector<FamilyTensor>& all_;
};

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

std::vector<FamilyTensor> FamilyTensors(const LlamaConfig& config) {
  const FamilyTraits& traits = config.traits;
  const TensorNames& names = NamesOf(traits);
  const auto weight = [](const char* name) { return fmt::format("{}.weight", name); };
  std::vector<FamilyTensor> all = {
      {"token_embd.weight", weight(names.embedding), config.vocabulary, config.width},
      {"output_norm.weight", weight(names.final_norm), 0, config.width},
      {"output.weight", "lm_head.weight", config.vocabulary, config.width, true},
      {"rope_freqs.weight", "", 0, config.rope_width / 2, true}};
  if (traits.has_layer_norms)
    all.push_back({"output_norm.bias", fmt::format("{}.bias", names.final_norm), 0, config.width});
  if (traits.has_learned_positions)
    all.push_back({"position_embd.weight", "transformer.wpe.weight", config.context, config.width});
  for (int layer = 0; layer < config.layers; ++layer) {
    LayerTensors of_layer(config, layer, all);
    of_layer.AddNorms();
    of_layer.AddAttention();
    of_layer.AddFeedForward();
  }
  return all;
}

}  // namespace tenon::model
