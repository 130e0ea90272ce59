#include "model/inference/llama_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/model/inference/loaded_model.h"
#include "tests/model/safetensors_writer.h"

namespace tenon::model {
namespace {

using ::testing::HasSubstr;

TEST(LlamaModel, RunsShapesThatDoNotDivideEvenly) {
  for (const auto& [width, heads, kv_heads, feed_forward] :
       {std::tuple{20u, 2u, 1u, 34u}, std::tuple{36u, 6u, 6u, 50u}, std::tuple{24u, 4u, 2u, 17u}}) {
    TinyShape shape;
    shape.width = width;
    shape.heads = heads;
    shape.kv_heads = kv_heads;
    shape.feed_forward = feed_forward;
    const auto one = Load(TinyModel(shape), {1, Precision::kFloat32}),
               three = Load(TinyModel(shape), {3, Precision::kFloat32});
    const auto a = one->NewSession(), b = three->NewSession();
    ExpectNear(*a->Prefill(SomeTokens(70), {}), *b->Prefill(SomeTokens(70), {}), 1e-4f);
    ExpectNear(*a->Decode(TokenId{7}), *b->Decode(TokenId{7}), 1e-4f);
  }
}

std::string LoadError(const GgufWriter& writer) {
  const TemporaryModel file(writer);
  const auto model = LlamaModel::Load(file.path(), {1, Precision::kFloat32});
  return model ? "" : model.error().message;
}

TEST(LlamaModel, NamesWhatAFileLacks) {
  EXPECT_THAT(LoadError(GgufWriter()), HasSubstr("general.architecture is missing"));
  EXPECT_THAT(LoadError(GgufWriter().Text("general.architecture", "mamba")),
              HasSubstr("architecture 'mamba'"));
  EXPECT_THAT(LoadError(TinyModel({}, false)), HasSubstr("llama.block_count is missing"));
  EXPECT_THAT(LoadError(TinyModel().Floats("blk.0.attn_q.bias", {32}, std::vector<float>(32))),
              HasSubstr("tensor blk.0.attn_q.bias is no part"));
  EXPECT_THAT(LoadError(TinyModel().Text("llama.rope.scaling.type", "yarn")), HasSubstr("'yarn'"));
  TinyShape shape;
  shape.layers = 0;
  EXPECT_THAT(LoadError(TinyModel(shape)), HasSubstr("llama.block_count is 0"));
}

// Writes an adapter's two files into a folder of its own.
std::string WriteAdapter(const std::string& fim_template, int layer) {
  const std::string folder = ::testing::TempDir() + "/tenon_adapter_" + std::to_string(layer);
  std::filesystem::create_directories(folder);
  std::ofstream(folder + "/adapter_config.json")
      << R"({"peft_type": "LORA", "r": 1, "lora_alpha": 2, "target_modules": ["q_proj"],)"
      << R"("fim_template": ")" << fim_template << R"(", "fim_end": "<file_sep>"})";
  const std::string stem =
      "base_model.model.model.layers." + std::to_string(layer) + ".self_attn.q_proj.lora_";
  const auto bytes = SafetensorsWriter()
                         .Floats(stem + "A.weight", {1, 32}, std::vector<float>(32, 0.25f))
                         .Floats(stem + "B.weight", {32, 1}, std::vector<float>(32, 0.5f))
                         .Bytes();
  std::ofstream(folder + "/adapter_model.safetensors", std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()),
             static_cast<std::streamsize>(bytes.size()));
  return folder;
}

TEST(LlamaModel, AnAdapterChangesLogitsAndBringsItsPrompt) {
  const auto tokens = SomeTokens(10);
  const auto plain = Load(TinyModel(), {1, Precision::kFloat32});
  const auto adapted =
      Load(TinyModel(), {1, Precision::kFloat32, WriteAdapter("<file_sep>{prefix}", 0)});
  EXPECT_EQ(adapted->fim_format().name(), "adapter");
  EXPECT_THAT(adapted->fim_format().end_tokens(), ::testing::ElementsAre(TokenId{1}, TokenId{0}));
  EXPECT_NE(Copy(*plain->NewSession()->Prefill(tokens, {})),
            Copy(*adapted->NewSession()->Prefill(tokens, {})));
}

TEST(LlamaModel, NamesWhyAnAdapterIsRefused) {
  const auto error = [](const std::string& folder) {
    const TemporaryModel file(TinyModel());
    const auto model = LlamaModel::Load(file.path(), {1, Precision::kFloat32, folder});
    return model ? "" : model.error().message;
  };
  EXPECT_THAT(error("/nowhere"), HasSubstr("/nowhere"));
  EXPECT_THAT(error(WriteAdapter("<file_sep>{prefix}", 5)),
              HasSubstr("changes layer 5, and the model has 2 layers"));
  EXPECT_THAT(error(WriteAdapter("<nope>{prefix}", 1)),
              ::testing::AllOf(HasSubstr("tenon_adapter_1"), HasSubstr("no marker '<nope>'")));
}

TEST(LlamaModel, NamesATensorThatIsMissingOrHasTheWrongShape) {
  const auto file_with = [](uint32_t layers, uint32_t feed_forward) {
    GgufWriter writer;
    writer.Text("general.architecture", "llama").Unsigned("llama.block_count", layers);
    writer.Unsigned("llama.embedding_length", 4)
        .Unsigned("llama.feed_forward_length", feed_forward);
    writer.Unsigned("llama.attention.head_count", 2).Unsigned("llama.context_length", 10);
    writer.Real("llama.attention.layer_norm_rms_epsilon", 1e-5f);
    AddTinyTokenizer(writer, {});
    writer.Floats("token_embd.weight", {4, TinyVocabulary({})},
                  std::vector<float>(4 * TinyVocabulary({})));
    return writer;
  };
  EXPECT_THAT(LoadError(file_with(1, 8)), HasSubstr("tensor output_norm.weight is missing"));
  EXPECT_THAT(LoadError(file_with(1, 8).Floats("output_norm.weight", {3}, {1, 1, 1})),
              HasSubstr("tensor output_norm.weight is 1 x 3, the metadata needs 1 x 4"));
  EXPECT_THAT(LoadError(file_with(1 << 23, 8)), HasSubstr("8388608 layers, but 1 tensors"));
  EXPECT_THAT(LoadError(file_with(1, 1u << 30)), HasSubstr("llama.feed_forward_length"));
}

}  // namespace
}  // namespace tenon::model
