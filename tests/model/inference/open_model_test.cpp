#include "model/inference/open_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "model/inference/llama_model.h"
#include "model/inference/model_info.h"
#include "tests/model/tiny_folder.h"
#include "tests/source_path.h"

namespace tenon::model {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

tl::expected<OpenedModel, ModelError> OpenFolder(const json& config) {
  const TemporaryFolder folder;
  WriteTinyFolder(folder, TinyConfig(config.value("model_type", "llama")));
  folder.WriteJson("config.json", config);
  return OpenModel(folder.path());
}

json With(const char* pointer, const json& value) {
  json config = TinyConfig();
  config[json::json_pointer(pointer)] = value;
  return config;
}

std::string Refusal(const json& config) {
  const auto opened = OpenFolder(config);
  return opened ? "" : opened.error().message;
}

TEST(OpenModel, ReadsTheSizesOfAConfig) {
  json config = TinyConfig("qwen2");
  config["use_sliding_window"] = true;
  config["sliding_window"] = 500;
  const auto opened = OpenFolder(config);
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  const LlamaConfig& read = opened->config;
  EXPECT_EQ(read.layers, 2);
  EXPECT_EQ(read.width, 32);
  EXPECT_EQ(read.feed_forward, 64);
  EXPECT_EQ(read.heads, 4);
  EXPECT_EQ(read.kv_heads, 2);
  EXPECT_EQ(read.head_width, 8);
  EXPECT_EQ(read.rope_width, 8);
  EXPECT_EQ(read.vocabulary, 258);
  EXPECT_EQ(read.context, 500);
  EXPECT_TRUE(read.rotates_halves && read.traits.has_attention_bias);
  EXPECT_THAT(read.rope_divisors, IsEmpty());
  EXPECT_EQ(opened->tokenizer.size(), 258u);
  EXPECT_TRUE(opened->folder.has_value());
}

TEST(OpenModel, ReadsTheScalingOfRotationsOfBothSpellings) {
  for (const char* kind : {"rope_type", "type"}) {
    const auto linear = OpenFolder(With("/rope_scaling", {{kind, "linear"}, {"factor", 4}}));
    ASSERT_TRUE(linear.has_value()) << linear.error().message;
    EXPECT_THAT(linear->config.rope_divisors, Each(FloatEq(4)));
  }
  json config = TinyConfig();
  config.erase("rope_theta");
  config["rope_parameters"] = {{"rope_type", "default"}, {"rope_theta", 500000.0}};
  const auto base = OpenFolder(config);
  ASSERT_TRUE(base.has_value()) << base.error().message;
  EXPECT_EQ(base->config.rope_base, 500000.0f);
}

TEST(OpenModel, ReadsTheRotationsOfEachKindOfLayer) {
  json config = TinyConfig("gemma3_text");
  config["sliding_window"] = 100;
  config.erase("rope_theta");
  config.erase("rope_local_base_freq");
  config["rope_parameters"] = {
      {"full_attention", {{"rope_type", "linear"}, {"factor", 8}, {"rope_theta", 500000.0}}},
      {"sliding_attention", {{"rope_type", "default"}, {"rope_theta", 20000.0}}}};
  const auto opened = OpenFolder(config);
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_EQ(opened->config.rope_base, 500000.0f);
  EXPECT_EQ(opened->config.window_rope_base, 20000.0f);
  EXPECT_THAT(opened->config.rope_divisors, Each(FloatEq(8)));
}

TEST(OpenModel, StarCoder2HasItsWindowAndTheEmbeddingForAHead) {
  json config = TinyConfig("starcoder2");
  config["sliding_window"] = 100;
  config["norm_epsilon"] = 0.25;
  config["hidden_act"] = "gelu_pytorch_tanh";
  config.erase("tie_word_embeddings");
  const auto opened = OpenFolder(config);
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_EQ(opened->config.window, 100);
  EXPECT_EQ(opened->config.context, 600);
  EXPECT_EQ(opened->config.norm_epsilon, 0.25f);
  EXPECT_TRUE(opened->config.head_is_embedding);
  config["sliding_window"] = nullptr;
  EXPECT_EQ(OpenFolder(config)->config.window, 0);
  config["hidden_act"] = "silu";
  EXPECT_THAT(Refusal(config), HasSubstr("of a starcoder2 tenon computes gelu_pytorch_tanh alone"));
}

TEST(OpenModel, GptBigCodeHasTheSizesThatGpt2Names) {
  json config = TinyConfig("gpt_bigcode");
  config.erase("tie_word_embeddings");
  config["n_inner"] = 64;
  const auto opened = OpenFolder(config);
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_EQ(opened->config.layers, 2);
  EXPECT_EQ(opened->config.width, 32);
  EXPECT_EQ(opened->config.feed_forward, 64);
  EXPECT_EQ(opened->config.heads, 4);
  EXPECT_EQ(opened->config.kv_heads, 1);
  EXPECT_EQ(opened->config.context, 600);
  EXPECT_EQ(opened->config.rope_width, 0);
  EXPECT_TRUE(opened->config.head_is_embedding);
  // Without a number the feed-forward has four times the width.
  config["n_inner"] = nullptr;
  EXPECT_THAT(Refusal(config), AllOf(HasSubstr("mlp.c_fc.weight"), HasSubstr("128 x 32")));
  const auto with = [](const char* key, const json& value) {
    json changed = TinyConfig("gpt_bigcode");
    changed[key] = value;
    return Refusal(changed);
  };
  EXPECT_THAT(with("n_layer", 1'000'000), HasSubstr("n_layer is 1000000"));
  EXPECT_THAT(with("n_positions", 700), AllOf(HasSubstr("wpe"), HasSubstr("700 x 32")));
  EXPECT_THAT(with("n_head", 8), AllOf(HasSubstr("attn.c_attn"), HasSubstr("40 x 32")));
  EXPECT_THAT(with("multi_query", false), HasSubstr("share one key head"));
  EXPECT_THAT(with("scale_attn_weights", false), HasSubstr("scale_attn_weights is off"));
  EXPECT_THAT(with("activation_function", "gelu"), HasSubstr("activation_function is 'gelu'"));
}

json Gemma3Config() {
  json config = TinyConfig("gemma3_text");
  config["hidden_activation"] = "gelu_pytorch_tanh";
  config["sliding_window"] = 100;
  return config;
}

TEST(OpenModel, Gemma3HasAKindForEachLayer) {
  json config = Gemma3Config();
  config["layer_types"] = {"full_attention", "sliding_attention"};
  config["query_pre_attn_scalar"] = 16;
  const auto opened = OpenFolder(config);
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_THAT(opened->config.sees_all, ElementsAre(true, false));
  EXPECT_EQ(opened->config.window_rope_base, 10000.0f);
  EXPECT_EQ(opened->config.score_scale, 0.25f);
  EXPECT_TRUE(opened->config.has_norms_less_one);
  for (const char* key : {"sliding_window_pattern", "_sliding_window_pattern"}) {
    json of_pattern = Gemma3Config();
    of_pattern[key] = 2;
    EXPECT_THAT(OpenFolder(of_pattern)->config.sees_all, ElementsAre(false, true));
  }
}

// config.json and the markers as CodeGemma's files have them.
TEST(OpenModel, CodeGemmaIsShownGapsByItsMarkers) {
  json config = TinyConfig("gemma");
  config.update({{"hidden_act", "gelu_pytorch_tanh"},
                 {"hidden_activation", "gelu_pytorch_tanh"},
                 {"head_dim", 16},
                 {"num_key_value_heads", 1},
                 {"rope_scaling", nullptr},
                 {"tie_word_embeddings", true},
                 {"vocab_size", 705}});
  json tokenizer =
      json::parse(std::ifstream(SourcePath("tests/model/golden/tokenizers/gemma.json")));
  const std::vector<std::string> markers = {"<eos>", "<|fim_prefix|>", "<|fim_suffix|>",
                                            "<|fim_middle|>", "<|file_separator|>"};
  for (uint32_t i = 0; i < markers.size(); ++i) {
    tokenizer["added_tokens"].push_back(
        {{"id", 700 + i}, {"content", markers[i]}, {"special", true}});
  }
  const TemporaryFolder folder;
  WriteTinyFolder(folder, config);
  folder.WriteJson("tokenizer.json", tokenizer);
  folder.WriteJson("generation_config.json", {{"eos_token_id", 700}});
  const auto opened = OpenModel(folder.path());
  ASSERT_TRUE(opened.has_value()) << opened.error().message;
  EXPECT_THAT(opened->fim_format.end_tokens(), UnorderedElementsAre(TokenId{700}, TokenId{704}));
  const auto prompt =
      opened->fim_format.BuildPrompt(opened->tokenizer, "a.py", "def f(", "):\n", 400);
  std::string text;
  for (const TokenId token : prompt.tokens) {
    text += opened->tokenizer.IsControl(token) ? opened->tokenizer.Name(token)
                                               : opened->tokenizer.Bytes(token);
  }
  EXPECT_EQ(text, "<|fim_prefix|>def f(<|fim_suffix|>):\n<|fim_middle|>");
}

TEST(OpenModel, NamesWhatIsNotComputedOfAGemma) {
  const auto with = [](const char* key, const json& value) {
    json config = Gemma3Config();
    config[key] = value;
    return Refusal(config);
  };
  EXPECT_THAT(with("layer_types", {"full_attention"}), HasSubstr("1 kinds for 2 layers"));
  EXPECT_THAT(with("layer_types", {"full_attention", "linear_attention"}),
              HasSubstr("'linear_attention'"));
  EXPECT_THAT(with("hidden_activation", "silu"), HasSubstr("hidden_activation is 'silu'"));
  EXPECT_THAT(with("final_logit_softcapping", 30.0), HasSubstr("final_logit_softcapping"));
  EXPECT_THAT(with("use_bidirectional_attention", true), HasSubstr("predicts text"));
  // A model that sees pictures: its config.json has the text's sizes in a group of its own.
  EXPECT_THAT(with("model_type", "gemma3"), HasSubstr("'gemma3_text' (Gemma 3)"));
}

TEST(OpenModel, NamesWhatAConfigHasWrong) {
  const std::string file = "config.json: ";
  EXPECT_THAT(Refusal(With("/model_type", "mamba")),
              AllOf(HasSubstr(file), HasSubstr("'mamba'"), HasSubstr("'llama' (SmolLM2"),
                    HasSubstr("'gemma' (CodeGemma) and 'gemma3_text' (Gemma 3)")));
  json config = TinyConfig();
  config.erase("hidden_size");
  EXPECT_THAT(Refusal(config), AllOf(HasSubstr(file), HasSubstr("hidden_size is missing")));
  EXPECT_THAT(Refusal(With("/num_hidden_layers", 0)), HasSubstr("num_hidden_layers is 0"));
  EXPECT_THAT(Refusal(With("/num_hidden_layers", 1'000'000)), HasSubstr("21 tensors"));
  EXPECT_THAT(Refusal(With("/num_key_value_heads", 3)), HasSubstr("do not share 3 key heads"));
  EXPECT_THAT(Refusal(With("/hidden_act", "gelu")), HasSubstr("'gelu'"));
  EXPECT_THAT(Refusal(With("/quantization_config", {{"quant_method", "gptq"}})),
              HasSubstr("'gptq'"));
  EXPECT_THAT(Refusal(With("/partial_rotary_factor", 0.5)), HasSubstr("partial_rotary_factor"));
  EXPECT_THAT(Refusal(With("/rope_scaling", {{"rope_type", "yarn"}})),
              AllOf(HasSubstr("'yarn'"), HasSubstr("llama3")));
  EXPECT_THAT(Refusal(With("/rope_scaling", {{"rope_type", "linear"}})),
              HasSubstr("rope_scaling.factor is missing"));
  EXPECT_THAT(Refusal(With("/rope_scaling", {{"rope_type", "llama3"},
                                             {"factor", 8},
                                             {"low_freq_factor", 4},
                                             {"high_freq_factor", 4},
                                             {"original_max_position_embeddings", 64}})),
              HasSubstr("rope_scaling.low_freq_factor is not below"));
}

TEST(OpenModel, NamesTheTensorThatDoesNotFit) {
  EXPECT_THAT(Refusal(With("/intermediate_size", 65)),
              AllOf(HasSubstr("model.safetensors: tensor model.layers.0.mlp.gate_proj.weight"),
                    HasSubstr("64 x 32"), HasSubstr("65 x 32")));
  EXPECT_THAT(Refusal(With("/vocab_size", 300)),
              AllOf(HasSubstr("model.embed_tokens.weight"), HasSubstr("258 x 32")));
  EXPECT_THAT(Refusal(With("/num_hidden_layers", 1)),
              AllOf(HasSubstr("tensor model.layers.1."), HasSubstr("is no part")));
  EXPECT_THAT(Refusal(With("/num_hidden_layers", 3)),
              AllOf(HasSubstr("tensor model.layers.2."), HasSubstr("is missing")));
  // The biases of qwen2 are none of llama's tensors.
  const TemporaryFolder folder;
  WriteTinyFolder(folder, TinyConfig("qwen2"));
  folder.WriteJson("config.json", TinyConfig("llama"));
  EXPECT_THAT(OpenModel(folder.path()).error().message, HasSubstr("k_proj.bias is no part"));
}

TEST(OpenModel, TakesAHeadOnlyWhereTheConfigHasOne) {
  const TemporaryFolder folder;
  json config = TinyConfig();
  config["tie_word_embeddings"] = true;
  WriteTinyFolder(folder, config);
  EXPECT_TRUE(OpenModel(folder.path()).has_value());
  config["tie_word_embeddings"] = false;
  folder.WriteJson("config.json", config);
  EXPECT_THAT(OpenModel(folder.path()).error().message,
              AllOf(HasSubstr("lm_head.weight is missing"), HasSubstr("tie_word_embeddings")));
}

TEST(OpenModel, RefusesMoreTokensThanTheModelHas) {
  const TemporaryFolder folder;
  WriteTinyFolder(folder, TinyConfig());
  json tokenizer = TinyTokenizerJson();
  tokenizer["added_tokens"].push_back({{"id", 258}, {"content", "<x>"}, {"special", true}});
  folder.WriteJson("tokenizer.json", tokenizer);
  EXPECT_THAT(OpenModel(folder.path()).error().message,
              AllOf(HasSubstr("259 tokens"), HasSubstr("vocab_size"), HasSubstr("258")));
}

TEST(OpenModel, AFolderHasItsInformation) {
  const TemporaryFolder folder;
  WriteTinyFolder(folder, TinyConfig("qwen2"), 2, "BF16");
  const auto info = ReadModelInfo(folder.path());
  ASSERT_TRUE(info.has_value()) << info.error().message;
  EXPECT_TRUE(info->runs) << info->why_not;
  EXPECT_EQ(info->architecture, "qwen2");
  EXPECT_EQ(info->layers, 2);
  EXPECT_EQ(info->vocabulary, 258);
  EXPECT_EQ(info->tensor_types.at("BF16"), 27);
  EXPECT_EQ(info->tokenizer, "tokenizer.json");
  const TemporaryFolder other("other");
  WriteTinyFolder(other, TinyConfig("gpt_bigcode"));
  EXPECT_TRUE(ReadModelInfo(other.path())->runs);
  EXPECT_EQ(ReadModelInfo(other.path())->layers, 2);
  EXPECT_EQ(ReadModelInfo(other.path())->context_tokens, 600);
  folder.WriteJson("config.json", TinyConfig("gpt2"));
  EXPECT_THAT(ReadModelInfo(folder.path())->why_not, HasSubstr("'gpt2'"));
  folder.Remove("config.json");
  EXPECT_FALSE(ReadModelInfo(folder.path()).has_value());
}

}  // namespace
}  // namespace tenon::model
