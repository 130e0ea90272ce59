#include "model/inference/llama_weights.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/model/inference/loaded_model.h"
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

TEST(LlamaWeights, APackedMatrixHasAPieceForEachThread) {
  const TinyFile tiny(TinyModel(), 2);
  const auto weights = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  ASSERT_EQ(weights->layers.size(), 2u);
  const LlamaLayer& layer = weights->layers[0];
  EXPECT_EQ(layer.attention_norm.weight.size(), 32u);
  EXPECT_EQ(layer.query_key_value.columns(), 32);
  ASSERT_EQ(layer.query_key_value.pieces(), 2);
  EXPECT_EQ(layer.query_key_value.piece_rows(0) + layer.query_key_value.piece_rows(1),
            32 + 16 + 16);
  ASSERT_EQ(layer.gate_up.pieces(), 2);
  EXPECT_EQ(layer.gate_up.piece_rows(0), 64);  // 32 rows of gate, the same 32 of up
  EXPECT_EQ(layer.down.columns(), 64);
}

TEST(LlamaWeights, OfMoreThreadsThanRowsSomeHaveNoPiece) {
  TinyShape shape;
  shape.width = 4;
  shape.heads = 2;
  shape.kv_heads = 1;
  shape.feed_forward = 6;
  const TinyFile tiny(TinyModel(shape), 5);
  const auto weights = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  const LinearLayer& gate_up = weights->layers[0].gate_up;
  ASSERT_EQ(gate_up.pieces(), 3);
  for (int piece = 0; piece < 3; ++piece) EXPECT_EQ(gate_up.piece_rows(piece), 4);
}

TEST(LlamaWeights, TellHowManyOfTheirBytesAreRead) {
  const TinyFile tiny(TinyModel({.in_blocks = true}), 2);
  std::vector<uint64_t> read;
  uint64_t all = 0;
  ASSERT_TRUE(PackLlamaWeights(tiny.file, tiny.config, nullptr, [&](uint64_t done, uint64_t of) {
    read.push_back(done);
    all = of;
  }));
  ASSERT_GT(read.size(), 10U) << "after each tensor";
  EXPECT_EQ(std::adjacent_find(read.begin(), read.end(), std::greater_equal<>()), read.end());
  EXPECT_EQ(read.back(), all);
  uint64_t bytes = 0;
  for (const GgufTensor& tensor : tiny.file.tensors()) bytes += tensor.data.size();
  EXPECT_GT(all, bytes) << "the matrices are read twice";
  EXPECT_LE(all, 2 * bytes);
}

TEST(LlamaWeights, KeepTheFileMapped) {
  const auto weights = [] {
    const TemporaryModel model(TinyModel({.in_blocks = true}));
    const GgufFile file = *GgufFile::Open(model.path());
    LlamaConfig config = *ReadLlamaConfig(file);
    config.precision = Precision::kBlocks;
    return *PackLlamaWeights(file, config);
  }();
  EXPECT_EQ(weights.embedding->name, "token_embd.weight");
  std::vector<float> row(32);
  DequantizeRows(*weights.embedding, 3, row);
  EXPECT_TRUE(std::any_of(row.begin(), row.end(), [](float x) { return x != 0; }));
}

TEST(LlamaWeights, OfStoredBlocksArePackedWhereFloatsAreWanted) {
  const TinyFile tiny(TinyModel({.in_blocks = true}));
  const auto packed = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(packed.has_value()) << packed.error().message;
  EXPECT_NE(packed->layers[0].down.packed(), nullptr);
  LlamaConfig blocks = tiny.config;
  blocks.precision = Precision::kBlocks;
  const auto stored = PackLlamaWeights(tiny.file, blocks);
  ASSERT_TRUE(stored.has_value()) << stored.error().message;
  EXPECT_EQ(stored->layers[0].down.packed(), nullptr);
  const LinearLayer& heads = stored->layers[0].query_key_value;
  for (int piece = 0; piece < heads.pieces(); ++piece)
    EXPECT_EQ(heads.piece_rows(piece) % stored->file.Integer("llama.attention.head_count").value(),
              0);
}

TEST(LlamaWeights, OfQwen2HaveBiasesOfQueriesKeysAndValues) {
  const TinyFile tiny(TinyModel({.architecture = "qwen2"}));
  const auto weights = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  EXPECT_EQ(weights->layers[1].query_key_value_bias.size(), 32u + 16u + 16u);
  const TinyFile llama(TinyModel());
  EXPECT_TRUE(PackLlamaWeights(llama.file, llama.config)->layers[0].query_key_value_bias.empty());
}

TEST(LlamaWeights, OfQwen3HaveNormsOfQueriesAndKeys) {
  const TinyFile tiny(TinyModel({.architecture = "qwen3"}));
  const auto weights = PackLlamaWeights(tiny.file, tiny.config);
  ASSERT_TRUE(weights.has_value()) << weights.error().message;
  EXPECT_EQ(weights->layers[1].query_norm.size(), 8u);
  EXPECT_EQ(weights->layers[1].key_norm.size(), 8u);
  EXPECT_TRUE(weights->layers[1].query_key_value_bias.empty());
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

TEST(LlamaWeights, ARotationIsNotDividedByZero) {
  const TinyFile divided(TinyModel().Floats("rope_freqs.weight", {4}, {1, 2, 0, 4}));
  EXPECT_THAT(PackLlamaWeights(divided.file, divided.config).error().message,
              HasSubstr("tensor rope_freqs.weight: a divisor of the rotation is 0"));
  const TinyFile right(TinyModel().Floats("rope_freqs.weight", {4}, {1, 2, 3, 4}));
  EXPECT_TRUE(PackLlamaWeights(right.file, right.config).has_value());
}

TEST(LlamaWeights, ThatAreNoNumbersAreRefusedByTensorAndRow) {
  const TinyFile right(TinyModel({.in_blocks = true}));
  // Tensors view the file's bytes: one with a NaN among them is made of a copy of the file.
  std::vector<std::byte> bytes(right.bytes.begin(), right.bytes.end());
  const GgufTensor* tensor = right.file.FindTensor("blk.1.ffn_down.weight");
  ASSERT_NE(tensor, nullptr);
  const auto at = static_cast<size_t>(tensor->data.data() - right.bytes.data());
  constexpr uint64_t kRow = 2;
  bytes[at + kRow * tensor->row_bytes()] = std::byte{0};
  bytes[at + kRow * tensor->row_bytes() + 1] = std::byte{0x7e};  // a half that is no number
  const GgufFile damaged = *GgufFile::Parse(bytes, "damaged.gguf");
  const auto weights = PackLlamaWeights(damaged, right.config);
  ASSERT_FALSE(weights.has_value());
  EXPECT_EQ(weights.error().code, ModelErrorCode::kFormat);
  EXPECT_THAT(weights.error().message,
              HasSubstr("damaged.gguf: tensor blk.1.ffn_down.weight, row 2: a weight is infinite"));
}

}  // namespace
}  // namespace tenon::model
