#include "model/inference/llama_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::HasSubstr;

// A parsed file and its configuration, for `threads` threads.
struct TinyFile {
  explicit TinyFile(const GgufWriter& writer, int threads = 1)
      : bytes(writer.Bytes()),
        file(*GgufFile::Parse(bytes, "x.gguf")),
        config(*ReadLlamaConfig(file)) {
    config.threads = threads;
  }
  std::vector<std::byte> bytes;
  GgufFile file;
  LlamaConfig config;
};

TEST(LlamaWeights, AMatrixHasAShardForEachThread) {
  const TinyFile tiny(TinyModel(), 2);
  const auto weights = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  ASSERT_EQ(weights->layers.size(), 2u);
  const LlamaLayer& layer = weights->layers[0];
  EXPECT_EQ(layer.attention_norm.size(), 32u);
  EXPECT_EQ(layer.query_key_value.columns(), 32);
  ASSERT_EQ(layer.query_key_value.shards(), 2);
  EXPECT_EQ(layer.query_key_value.shard_rows(0) + layer.query_key_value.shard_rows(1),
            32 + 16 + 16);
  ASSERT_EQ(layer.gate_up.shards(), 2);
  EXPECT_EQ(layer.gate_up.shard_rows(0), 64);  // 32 rows of gate, the same 32 of up
  EXPECT_EQ(layer.down.columns(), 64);
}

TEST(LlamaWeights, OfMoreThreadsThanRowsSomeHaveNoShard) {
  TinyShape shape;
  shape.width = 4;
  shape.heads = 2;
  shape.kv_heads = 1;
  shape.feed_forward = 6;
  const TinyFile tiny(TinyModel(shape), 5);
  const auto weights = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  const PackedWeights& gate_up = weights->layers[0].gate_up;
  ASSERT_EQ(gate_up.shards(), 3);
  for (int shard = 0; shard < 3; ++shard) EXPECT_EQ(gate_up.shard_rows(shard), 4);
}

TEST(LlamaWeights, OutliveTheFile) {
  const auto weights = [] {
    const TinyFile tiny(TinyModel());
    return *PackLlamaWeights(tiny.file, tiny.config);
  }();
  EXPECT_EQ(weights.embedding.data.data(), weights.embedding_bytes.data());
  EXPECT_EQ(weights.embedding.name, "token_embd.weight");
}

TEST(LlamaWeights, RotationSlowsDownAlongAHead) {
  const TinyFile tiny(TinyModel());
  const auto weights = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(weights.has_value());
  ASSERT_EQ(weights->rope_frequency.size(), 4u);
  for (int i = 0; i < 4; ++i)
    EXPECT_NEAR(weights->rope_frequency[i], std::pow(10000.0, -i / 4.0), 1e-9);
}

TEST(LlamaWeights, ChecksNeedNoPacking) {
  const TinyFile right(TinyModel());
  EXPECT_TRUE(CheckLlamaTensors(right.file, right.config).has_value());
  const TinyFile more(TinyModel().Floats("blk.0.attn_q.bias", {32}, std::vector<float>(32)));
  const auto refused = CheckLlamaTensors(more.file, more.config);
  ASSERT_FALSE(refused.has_value());
  EXPECT_EQ(refused.error().code, ModelErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("tensor blk.0.attn_q.bias is no part"));
  EXPECT_EQ(PackLlamaWeights(more.file, more.config).error().message, refused.error().message);
}

}  // namespace
}  // namespace tenon::model
