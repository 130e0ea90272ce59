#include "model/inference/llama_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>

namespace tenon::model {
namespace {

// Far above the sizes of any real model; products of two sizes stay far below 2^63.
constexpr int64_t kMaxNumber = 1 << 24;

// The architectures that tenon runs: Llama and its variations.
struct Family {
  std::string_view architecture;
  bool rotates_halves;
  bool has_attention_bias;
};
constexpr Family kFamilies[] = {{"llama", false, false}, {"qwen2", true, true}};

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
  const auto* family =
      std::find_if(std::begin(kFamilies), std::end(kFamilies),
                   [&](const Family& known) { return known.architecture == *architecture; });
  if (family == std::end(kFamilies)) {
    return Refuse(file, ModelErrorCode::kUnsupported,
                  fmt::format("architecture '{}'; tenon runs 'llama' (SmolLM2, Llama, "
                              "DeepSeek-Coder) and 'qwen2' (Qwen2.5-Coder)",
                              *architecture));
  }
  const auto key = [&](const char* name) { return fmt::format("{}.{}", *architecture, name); };
  const auto scaling = file.String(key("rope.scaling.type"));
  if (scaling && *scaling != "none") {
    return Refuse(file, ModelErrorCode::kUnsupported,
                  fmt::format("rotary scaling '{}' ({}) is not supported", *scaling,
                              key("rope.scaling.type")));
  }
  ConfigReader in(file);
  LlamaConfig config;
  config.rotates_halves = family->rotates_halves;
  config.has_attention_bias = family->has_attention_bias;
  config.layers = in.Positive(key("block_count"));
  config.width = in.Positive(key("embedding_length"));
  config.feed_forward = in.Positive(key("feed_forward_length"));
  config.heads = in.Positive(key("attention.head_count"));
  config.kv_heads = in.Positive(key("attention.head_count_kv"), config.heads);
  config.context = in.Positive(key("context_length"));
  config.head_width =
      in.Positive(key("attention.key_length"), std::max(1, config.width / config.heads));
  config.rope_width = in.Positive(key("rope.dimension_count"), config.head_width);
  config.rope_base = in.PositiveReal(key("rope.freq_base"), 10000.0);
  config.norm_epsilon = in.PositiveReal(key("attention.layer_norm_rms_epsilon"));
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
