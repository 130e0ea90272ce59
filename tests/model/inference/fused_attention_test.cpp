#include "model/inference/fused_attention.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "model/inference/llama_weights.h"
#include "tests/model/tiny_model.h"

namespace tenon::model {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SplitAttentionOfTheTinyModel : public ::testing::Test {
 protected:
  SplitAttentionOfTheTinyModel()
      : bytes_(TinyModel({.architecture = "starcoder"}).Bytes()),
        file_(*GgufFile::Parse(bytes_, "x.gguf")),
        config_(*ReadLlamaConfig(file_)) {}
  // The same file with a bias that is stored otherwise.
  GgufFile WithBias(TensorType type, std::vector<uint64_t> dims, size_t bytes) const {
    std::vector<GgufTensor> tensors = file_.tensors();
    const auto bias = std::find_if(tensors.begin(), tensors.end(), [](const GgufTensor& tensor) {
      return tensor.name == "blk.1.attn_qkv.bias";
    });
    bias->type = type;
    bias->dims = std::move(dims);
    bias->data = bias->data.first(bytes);
    return file_.WithTensors(nullptr, std::move(tensors));
  }
  std::vector<std::byte> bytes_;
  GgufFile file_;
  LlamaConfig config_;
};

TEST_F(SplitAttentionOfTheTinyModel, ShowsThreeStretchesOfTheRows) {
  const auto split = SplitAttention(file_, config_);
  ASSERT_TRUE(split.has_value()) << split.error().message;
  for (const char* part : {"weight", "bias"}) {
    const bool is_bias = part == std::string("bias");
    const GgufTensor& fused = *file_.FindTensor(std::string("blk.1.attn_qkv.") + part);
    const std::byte* next = fused.data.data();
    for (const auto& [name, rows] : {std::pair("attn_q", 32), {"attn_k", 16}, {"attn_v", 16}}) {
      const auto* view = split->FindTensor(std::string("blk.1.") + name + "." + part);
      ASSERT_NE(view, nullptr) << name;
      EXPECT_EQ(is_bias ? view->columns() : view->rows(), rows);
      EXPECT_EQ(view->data.data(), next);
      EXPECT_EQ(view->data.size(), view->rows() * view->row_bytes());
      next += view->data.size();
    }
    EXPECT_EQ(next, fused.data.data() + fused.data.size());
  }
  EXPECT_EQ(split->FindTensor("blk.1.attn_qkv.weight"), nullptr);
  EXPECT_EQ(split->tensors().size(), file_.tensors().size() + 2 * 2 * 2);
  EXPECT_EQ(split->String("general.architecture"), "starcoder");
}

TEST_F(SplitAttentionOfTheTinyModel, TakesABiasOfOneRow) {
  const GgufFile file = WithBias(TensorType::kF32, {64, 1}, 256);
  ASSERT_TRUE(CheckLlamaTensors(file, config_).has_value());
  const auto split = SplitAttention(file, config_);
  ASSERT_TRUE(split.has_value()) << split.error().message;
  EXPECT_THAT(split->FindTensor("blk.1.attn_v.bias")->dims, ElementsAre(16));
}

TEST_F(SplitAttentionOfTheTinyModel, RefusesABiasInBlocks) {
  const GgufFile file = WithBias(TensorType::kQ8_0, {64}, 68);
  ASSERT_TRUE(CheckLlamaTensors(file, config_).has_value());
  const auto split = SplitAttention(file, config_);
  ASSERT_FALSE(split.has_value());
  EXPECT_EQ(split.error().code, ModelErrorCode::kUnsupported);
  EXPECT_THAT(split.error().message,
              HasSubstr("x.gguf: tensor blk.1.attn_qkv.bias is stored in blocks"));
  EXPECT_EQ(PackLlamaWeights(file, config_).error().message, split.error().message);
}

}  // namespace
}  // namespace tenon::model
