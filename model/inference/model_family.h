// The families of models that tenon runs: what a file calls their sizes and their tensors.
//
// Every family is a Llama with some differences (llama_model.h has the computation). A family is
// described once, here, for both formats of files:
//
//   engine              GGUF                          Hugging Face
//   layers              llama.block_count             num_hidden_layers
//   the query's matrix  blk.3.attn_q.weight           model.layers.3.self_attn.q_proj.weight
//
// Rows of queries and keys. A rotation turns pairs of numbers of a head. Hugging Face's models have
// the two of a pair half a head apart, and so have GGUF files of most families; those of `llama`
// have the pair side by side, in rows that the converter has moved.
//
// A new family is one row of ModelFamilies, its differences as FamilyTraits (llama_config.h), its
// tensors in FamilyTensors, and its computation in forward_pass.cpp or attention.h and in
// torch_module.cpp. docs/models.md, "A new family", has the steps.
//
// Source: llama.cpp, gguf-py (constants.py, tensor_mapping.py); transformers, modeling_*.py and
// configuration_*.py of its models.
// Cost: none to speak of. Thread rule: pure functions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/inference/llama_config.h"

namespace tenon::model {

struct ModelFamily {
  // `general.architecture` of a GGUF file.
  std::string_view name;
  // `model_type` of a config.json; empty: the same name.
  std::string_view config_name = {};
  std::string_view examples;
  bool gguf_rotates_halves = false;
  FamilyTraits traits = {};
  // Of a config.json: the value of tie_word_embeddings where it has none, its name of
  // norm_epsilon, the name of its activation, and whether its sliding_window counts without
  // use_sliding_window.
  bool ties_by_default = false;
  const char* config_epsilon = "rms_norm_eps";
  std::string_view activation = "silu";
  bool always_has_window = false;
  // With a window: every so-manieth layer sees all before it, and the base of the rotations in the
  // others; 0: all layers are alike.
  int global_every = 0;
  float window_rope_base = 0;
  // Of a config.json: its name of the number whose root divides attention's scores; nullptr: the
  // width of a head. A GGUF file does not tell it; the model of so many layers divides by the root
  // of width / heads.
  const char* config_score_divisor = nullptr;
  int layers_of_other_scores = 0;
  // Of a config.json: the base of the rotations where it has none, and whether norms are stored
  // less one.
  float config_rope_base = 10000;
  bool has_norms_less_one = false;
};
std::span<const ModelFamily> ModelFamilies();
// The family of a GGUF file, of a config.json; nullptr where tenon does not run it.
const ModelFamily* FindFamily(std::string_view architecture);
const ModelFamily* FindFamilyOfConfig(std::string_view model_type);
// "'llama' (SmolLM2, Llama, DeepSeek-Coder), 'qwen2' (Qwen2.5-Coder), …": the names of GGUF files,
// of a config.json.
std::string NamesOfFamilies();
std::string NamesOfFamiliesInConfigs();

// A size that every file has to name.
struct FamilySize {
  const char* gguf_key;  // after the family's name and a dot
  const char* config_key;
  const char* gpt2_key;  // its config_key in a family with names of GPT-2
  int LlamaConfig::*size;

  const char* ConfigKey(const FamilyTraits& traits) const {
    return traits.has_names_of_gpt2 ? gpt2_key : config_key;
  }
};
std::span<const FamilySize> FamilySizes();

// A tensor of a model, and its shape.
struct FamilyTensor {
  std::string gguf_name;
  std::string hugging_face_name;  // empty: such models have none
  int64_t rows = 0;               // 0: a vector
  int64_t columns = 0;
  bool optional = false;
};
// REQUIRES: as many layers as can be listed.
std::vector<FamilyTensor> FamilyTensors(const LlamaConfig& config);

// The most layers that a model may have.
inline constexpr int kMaxLayers = 4096;

// "blk.3.attn_q.weight".
std::string GgufNameInLayer(int layer, std::string_view name, std::string_view part = "weight");

}  // namespace tenon::model
