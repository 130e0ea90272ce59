#include "model/file/peft_adapter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include "tests/model/safetensors_writer.h"
#include "tests/source_path.h"
#include "tests/token_ids.h"

namespace tenon::model {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string NameOfTensor(int layer, std::string_view module, char matrix) {
  return fmt::format("base_model.model.model.layers.{}.{}.lora_{}.weight", layer, module, matrix);
}

// A folder with the two files of an adapter, removed at the end.
class PeftAdapterTest : public ::testing::Test {
 protected:
  PeftAdapterTest() {
    const auto* test = ::testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(::testing::TempDir()) /
              fmt::format("tenon_{}_{}", test->name(), ::getpid());
    std::filesystem::create_directories(folder_);
  }
  ~PeftAdapterTest() override { std::filesystem::remove_all(folder_); }

  // Settings as JSON; one with an empty text is left out.
  void WriteConfig(const std::map<std::string, std::string>& other = {}) {
    std::map<std::string, std::string> settings = {{"peft_type", "\"LORA\""},
                                                   {"r", "2"},
                                                   {"lora_alpha", "3"},
                                                   {"bias", "\"none\""},
                                                   {"use_rslora", "false"},
                                                   {"target_modules", "[\"q_proj\"]"},
                                                   {"base_model_name_or_path", "\"some/base\""}};
    for (const auto& [name, value] : other) settings[name] = value;
    std::vector<std::string> members;
    for (const auto& [name, value] : settings)
      if (!value.empty()) members.push_back(fmt::format("\"{}\": {}", name, value));
    WriteConfigText(fmt::format("{{{}}}", fmt::join(members, ", ")));
  }
  void WriteConfigText(const std::string& text) { Write("adapter_config.json", text); }
  void WriteWeights(const SafetensorsWriter& weights) {
    const auto bytes = weights.Bytes();
    Write("adapter_model.safetensors", {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  }
  void Write(const char* name, std::string_view bytes) {
    std::ofstream(folder_ / name, std::ios::binary) << bytes;
  }

  // Appends A [2, 3] and B [4, 2].
  static SafetensorsWriter& AddPair(SafetensorsWriter& weights, int layer, const char* module) {
    return weights.Floats(NameOfTensor(layer, module, 'A'), {2, 3}, {1, 2, 3, 4, 5, 6})
        .Floats(NameOfTensor(layer, module, 'B'), {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  }
  static SafetensorsWriter OnePair() {
    SafetensorsWriter weights;
    AddPair(weights, 0, "self_attn.q_proj");
    return weights;
  }

  tl::expected<PeftAdapter, ModelError> Open() const { return PeftAdapter::Open(folder_.string()); }
  std::string Error() const {
    const auto adapter = Open();
    return adapter ? "" : adapter.error().message;
  }
  std::string ErrorOfConfig(const std::map<std::string, std::string>& other) {
    WriteConfig(other);
    WriteWeights(OnePair());
    return Error();
  }
  std::string ErrorOfWeights(const SafetensorsWriter& weights) {
    WriteConfig();
    WriteWeights(weights);
    return Error();
  }

  std::filesystem::path folder_;
};

TEST_F(PeftAdapterTest, ReadsEveryProjection) {
  SafetensorsWriter weights;
  // The longer number first: layers are sorted by their numbers.
  for (const int layer : {10, 9}) {
    for (const char* name : {"q", "k", "v", "o"})
      AddPair(weights, layer, fmt::format("self_attn.{}_proj", name).c_str());
    for (const char* name : {"gate", "up", "down"})
      AddPair(weights, layer, fmt::format("mlp.{}_proj", name).c_str());
  }
  WriteConfig({{"target_modules", R"(["down_proj", "gate_proj", "up_proj", "q_proj",
                                      "k_proj", "v_proj", "o_proj"])"}});
  WriteWeights(weights);
  const auto adapter = Open();
  ASSERT_TRUE(adapter.has_value()) << adapter.error().message;
  EXPECT_EQ(adapter->scale, 1.5f);
  EXPECT_EQ(adapter->base_model, "some/base");
  EXPECT_EQ(adapter->path, folder_.string());
  EXPECT_FALSE(adapter->embedding);
  EXPECT_FALSE(adapter->fim_template);
  ASSERT_EQ(adapter->changes.size(), 14u);
  for (int i = 0; i < 14; ++i) {
    EXPECT_EQ(adapter->changes[i].layer, i < 7 ? 9u : 10u);
    EXPECT_EQ(adapter->changes[i].projection, static_cast<Projection>(i % 7));
  }
  const LowRankChange* up = adapter->Find(10, Projection::kUp);
  ASSERT_NE(up, nullptr);
  EXPECT_EQ(up->rank, 2u);
  EXPECT_EQ(up->rows, 4u);
  EXPECT_EQ(up->columns, 3u);
  EXPECT_THAT(up->a, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(up->b, ElementsAre(1, 2, 3, 4, 5, 6, 7, 8));
  EXPECT_EQ(adapter->Find(8, Projection::kUp), nullptr);
}

TEST_F(PeftAdapterTest, ReadsHalvesAndTheEmbeddingOfTokens) {
  SafetensorsWriter weights;
  weights.Halves(NameOfTensor(0, "self_attn.q_proj", 'A'), {1, 2}, {0x3c00, 0x4000})
      .Halves(NameOfTensor(0, "self_attn.q_proj", 'B'), {1, 1}, {0xbf80}, "BF16")
      .Floats("input_embedding_delta.weight", {2, 3}, {1, 2, 3, 4, 5, 6});
  WriteConfig({{"r", "1"},
               {"lora_alpha", "0.5"},
               {"input_embedding_delta_token_ids", "[13, 5]"},
               {"fim_template", "\"<a>{suffix}<b>{prefix}\""},
               {"fim_end", "\"<end>\""}});
  WriteWeights(weights);
  const auto adapter = Open();
  ASSERT_TRUE(adapter.has_value()) << adapter.error().message;
  EXPECT_EQ(adapter->scale, 0.5f);
  EXPECT_THAT(adapter->changes[0].a, ElementsAre(1, 2));
  EXPECT_THAT(adapter->changes[0].b, ElementsAre(-1));
  ASSERT_TRUE(adapter->embedding);
  EXPECT_THAT(NumbersOf(adapter->embedding->tokens), ElementsAre(13, 5));
  EXPECT_EQ(adapter->embedding->columns, 3u);
  EXPECT_THAT(adapter->embedding->rows, ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_EQ(adapter->fim_template, "<a>{suffix}<b>{prefix}");
  EXPECT_EQ(adapter->fim_end, "<end>");
}

TEST_F(PeftAdapterTest, TakesTheSettingsThatPeftWrites) {
  EXPECT_EQ(ErrorOfConfig({{"alpha_pattern", "{}"},
                           {"rank_pattern", "{}"},
                           {"loftq_config", "{}"},
                           {"use_dora", "false"},
                           {"modules_to_save", "null"},
                           {"layers_to_transform", "null"},
                           {"megatron_core", "\"megatron.core\""},
                           {"init_lora_weights", "true"},
                           {"lora_dropout", "0.05"},
                           {"revision", "null"}}),
            "");
  EXPECT_EQ(ErrorOfConfig({{"init_lora_weights", "\"gaussian\""}}), "");
  EXPECT_EQ(ErrorOfConfig({{"target_modules", "\"all-linear\""}}), "");
  EXPECT_EQ(ErrorOfConfig({{"target_modules", "[\"model.layers.0.self_attn.q_proj\"]"}}), "");
  EXPECT_EQ(ErrorOfConfig({{"bias", ""}, {"use_rslora", ""}, {"base_model_name_or_path", "null"}}),
            "");
}

TEST_F(PeftAdapterTest, RefusesWhatComputesOtherwise) {
  const std::pair<const char*, const char*> cases[] = {{"peft_type", "\"IA3\""},
                                                       {"peft_type", ""},
                                                       {"bias", "\"lora_only\""},
                                                       {"use_rslora", "true"},
                                                       {"use_dora", "true"},
                                                       {"lora_bias", "true"},
                                                       {"fan_in_fan_out", "true"},
                                                       {"rank_pattern", "{\"q_proj\":4}"},
                                                       {"alpha_pattern", "{\"q_proj\":4}"},
                                                       {"modules_to_save", "[\"lm_head\"]"},
                                                       {"layer_replication", "[[0,4],[2,5]]"},
                                                       {"init_lora_weights", "\"pissa_niter_4\""}};
  for (const auto& [setting, value] : cases) {
    WriteConfig({{setting, value}});
    WriteWeights(OnePair());
    const auto adapter = Open();
    ASSERT_FALSE(adapter.has_value()) << setting;
    EXPECT_EQ(adapter.error().code, ModelErrorCode::kUnsupported) << setting;
    EXPECT_THAT(adapter.error().message,
                AllOf(HasSubstr("/adapter_config.json: setting "), HasSubstr(setting),
                      HasSubstr(*value ? value : "missing"), HasSubstr("merge_and_unload")));
  }
  EXPECT_THAT(ErrorOfConfig({{"target_modules", "[\"q_proj\", \"lm_head\"]"}}),
              AllOf(HasSubstr("target_modules has \"lm_head\""), HasSubstr("up_proj, down_proj")));
}

TEST_F(PeftAdapterTest, NamesTheSettingThatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {{"r", ""},
                                                       {"r", "0"},
                                                       {"r", "-2"},
                                                       {"r", "2.0"},
                                                       {"r", "\"2\""},
                                                       {"r", "65537"},
                                                       {"lora_alpha", ""},
                                                       {"lora_alpha", "0"},
                                                       {"lora_alpha", "-1"},
                                                       {"lora_alpha", "1e+300"},
                                                       {"target_modules", ""},
                                                       {"target_modules", "[]"},
                                                       {"target_modules", "[1]"},
                                                       {"base_model_name_or_path", "[]"},
                                                       {"fim_template", "1"},
                                                       {"input_embedding_delta_token_ids", "[5,5]"},
                                                       {"input_embedding_delta_token_ids", "[-1]"},
                                                       {"input_embedding_delta_token_ids", "5"}};
  for (const auto& [setting, value] : cases) {
    EXPECT_THAT(ErrorOfConfig({{setting, value}}),
                AllOf(HasSubstr(fmt::format("/adapter_config.json: setting {} is {}, expected is",
                                            setting, *value ? value : "missing")),
                      HasSubstr("fetch the adapter again")))
        << setting << value;
  }
  WriteConfigText("{\"r\": 2,}");
  EXPECT_THAT(Error(), HasSubstr("/adapter_config.json: at byte 8: this is not JSON"));
  WriteConfigText("[]");
  EXPECT_THAT(Error(), HasSubstr("peft_type is missing"));
  WriteConfigText("{\"r\": 2, \"r\": 4}");
  EXPECT_THAT(Error(), HasSubstr("\"r\" is there twice"));
}

TEST_F(PeftAdapterTest, RefusesTensorsOfNoKnownProjection) {
  for (const char* name :
       {"base_model.model.lm_head.lora_A.weight",
        "base_model.model.model.layers.0.self_attn.q_proj.lora_magnitude_vector",
        "base_model.model.model.layers.0.self_attn.q_proj.lora_B.bias",
        "base_model.model.model.layers.0.self_attn.up_proj.lora_A.weight",
        "base_model.model.model.layers.0.mlp.q_proj.lora_A.weight",
        "base_model.model.model.layers.0.self_attn.qkv_proj.lora_A.weight",
        "base_model.model.model.layers.00.self_attn.q_proj.lora_A.weight",
        "base_model.model.model.layers.-1.self_attn.q_proj.lora_A.weight",
        "base_model.model.model.layers.4294967296.self_attn.q_proj.lora_A.weight",
        "base_model.model.model.layers.x.self_attn.q_proj.lora_A.weight",
        "base_model.model.model.layers..self_attn.q_proj.lora_A.weight",
        "base_model.model.model.layers.0.self_attn.q_proj", ""}) {
    auto weights = OnePair();
    weights.Floats(name, {2, 3}, {1, 2, 3, 4, 5, 6});
    EXPECT_THAT(ErrorOfWeights(weights),
                AllOf(HasSubstr(fmt::format("/adapter_model.safetensors: tensor {}:", name)),
                      HasSubstr("belongs to no projection")));
  }
}

TEST_F(PeftAdapterTest, RefusesPairsThatDoNotFit) {
  const std::string a = NameOfTensor(1, "mlp.up_proj", 'A');
  const std::string b = NameOfTensor(1, "mlp.up_proj", 'B');
  const auto with = [](const std::string& name, std::vector<uint64_t> shape) {
    uint64_t size = 1;
    for (const uint64_t dim : shape) size *= dim;
    auto weights = OnePair();
    weights.Floats(name, shape, std::vector<float>(size));
    return weights;
  };
  EXPECT_THAT(ErrorOfWeights(with(a, {2, 3})), HasSubstr(a + ": its lora_B is missing"));
  EXPECT_THAT(ErrorOfWeights(with(b, {4, 2})), HasSubstr(b + ": its lora_A is missing"));
  for (const std::vector<uint64_t>& shape :
       std::vector<std::vector<uint64_t>>{{3, 3}, {6}, {2, 3, 1}, {2, 0}, {}}) {
    EXPECT_THAT(ErrorOfWeights(with(a, shape).Floats(b, {1, 2}, {1, 2})),
                AllOf(HasSubstr(a + ": its shape is ["), HasSubstr("expected is [2, columns]")));
  }
  for (const std::vector<uint64_t>& shape :
       std::vector<std::vector<uint64_t>>{{2, 3}, {2}, {0, 2}, {2, 2, 1}}) {
    EXPECT_THAT(ErrorOfWeights(with(b, shape).Floats(a, {2, 1}, {1, 2})),
                AllOf(HasSubstr(b + ": its shape is ["), HasSubstr("expected is [rows, 2]")));
  }
  auto other = OnePair();
  other.Floats(NameOfTensor(7, "self_attn.q_proj", 'A'), {2, 1}, {1, 2})
      .Floats(NameOfTensor(7, "self_attn.q_proj", 'B'), {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_THAT(ErrorOfWeights(other),
              AllOf(HasSubstr("layers.7. ... q_proj"), HasSubstr("4 rows and 1 columns"),
                    HasSubstr("in layer 0 of 4 and 3")));
  EXPECT_THAT(ErrorOfWeights(SafetensorsWriter()), HasSubstr("no lora_A and no lora_B"));
  EXPECT_THAT(ErrorOfConfig({{"target_modules", "[\"q_proj\", \"up_proj\"]"}}),
              HasSubstr("target_modules has up_proj, but no tensor is of it"));
}

TEST_F(PeftAdapterTest, RefusesNumbersThatAreNotFinite) {
  for (const float value :
       {std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    SafetensorsWriter weights;
    const std::string a = NameOfTensor(0, "self_attn.q_proj", 'A');
    weights.Floats(a, {2, 1}, {1, value})
        .Floats(NameOfTensor(0, "self_attn.q_proj", 'B'), {1, 2}, {1, 2});
    EXPECT_THAT(ErrorOfWeights(weights), HasSubstr(a + ": value 1 is no finite number"));
  }
}

TEST_F(PeftAdapterTest, RefusesAnEmbeddingThatDoesNotFitItsTokens) {
  constexpr const char* kSetting = "input_embedding_delta_token_ids";
  EXPECT_THAT(ErrorOfConfig({{kSetting, "[1, 2]"}}),
              HasSubstr("input_embedding_delta.weight: it is missing, 2 tokens"));
  auto weights = OnePair();
  weights.Floats("input_embedding_delta.weight", {2, 1}, {1, 2});
  for (const char* tokens : {"[1]", "[1, 2, 3]", ""}) {
    WriteConfig({{kSetting, tokens}});
    WriteWeights(weights);
    EXPECT_THAT(Error(), HasSubstr("input_embedding_delta.weight: its shape is [2, 1]")) << tokens;
  }
}

TEST_F(PeftAdapterTest, SaysWhichFileIsMissing) {
  EXPECT_THAT(Error(), AllOf(HasSubstr("/adapter_config.json: cannot be opened"),
                             HasSubstr("name the folder of a PEFT adapter")));
  WriteConfig();
  EXPECT_THAT(Error(), HasSubstr("/adapter_model.safetensors: cannot be opened"));
  Write("adapter_model.safetensors", "short");
  EXPECT_THAT(Error(), HasSubstr("/adapter_model.safetensors: at byte 0"));
}

TEST_F(PeftAdapterTest, ReadsTheDefaultModelsAdapter) {
  const auto adapter = PeftAdapter::Open(SourcePath("models/smollm2-135m-fim"));
  ASSERT_TRUE(adapter.has_value()) << adapter.error().message;
  EXPECT_EQ(adapter->scale, 2);
  EXPECT_EQ(adapter->base_model, "HuggingFaceTB/SmolLM2-135M-Instruct");
  EXPECT_EQ(adapter->changes.size(), 30u * 7);
  const LowRankChange* down = adapter->Find(29, Projection::kDown);
  ASSERT_NE(down, nullptr);
  EXPECT_EQ(down->rank, 32u);
  EXPECT_EQ(down->rows, 576u);
  EXPECT_EQ(down->columns, 1536u);
  ASSERT_TRUE(adapter->embedding);
  EXPECT_THAT(NumbersOf(adapter->embedding->tokens), ElementsAre(13, 5, 8));
  EXPECT_EQ(adapter->embedding->columns, 576u);
  EXPECT_EQ(adapter->fim_end, "<|endoftext|>");
}

}  // namespace
}  // namespace tenon::model
