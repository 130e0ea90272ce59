#include "model/inference/llama_config.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

tl::expected<LlamaConfig, ModelError> Read(const GgufWriter& writer) {
  const auto bytes = writer.Bytes();
  const auto file = GgufFile::Parse(bytes, "x.gguf");
  EXPECT_TRUE(file.has_value()) << file.error().message;
  return ReadLlamaConfig(*file);
}

TEST(LlamaConfig, HasTheSizesOfTheMetadata) {
  const auto config = Read(TinyModel());
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->layers, 2);
  EXPECT_EQ(config->width, 32);
  EXPECT_EQ(config->feed_forward, 64);
  EXPECT_EQ(config->heads, 4);
  EXPECT_EQ(config->kv_heads, 2);
  EXPECT_EQ(config->vocabulary, 264);
  EXPECT_EQ(config->context, 600);
  EXPECT_FLOAT_EQ(config->norm_epsilon, 1e-5f);
}

TEST(LlamaConfig, TakesDefaultsForSizesThatAFileMayLeaveOut) {
  const auto config = Read(TinyModel());
  ASSERT_TRUE(config.has_value());
  EXPECT_EQ(config->head_width, 8);  // width / heads
  EXPECT_EQ(config->rope_width, 8);
  EXPECT_FLOAT_EQ(config->rope_base, 10000);
  const auto given = Read(
      TinyModel().Unsigned("llama.rope.dimension_count", 4).Real("llama.rope.freq_base", 5e5f));
  ASSERT_TRUE(given.has_value());
  EXPECT_EQ(given->rope_width, 4);
  EXPECT_FLOAT_EQ(given->rope_base, 5e5f);
}

TEST(LlamaConfig, NamesSizesThatAreImpossible) {
  const struct {
    GgufWriter file;
    const char* message;
  } cases[] = {
      {GgufWriter(), "x.gguf: metadata general.architecture is missing"},
      {TinyModel({}, false), "llama.block_count is missing"},
      {TinyModel({.kv_heads = 3}), "4 query heads do not share 3 key heads evenly"},
      {TinyModel().Unsigned("llama.rope.dimension_count", 10),
       "rotation of 10 of 8 numbers a head is impossible"},
      {TinyModel().Unsigned("llama.rope.dimension_count", 3), "rotation of 3 of 8 numbers"},
      {TinyModel().Unsigned("llama.attention.key_length", 1 << 23),
       "4 heads of 8388608 numbers are impossible"},
      {TinyModel({}, false)
           .Unsigned("llama.block_count", 2)
           .Unsigned("llama.embedding_length", 32)
           .Unsigned("llama.feed_forward_length", (1 << 20) + 1)
           .Unsigned("llama.attention.head_count", 4)
           .Unsigned("llama.context_length", 600)
           .Real("llama.attention.layer_norm_rms_epsilon", 1e-5f),
       "a feed-forward of 1048577 are impossible"},
      {TinyModel().Real("llama.rope.freq_base", -1), "llama.rope.freq_base is -1"},
      {TinyModel().Double("llama.rope.freq_base", 1e300), "llama.rope.freq_base is 1e+300"},
      {TinyModel().Double("llama.rope.freq_base", 1e-300), "llama.rope.freq_base is 1e-300"},
      {TinyModel({}, false).Unsigned("llama.block_count", 1u << 30),
       "llama.block_count is 1073741824"},
  };
  for (const auto& [file, message] : cases) {
    const auto config = Read(file);
    ASSERT_FALSE(config.has_value()) << message;
    EXPECT_EQ(config.error().code, ModelErrorCode::kFormat);
    EXPECT_THAT(config.error().message, HasSubstr(message));
  }
}

// As llama.cpp converts DeepSeek-Coder.
TEST(LlamaConfig, ReadsALinearScalingOfRotations) {
  const auto linear = [] { return TinyModel().Text("llama.rope.scaling.type", "linear"); };
  const auto config = Read(linear().Real("llama.rope.scaling.factor", 4));
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_THAT(config->rope_divisors, ElementsAre(4, 4, 4, 4));
  EXPECT_THAT(Read(TinyModel())->rope_divisors, IsEmpty());
  // llama.cpp takes a factor without a kind for a linear one.
  for (const char* key : {"llama.rope.scaling.factor", "llama.rope.scale_linear"})
    EXPECT_THAT(Read(TinyModel().Real(key, 2))->rope_divisors, ElementsAre(2, 2, 2, 2)) << key;
  EXPECT_THAT(Read(TinyModel().Real("llama.rope.scaling.factor", 0))->rope_divisors, IsEmpty());
  const auto without = Read(linear());
  ASSERT_FALSE(without.has_value());
  EXPECT_THAT(without.error().message, HasSubstr("llama.rope.scaling.factor is missing"));
}

TEST(LlamaConfig, OfStarCoder2HasAWindow) {
  const auto config = Read(TinyModel({.architecture = "starcoder2"}));
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->window, 12);
  EXPECT_TRUE(config->traits.has_layer_norms && config->traits.has_no_gate);
  const auto llama = Read(TinyModel().Unsigned("llama.attention.sliding_window", 12));
  EXPECT_EQ(llama->window, 0);
}

TEST(LlamaConfig, OfStarCoderHasLearnedPositionsAndNoRotation) {
  const auto config = Read(TinyModel({.architecture = "starcoder"}));
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_EQ(config->rope_width, 0);
  EXPECT_EQ(config->kv_heads, 2);
  EXPECT_EQ(config->window, 0);
  EXPECT_TRUE(config->traits.has_learned_positions && config->traits.has_fused_attention);
}

TEST(LlamaConfig, OfGemma3HasAWindowInMostLayers) {
  const auto config = Read(TinyModel({.architecture = "gemma3", .layers = 4}));
  ASSERT_TRUE(config.has_value()) << config.error().message;
  EXPECT_THAT(config->sees_all, ElementsAre(false, true, false, true));
  EXPECT_EQ(config->WindowOf(0), 12);
  EXPECT_EQ(config->WindowOf(1), 0);
  EXPECT_EQ(config->rope_base, 1e6f);
  EXPECT_EQ(config->window_rope_base, 1e4f);
  EXPECT_FLOAT_EQ(config->score_scale, 1 / std::sqrt(8.0f));
  EXPECT_FALSE(config->has_norms_less_one);
}

// Its scores are divided by the root of width / heads, which the file does not tell.
TEST(LlamaConfig, OfTheLargestGemma3HasAnotherScaleOfScores) {
  const auto read = [](uint32_t layers) {
    return Read(TinyModel({.architecture = "gemma3", .layers = layers})
                    .Unsigned("gemma3.attention.key_length", 4));
  };
  EXPECT_FLOAT_EQ(read(62)->score_scale, 1 / std::sqrt(8.0f));
  EXPECT_FLOAT_EQ(read(61)->score_scale, 1 / std::sqrt(4.0f));
}

TEST(LlamaConfig, RefusesOtherArchitectures) {
  const auto other = Read(GgufWriter().Text("general.architecture", "mamba"));
  ASSERT_FALSE(other.has_value());
  EXPECT_EQ(other.error().code, ModelErrorCode::kUnsupported);
  const auto scaled = Read(TinyModel().Text("llama.rope.scaling.type", "yarn"));
  ASSERT_FALSE(scaled.has_value());
  EXPECT_EQ(scaled.error().code, ModelErrorCode::kUnsupported);
  EXPECT_THAT(scaled.error().message, HasSubstr("'yarn'"));
}

}  // namespace
}  // namespace tenon::model
