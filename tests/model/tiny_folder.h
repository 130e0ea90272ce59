// Tiny models as Hugging Face folders, with the weights of tools/model/reference_folders.py.
//
// Thread rule: one test of a name at a time (the folder is named after the test).
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/text/byte_alphabet.h"
#include "tests/model/safetensors_writer.h"

namespace tenon::model {

// A folder that exists as long as this object.
class TemporaryFolder {
 public:
  explicit TemporaryFolder(const std::string& suffix = "")
      : path_(std::filesystem::path(::testing::TempDir()) /
              (std::string("tenon_") +
               ::testing::UnitTest::GetInstance()->current_test_info()->name() + suffix)) {
    std::filesystem::remove_all(path_);
    std::filesystem::create_directories(path_);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  std::string path() const { return path_.string(); }
  std::string PathOf(std::string_view name) const { return (path_ / name).string(); }
  void Write(std::string_view name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary)
        .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }
  void WriteJson(std::string_view name, const nlohmann::json& file) const {
    Write(name, std::string_view(file.dump()));
  }
  void Write(std::string_view name, const SafetensorsWriter& file) const {
    const auto bytes = file.Bytes();
    Write(name, std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  }
  void Remove(std::string_view name) const { std::filesystem::remove(path_ / name); }

 private:
  std::filesystem::path path_;
};

// A vocabulary of the 256 bytes and two end tokens, 258 tokens in all.
inline nlohmann::json TinyTokenizerJson() {
  nlohmann::json vocabulary = nlohmann::json::object();
  for (int byte = 0; byte < 256; ++byte)
    vocabulary[ByteAsText(static_cast<uint8_t>(byte))] = byte + 2;
  return {{"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
          {"added_tokens",
           {{{"id", 0}, {"content", "<s>"}, {"special", true}},
            {{"id", 1}, {"content", "</s>"}, {"special", true}}}},
          {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", nlohmann::json::array()}}}};
}

using TensorShapes = std::map<std::string, std::vector<uint64_t>>;

// Those of a GPT-BigCode, whose query heads share one key head.
inline TensorShapes TinyGptBigCodeShapes(const nlohmann::json& config) {
  const uint64_t width = config["n_embd"], heads = config["n_head"], tokens = config["vocab_size"];
  const uint64_t feed_forward =
      config.contains("n_inner") ? config["n_inner"].get<uint64_t>() : 4 * width;
  const uint64_t fused = width + 2 * (width / heads), positions = config["n_positions"];
  TensorShapes shapes = {{"transformer.wte.weight", {tokens, width}},
                         {"transformer.wpe.weight", {positions, width}},
                         {"transformer.ln_f.weight", {width}},
                         {"transformer.ln_f.bias", {width}}};
  if (!config.value("tie_word_embeddings", true)) shapes["lm_head.weight"] = {tokens, width};
  for (int layer = 0; layer < config["n_layer"].get<int>(); ++layer) {
    const std::string in = "transformer.h." + std::to_string(layer) + ".";
    for (const char* vector : {"ln_1.weight", "ln_1.bias", "ln_2.weight", "ln_2.bias",
                               "attn.c_proj.bias", "mlp.c_proj.bias"})
      shapes[in + vector] = {width};
    shapes[in + "attn.c_attn.weight"] = {fused, width};
    shapes[in + "attn.c_attn.bias"] = {fused};
    shapes[in + "attn.c_proj.weight"] = {width, width};
    shapes[in + "mlp.c_fc.weight"] = {feed_forward, width};
    shapes[in + "mlp.c_fc.bias"] = {feed_forward};
    shapes[in + "mlp.c_proj.weight"] = {width, feed_forward};
  }
  return shapes;
}

// The tensors that transformers gives a model of this config.json.
inline TensorShapes TinyShapes(const nlohmann::json& config) {
  if (config["model_type"] == "gpt_bigcode") return TinyGptBigCodeShapes(config);
  const uint64_t width = config["hidden_size"], feed_forward = config["intermediate_size"];
  const uint64_t heads = config["num_attention_heads"], kv_heads = config["num_key_value_heads"];
  const uint64_t head = config.value("head_dim", width / heads), tokens = config["vocab_size"];
  const std::string family = config["model_type"];
  TensorShapes shapes = {{"model.embed_tokens.weight", {tokens, width}},
                         {"model.norm.weight", {width}}};
  if (!config["tie_word_embeddings"].get<bool>()) shapes["lm_head.weight"] = {tokens, width};
  if (family == "starcoder2") shapes["model.norm.bias"] = {width};
  for (int layer = 0; layer < config["num_hidden_layers"].get<int>(); ++layer) {
    const std::string in = "model.layers." + std::to_string(layer) + ".";
    shapes[in + "input_layernorm.weight"] = {width};
    shapes[in + "post_attention_layernorm.weight"] = {width};
    shapes[in + "self_attn.q_proj.weight"] = {heads * head, width};
    shapes[in + "self_attn.k_proj.weight"] = {kv_heads * head, width};
    shapes[in + "self_attn.v_proj.weight"] = {kv_heads * head, width};
    shapes[in + "self_attn.o_proj.weight"] = {width, heads * head};
    if (family == "starcoder2") {
      for (const char* norm : {"input_layernorm.bias", "post_attention_layernorm.bias",
                               "self_attn.o_proj.bias", "mlp.c_proj.bias"})
        shapes[in + norm] = {width};
      shapes[in + "mlp.c_fc.weight"] = {feed_forward, width};
      shapes[in + "mlp.c_fc.bias"] = {feed_forward};
      shapes[in + "mlp.c_proj.weight"] = {width, feed_forward};
    } else {
      shapes[in + "mlp.gate_proj.weight"] = {feed_forward, width};
      shapes[in + "mlp.up_proj.weight"] = {feed_forward, width};
      shapes[in + "mlp.down_proj.weight"] = {width, feed_forward};
    }
    if (family == "qwen2" || family == "starcoder2") {
      shapes[in + "self_attn.q_proj.bias"] = {heads * head};
      shapes[in + "self_attn.k_proj.bias"] = {kv_heads * head};
      shapes[in + "self_attn.v_proj.bias"] = {kv_heads * head};
    }
    if (family == "gemma3_text") {
      shapes[in + "pre_feedforward_layernorm.weight"] = {width};
      shapes[in + "post_feedforward_layernorm.weight"] = {width};
    }
    if (family == "qwen3" || family == "gemma3_text") {
      shapes[in + "self_attn.q_norm.weight"] = {head};
      shapes[in + "self_attn.k_norm.weight"] = {head};
    }
  }
  return shapes;
}

// weights_of of the script: a sequence that the tensor's name seeds, exact in each dtype.
inline std::vector<float> TinyWeights(std::string_view name, const std::vector<uint64_t>& shape) {
  uint32_t state = 2166136261u;
  for (const char c : name) state = (state ^ static_cast<uint8_t>(c)) * 16777619u;
  uint64_t count = 1;
  for (const uint64_t size : shape) count *= size;
  float spread = 2;  // of a matrix
  for (uint64_t power = 4; shape.size() == 2 && power <= shape[1]; power *= 4) spread /= 2;
  const auto has = [name](std::string_view word) { return name.find(word) != name.npos; };
  std::vector<float> values(count);
  for (float& value : values) {
    state = state * 1664525u + 1013904223u;
    const int number = static_cast<int>(state >> 24) - 128;
    const auto part = static_cast<float>(number) / 128;
    if (name.ends_with(".bias")) {
      value = part / 4;
    } else if (has("norm") || has(".ln_")) {
      value = 1 + static_cast<float>(number >> 4) / 16;
    } else {
      value = has("embed_tokens") || has(".wte.") || has(".wpe.") ? part : part * spread;
    }
  }
  return values;
}

// The bits of a weight of TinyWeights, which is exact in each dtype.
inline uint16_t ShortBits(float value, bool half) {
  const auto bits = std::bit_cast<uint32_t>(value);
  if (!half) return static_cast<uint16_t>(bits >> 16);
  if (value == 0) return 0;
  return static_cast<uint16_t>((bits >> 16 & 0x8000) | (((bits >> 23 & 255) - 112) << 10) |
                               (bits >> 13 & 1023));
}

inline void AddTensor(SafetensorsWriter& file, const std::string& name,
                      const std::vector<uint64_t>& shape, std::string_view dtype) {
  const std::vector<float> values = TinyWeights(name, shape);
  if (dtype == "F32") {
    file.Floats(name, shape, values);
    return;
  }
  std::vector<uint16_t> bits;
  for (const float value : values) bits.push_back(ShortBits(value, dtype == "F16"));
  file.Halves(name, shape, bits, dtype);
}

// Writes the whole folder: config.json, tokenizer.json, and the tensors dealt to so many files.
inline void WriteTinyFolder(const TemporaryFolder& folder, const nlohmann::json& config,
                            int shards = 1, std::string_view dtype = "F32") {
  folder.WriteJson("config.json", config);
  folder.WriteJson("tokenizer.json", TinyTokenizerJson());
  const auto name_of = [shards](int shard) -> std::string {
    return shards == 1 ? "model.safetensors"
                       : fmt::format("model-{:05}-of-{:05}.safetensors", shard + 1, shards);
  };
  std::vector<SafetensorsWriter> files(static_cast<size_t>(shards));
  nlohmann::json index = {{"metadata", {{"total_size", 0}}}};
  int next = 0;
  for (const auto& [name, shape] : TinyShapes(config)) {
    const int shard = next++ % shards;
    AddTensor(files[static_cast<size_t>(shard)], name, shape, dtype);
    index["weight_map"][name] = name_of(shard);
  }
  for (int shard = 0; shard < shards; ++shard)
    folder.Write(name_of(shard), files[static_cast<size_t>(shard)]);
  if (shards > 1) folder.WriteJson("model.safetensors.index.json", index);
}

// A config.json of a model of a few thousand weights, whose vocabulary is that of
// TinyTokenizerJson.
inline nlohmann::json TinyConfig(const std::string& family = "llama") {
  if (family == "gpt_bigcode") {
    return {{"model_type", family},
            {"n_layer", 2},
            {"n_embd", 32},
            {"n_inner", 64},
            {"n_head", 4},
            {"vocab_size", 258},
            {"n_positions", 600},
            {"eos_token_id", 1},
            {"bos_token_id", 0},
            {"layer_norm_epsilon", 1e-5},
            {"multi_query", true},
            {"tie_word_embeddings", false},
            {"activation_function", "gelu_pytorch_tanh"}};
  }
  nlohmann::json config = {
      {"model_type", family},    {"num_hidden_layers", 2},         {"hidden_size", 32},
      {"intermediate_size", 64}, {"num_attention_heads", 4},       {"num_key_value_heads", 2},
      {"vocab_size", 258},       {"max_position_embeddings", 600}, {"rms_norm_eps", 1e-5},
      {"rope_theta", 10000.0},   {"tie_word_embeddings", false},   {"eos_token_id", 1},
      {"bos_token_id", 0}};
  if (family == "starcoder2") config["norm_epsilon"] = 1e-5;
  return config;
}

}  // namespace tenon::model
