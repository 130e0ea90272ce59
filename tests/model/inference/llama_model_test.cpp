#include "model/inference/llama_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/inference/loaded_model.h"

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
    ExpectNear(*a->Decode(7), *b->Decode(7), 1e-4f);
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
