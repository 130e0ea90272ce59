#include "model/inference/llama_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace tenon::model {
namespace {

// Far above the sizes of any real model; products of two sizes stay far below 2^63.
constexpr int64_t kMaxNumber = 1 << 24;

// Reads numbers of the metadata. The first number that is missing or out of range becomes the
// error.
class ConfigReader {
 public:
  explicit ConfigReader(const GgufFile& file) : file_(file) {}

  int Positive(const std::string& key, std::optional<int64_t> otherwise = {}) {
    const auto value = file_.Integer(key) ? file_.Integer(key) : otherwise;
    if (!value) {
      Fail(fmt::format("metadata {} is missing; take a complete file", key));
    } else if (*value < 1 || *value > kMaxNumber) {
      Fail(fmt::format("metadata {} is {}, 1 to {} is possible", key, *value, kMaxNumber));
    } else {
      return static_cast<int>(*value);
    }
    return 1;
  }

  float PositiveReal(const std::string& key, std::optional<double> otherwise = {}) {
    const auto value = file_.Real(key) ? file_.Real(key) : otherwise;
    if (!value) {
      Fail(fmt::format("metadata {} is missing; take a complete file", key));
    } else if (!(*value > 0) || !std::isfinite(*value)) {
      Fail(fmt::format("metadata {} is {}, a positive number is needed", key, *value));
    } else {
      return static_cast<float>(*value);
    }
    return 1;
  }

  void Require(bool holds, const std::string& what) {
    if (!holds) Fail(what);
  }
  const std::optional<std::string>& error() const { return error_; }

 private:
  void Fail(std::string what) {
    if (!error_) error_ = std::move(what);
  }
  const GgufFile& file_;
  std::optional<std::string> error_;
};

}  // namespace

tl::expected<LlamaConfig, ModelError> ReadLlamaConfig(const GgufFile& file) {
  const auto architecture = file.String("general.architecture");
  if (!architecture) {
    return Refuse(file, ModelErrorCode::kFormat,
                  "metadata general.architecture is missing; take a complete file");
  }
  if (*architecture != "llama") {
    return Refuse(
        file, ModelErrorCode::kUnsupported,
        fmt::format("architecture '{}'; tenon runs 'llama' (SmolLM2, Llama, DeepSeek-Coder)",
                    *architecture));
  }
  const auto scaling = file.String("llama.rope.scaling.type");
  if (scaling && *scaling != "none") {
    return Refuse(
        file, ModelErrorCode::kUnsupported,
        fmt::format("rotary scaling '{}' (llama.rope.scaling.type) is not supported", *scaling));
  }
  ConfigReader in(file);
  LlamaConfig config;
  config.layers = in.Positive("llama.block_count");
  config.width = in.Positive("llama.embedding_length");
  config.feed_forward = in.Positive("llama.feed_forward_length");
  config.heads = in.Positive("llama.attention.head_count");
  config.kv_heads = in.Positive("llama.attention.head_count_kv", config.heads);
  config.context = in.Positive("llama.context_length");
  config.head_width =
      in.Positive("llama.attention.key_length", std::max(1, config.width / config.heads));
  config.rope_width = in.Positive("llama.rope.dimension_count", config.head_width);
  config.rope_base = in.PositiveReal("llama.rope.freq_base", 10000.0);
  config.norm_epsilon = in.PositiveReal("llama.attention.layer_norm_rms_epsilon");
  const GgufTensor* embedding = file.FindTensor("token_embd.weight");
  in.Require(embedding != nullptr, "tensor token_embd.weight is missing; take a complete file");
  config.vocabulary =
      embedding ? static_cast<int>(std::min<uint64_t>(embedding->rows(), kMaxNumber)) : 1;
  in.Require(config.heads % config.kv_heads == 0,
             fmt::format("{} query heads do not share {} key heads evenly", config.heads,
                         config.kv_heads));
  in.Require(config.rope_width % 2 == 0 && config.rope_width <= config.head_width &&
                 config.head_width % 2 == 0,
             fmt::format("rotation of {} of {} numbers a head is impossible", config.rope_width,
                         config.head_width));
  in.Require(int64_t{config.heads} * config.head_width < kMaxNumber,
             fmt::format("{} heads of {} numbers are impossible", config.heads, config.head_width));
  if (in.error()) return Refuse(file, ModelErrorCode::kFormat, *in.error());
  return config;
}

}  // namespace tenon::model
