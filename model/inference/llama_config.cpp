// The sizes of a model by the metadata of its GGUF file; llama_config_of_folder.cpp has the other
// format.
#include "model/inference/llama_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "model/inference/config_reader.h"
#include "model/inference/model_family.h"

namespace tenon::model {
namespace {

// The key of a size: "llama.block_count".
struct Keys {
  std::string_view architecture;

  std::string operator()(std::string_view name) const {
    return fmt::format("{}.{}", architecture, name);
  }
};

// The metadata of a GGUF file that says how much slower the rotation turns; empty: none does. Old
// files have another name for it.
std::string RopeFactorKey(const GgufFile& file, const Keys& key) {
  for (const char* name : {"rope.scaling.factor", "rope.scale_linear"}) {
    if (file.Real(key(name)).value_or(0) != 0) return key(name);
  }
  return "";
}

// The key of the factor by which rotations turn slower; empty: they turn as they are. Error:
// kUnsupported, another scaling. A file with a factor and no kind of scaling means linear scaling.
tl::expected<std::string, ModelError> FactorOfScaling(const GgufFile& file, const Keys& key) {
  const std::string factor_key = RopeFactorKey(file, key);
  const std::string_view scaling =
      file.String(key("rope.scaling.type")).value_or(factor_key.empty() ? "none" : "linear");
  if (scaling == "none") return "";
  if (scaling == "linear") return factor_key.empty() ? key("rope.scaling.factor") : factor_key;
  return Refuse(file, ModelErrorCode::kUnsupported,
                fmt::format("rotary scaling '{}' ({}) is not supported; tenon knows linear: take a "
                            "model without it",
                            scaling, key("rope.scaling.type")));
}

void ReadHeads(const Keys& key, const ModelFamily& family, ConfigReader& in, LlamaConfig& config) {
  config.kv_heads = in.Positive(key("attention.head_count_kv"), config.heads);
  const int share = std::max(1, config.width / config.heads);
  config.head_width = in.Positive(key("attention.key_length"), share);
  config.score_scale = ScaleOfScores(static_cast<float>(
      family.layers_of_other_scores == config.layers ? share : config.head_width));
}

// factor_key: as of FactorOfScaling.
void ReadRotations(const Keys& key, const std::string& factor_key, ConfigReader& in,
                   LlamaConfig& config) {
  config.rope_base = in.PositiveReal(key("rope.freq_base"), 10000.0);
  if (config.traits.has_learned_positions) return;
  config.rope_width = in.Positive(key("rope.dimension_count"), config.head_width);
  if (factor_key.empty()) return;
  const float factor = in.PositiveReal(factor_key);
  // RequirePossible refuses a width that is larger.
  const int pairs = std::min(config.rope_width, config.head_width) / 2;
  config.rope_divisors.assign(static_cast<size_t>(pairs), factor);
}

void ReadWindow(const GgufFile& file, const Keys& key, const ModelFamily& family, ConfigReader& in,
                LlamaConfig& config) {
  if (!family.always_has_window || !file.Integer(key("attention.sliding_window"))) return;
  config.window = in.Positive(key("attention.sliding_window"));
  if (family.global_every == 0) return;
  config.sees_all = EverySeesAll(
      config, in.Positive(key("attention.sliding_window_pattern"), family.global_every));
  config.window_rope_base =
      in.PositiveReal(key("rope.freq_base_swa"), double{family.window_rope_base});
}

// The rows of the embedding.
void ReadVocabulary(const GgufFile& file, ConfigReader& in, LlamaConfig& config) {
  constexpr uint64_t kMaxRows = 1 << 24;
  const GgufTensor* embedding = file.FindTensor("token_embd.weight");
  in.Require(embedding != nullptr, "tensor token_embd.weight is missing");
  config.vocabulary =
      embedding ? static_cast<int>(std::min<uint64_t>(embedding->rows(), kMaxRows)) : 1;
}

}  // namespace

tl::expected<LlamaConfig, ModelError> ReadLlamaConfig(const GgufFile& file) {
  const auto architecture = file.String("general.architecture");
  if (!architecture) {
    return Refuse(file, ModelErrorCode::kFormat,
                  "metadata general.architecture is missing; take a complete file");
  }
  const ModelFamily* family = FindFamily(*architecture);
  if (!family) {
    return Refuse(file, ModelErrorCode::kUnsupported,
                  fmt::format("architecture '{}'; tenon runs {}: take a model of one of these",
                              *architecture, NamesOfFamilies()));
  }
  const Keys key{*architecture};
  const auto factor_key = FactorOfScaling(file, key);
  if (!factor_key) return tl::unexpected(factor_key.error());
  ConfigReader in(file);
  LlamaConfig config;
  config.rotates_halves = family->gguf_rotates_halves;
  config.traits = family->traits;
  for (const FamilySize& size : FamilySizes()) config.*size.size = in.Positive(key(size.gguf_key));
  ReadHeads(key, *family, in, config);
  ReadRotations(key, *factor_key, in, config);
  config.norm_epsilon =
      in.PositiveReal(key(family->traits.has_layer_norms ? "attention.layer_norm_epsilon"
                                                         : "attention.layer_norm_rms_epsilon"));
  ReadWindow(file, key, *family, in, config);
  ReadVocabulary(file, in, config);
  RequirePossible(config, in);
  if (in.error()) {
    return Refuse(file, ModelErrorCode::kFormat,
                  fmt::format("{}; take a complete file", *in.error()));
  }
  return config;
}

}  // namespace tenon::model
