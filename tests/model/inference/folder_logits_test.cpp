// Models of Hugging Face folders against transformers (tests/model/golden/folders.json), and
// against GGUF files of the same weights.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "model/inference/inference.h"
#include "model/inference/model_family.h"
#include "tests/model/gguf_writer.h"
#include "tests/model/tiny_folder.h"
#include "tests/source_path.h"

namespace tenon::model {
namespace {

using nlohmann::json;

json Golden() { return json::parse(std::ifstream(SourcePath("tests/model/golden/folders.json"))); }

std::vector<TokenId> TokensOf(const json& ids) {
  std::vector<TokenId> tokens;
  for (const json& id : ids) tokens.push_back(TokenId{id.get<uint32_t>()});
  return tokens;
}

TokenId Largest(std::span<const float> logits) {
  return TokenId{
      static_cast<uint32_t>(std::max_element(logits.begin(), logits.end()) - logits.begin())};
}

std::shared_ptr<const LlamaModel> Load(const TemporaryFolder& folder, LoadOptions options) {
  auto model = LlamaModel::Load(folder.path(), options);
  EXPECT_TRUE(model.has_value()) << model.error().message;
  return model ? *model : nullptr;
}

class FolderLogitsOfEachEngine : public ::testing::TestWithParam<Engine> {};

TEST_P(FolderLogitsOfEachEngine, AreThoseOfTransformersInFloat32) {
  for (const json& row : Golden()) {
    SCOPED_TRACE(row["name"]);
    const TemporaryFolder folder;
    WriteTinyFolder(folder, row["config"], row["shards"], row["dtype"].get<std::string>());
    LoadOptions options{2, Precision::kFloat32};
    options.engine = GetParam();
    const auto model = Load(folder, options);
    ASSERT_TRUE(model);
    const std::vector<TokenId> prompt = TokensOf(row["prompt"]);
    for (size_t i = 0; i < row["at"].size(); ++i) {
      const std::vector<TokenId> begin(prompt.begin(),
                                       prompt.begin() + row["at"][i].get<int>() + 1);
      const auto session = model->NewSession();
      const auto logits = session->Prefill(begin, {});
      ASSERT_TRUE(logits.has_value());
      const std::vector<float> wanted = row["logits"][i];
      ASSERT_EQ(logits->size(), wanted.size());
      for (size_t id = 0; id < wanted.size(); ++id)
        ASSERT_NEAR((*logits)[id], wanted[id], 1e-3) << "position " << row["at"][i] << ", " << id;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, FolderLogitsOfEachEngine,
                         ::testing::Values(Engine::kKernels, Engine::kTorch),
                         [](const auto& info) { return std::string(NameOf(info.param)); });

TEST(FolderLogits, SixtyFourTokensFollowThatTransformersChooses) {
  for (const json& row : Golden()) {
    SCOPED_TRACE(row["name"]);
    const TemporaryFolder folder;
    WriteTinyFolder(folder, row["config"], row["shards"], row["dtype"].get<std::string>());
    const auto model = Load(folder, {2, Precision::kFloat32});
    ASSERT_TRUE(model);
    const auto session = model->NewSession();
    auto logits = session->Prefill(TokensOf(row["prompt"]), {});
    std::vector<uint32_t> chosen;
    for (size_t i = 0; i < row["continued"].size(); ++i) {
      const TokenId next = Largest(*logits);
      chosen.push_back(next.value);
      logits = session->Decode(next);
    }
    EXPECT_EQ(chosen, row["continued"].get<std::vector<uint32_t>>());
  }
}

// A GGUF file of the same weights, its matrices as blocks of Q8_0.
GgufWriter QuantizedFile(const json& config) {
  const ModelFamily& of_config = *FindFamilyOfConfig(config["model_type"].get<std::string>());
  const std::string family(of_config.name);
  GgufWriter file;
  file.Text("general.architecture", family);
  for (const FamilySize& size : FamilySizes())
    file.Unsigned(family + "." + size.gguf_key, config[size.ConfigKey(of_config.traits)]);
  file.Unsigned(family + ".attention.head_count_kv", config.value("num_key_value_heads", 1));
  file.Real(
      family + ".attention." +
          (of_config.traits.has_layer_norms ? "layer_norm_epsilon" : "layer_norm_rms_epsilon"),
      1e-5f);
  std::vector<std::string> tokens = {"<s>", "</s>"};
  for (int byte = 0; byte < 256; ++byte) tokens.push_back(ByteAsText(static_cast<uint8_t>(byte)));
  std::vector<int32_t> kinds(tokens.size(), 1);
  kinds[0] = kinds[1] = 3;
  file.Text("tokenizer.ggml.model", "gpt2").Texts("tokenizer.ggml.tokens", tokens);
  file.Integers("tokenizer.ggml.token_type", kinds).Texts("tokenizer.ggml.merges", {});
  const std::vector<std::pair<std::string, std::string>> names = {
      {"model.embed_tokens", "token_embd"},
      {"model.norm", "output_norm"},
      {"lm_head", "output"},
      {"model.layers.", "blk."},
      {"input_layernorm", "attn_norm"},
      {"post_attention_layernorm", "ffn_norm"},
      {"self_attn.o_proj", "attn_output"},
      {"self_attn.q_norm", "attn_q_norm"},
      {"self_attn.k_norm", "attn_k_norm"},
      {"self_attn.q_proj", "attn_q"},
      {"self_attn.k_proj", "attn_k"},
      {"self_attn.v_proj", "attn_v"},
      {"mlp.gate_proj", "ffn_gate"},
      {"mlp.up_proj", "ffn_up"},
      {"mlp.down_proj", "ffn_down"},
      {"mlp.c_fc", "ffn_up"},
      {"mlp.c_proj", "ffn_down"},
      {"transformer.wte", "token_embd"},
      {"transformer.wpe", "position_embd"},
      {"transformer.ln_f", "output_norm"},
      {"transformer.h.", "blk."},
      {"ln_1", "attn_norm"},
      {"ln_2", "ffn_norm"},
      {"attn.c_attn", "attn_qkv"},
      {"attn.c_proj", "attn_output"}};
  for (const auto& [name, shape] : TinyShapes(config)) {
    std::string gguf = name;
    for (const auto& [from, to] : names) {
      const size_t at = gguf.find(from);
      if (at != std::string::npos) gguf.replace(at, from.size(), to);
    }
    const std::vector<float> values = TinyWeights(name, shape);
    if (shape.size() == 1) {
      file.Floats(gguf, {shape[0]}, values);
    } else if (gguf == "token_embd.weight" || gguf == "position_embd.weight") {
      file.Floats(gguf, {shape[1], shape[0]}, values);
    } else {
      std::vector<std::byte> blocks(values.size() / kQ8Values * kQ8Bytes);
      QuantizeToQ8_0(values, blocks.data());
      file.Tensor(gguf, {shape[1], shape[0]}, 8, blocks);
    }
  }
  return file;
}

// Families whose files have the rows of a folder's matrices in their order, as `llama` has not.
TEST(FolderLogits, MatricesOfFloatsComputeAsTheSameBlocksInAFile) {
  const std::pair<const char*, const char*> cases[] = {{"qwen2", "F32"},
                                                       {"qwen2", "BF16"},
                                                       {"qwen3", "BF16"},
                                                       {"starcoder2", "BF16"},
                                                       {"gpt_bigcode", "BF16"}};
  for (const auto& [family, dtype] : cases) {
    SCOPED_TRACE(family);
    const json config = TinyConfig(family);
    const TemporaryFolder folder;
    WriteTinyFolder(folder, config, 2, dtype);
    const auto bytes = QuantizedFile(config).Bytes();
    folder.Write("model.gguf",
                 std::string_view(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
    const auto from_folder = Load(folder, {2});
    ASSERT_TRUE(from_folder);
    EXPECT_EQ(from_folder->config().precision, Precision::kBlocks);
    const auto from_file = LlamaModel::Load(folder.PathOf("model.gguf"), {2});
    ASSERT_TRUE(from_file.has_value()) << from_file.error().message;
    std::vector<TokenId> prompt;
    for (uint32_t i = 0; i < 70; ++i) prompt.push_back(TokenId{i * 37 % 258});
    const auto a = from_folder->NewSession(), b = (*from_file)->NewSession();
    const auto x = a->Prefill(prompt, {}), y = b->Prefill(prompt, {});
    ASSERT_TRUE(x.has_value() && y.has_value());
    EXPECT_TRUE(std::equal(x->begin(), x->end(), y->begin(), y->end()));
  }
}

// Rows of 20 are no whole blocks.
TEST(FolderLogits, MatricesThatAreNoBlocksStayFloats) {
  json config = TinyConfig();
  config["hidden_size"] = 40;
  config["intermediate_size"] = 50;
  const TemporaryFolder folder;
  WriteTinyFolder(folder, config);
  const auto blocks = Load(folder, {1}), floats = Load(folder, {1, Precision::kFloat32});
  ASSERT_TRUE(blocks && floats);
  const std::vector<TokenId> prompt = {TokenId{5}, TokenId{99}, TokenId{7}};
  const auto a = blocks->NewSession(), b = floats->NewSession();
  const auto x = a->Prefill(prompt, {}), y = b->Prefill(prompt, {});
  // Keys and values are kept in bfloat16 beside blocks.
  for (size_t id = 0; id < x->size(); ++id) EXPECT_NEAR((*x)[id], (*y)[id], 0.05f);
}

}  // namespace
}  // namespace tenon::model
