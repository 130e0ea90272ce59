// The sizes of a model by the config.json of its Hugging Face folder; llama_config.cpp has the
// other format.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/inference/config_reader.h"
#include "model/inference/llama_config.h"
#include "model/inference/model_family.h"

namespace tenon::model {
namespace {

tl::unexpected<ModelError> RefuseConfig(const JsonValues& values, ModelErrorCode code,
                                        const std::string& what) {
  return tl::unexpected(ModelError{code, fmt::format("{}: {}", values.path(), what)});
}

// The group of a config.json that has the rotation's scaling: "rope_scaling", since transformers 5
// "rope_parameters", or one of these for each kind of layer.
std::string ScalingGroup(const JsonValues& values) {
  for (const char* group : {"rope_parameters.full_attention", "rope_parameters"}) {
    if (values.Has(group)) return group;
  }
  return "rope_scaling";
}

// The divisors of Llama 3.1: pairs that turn slowly turn slower yet, by `factor`.
//
//   a pair's wavelength is        its divisor is
//   below context / high          1
//   above context / low           factor
//   between                       1 / ((1 - s) / factor + s), where s goes from 0 to 1
std::vector<float> Llama3Divisors(const LlamaConfig& config, double factor, double low, double high,
                                  double context) {
  std::vector<float> divisors;
  for (int i = 0; i < config.rope_width / 2; ++i) {
    const double turns = context * std::pow(config.rope_base, -2.0 * i / config.rope_width) /
                         (2 * std::acos(-1.0));  // in the context
    const double s = std::clamp((turns - low) / (high - low), 0.0, 1.0);
    divisors.push_back(static_cast<float>(1 / ((1 - s) / factor + s)));
  }
  return divisors;
}

// Sets the divisors of the rotation. Error: kUnsupported.
tl::expected<void, ModelError> ReadScaling(const JsonValues& values, ConfigReader& in,
                                           LlamaConfig& config) {
  const std::string group = ScalingGroup(values);
  const auto name = [&](const char* key) { return fmt::format("{}.{}", group, key); };
  const std::string_view kind =
      values.String(name("rope_type")).value_or(values.String(name("type")).value_or("default"));
  if (kind == "default") return {};
  if (kind == "linear") {
    config.rope_divisors.assign(static_cast<size_t>(config.rope_width) / 2,
                                in.PositiveReal(name("factor")));
    return {};
  }
  if (kind == "llama3") {
    const double low = in.PositiveReal(name("low_freq_factor"));
    const double high = in.PositiveReal(name("high_freq_factor"));
    in.Require(low < high, fmt::format("{} is not below {}", name("low_freq_factor"),
                                       name("high_freq_factor")));
    config.rope_divisors =
        Llama3Divisors(config, in.PositiveReal(name("factor")), low, high,
                       in.PositiveReal(name("original_max_position_embeddings")));
    return {};
  }
  return RefuseConfig(values, ModelErrorCode::kUnsupported,
                      fmt::format("its {} '{}' is not supported; tenon knows default, linear and "
                                  "llama3: take a model of one of these",
                                  group, kind));
}

// Sets sees_all: by a kind for each layer, or every so-manieth.
void ReadGlobalLayers(const JsonValues& values, const ModelFamily& family, ConfigReader& in,
                      LlamaConfig& config) {
  const std::vector<std::string>* types = values.Strings("layer_types");
  if (types == nullptr) {
    const char* const key =
        values.Has("sliding_window_pattern") ? "sliding_window_pattern" : "_sliding_window_pattern";
    config.sees_all = EverySeesAll(config, in.Positive(key, family.global_every));
    return;
  }
  in.Require(
      types->size() == static_cast<size_t>(config.layers),
      fmt::format("its layer_types has {} kinds for {} layers", types->size(), config.layers));
  for (const std::string& type : *types) {
    const bool has_window = type == "sliding_attention";
    in.Require(has_window || type == "full_attention",
               fmt::format("its layer_types has '{}'; tenon knows sliding_attention and "
                           "full_attention",
                           type));
    config.sees_all.push_back(!has_window);
  }
}

// Properties that a model of a family may have, and that tenon does not compute.
tl::expected<void, ModelError> CheckComputed(const JsonValues& values, const ModelFamily& family) {
  const auto refuse = [&](const std::string& what) {
    return RefuseConfig(values, ModelErrorCode::kUnsupported, what);
  };
  for (const char* key : {"hidden_act", "hidden_activation", "activation_function"}) {
    if (const auto act = values.String(key); act && *act != family.activation) {
      return refuse(fmt::format("its {} is '{}'; of a {} tenon computes {} alone", key, *act,
                                family.name, family.activation));
    }
  }
  for (const char* key : {"attn_logit_softcapping", "final_logit_softcapping"}) {
    if (values.Has(key))
      return refuse(fmt::format("its {} is not supported; take a model without", key));
  }
  if (family.traits.has_fused_attention && !values.Bool("multi_query").value_or(true))
    return refuse("its multi_query is off; take a model whose query heads share one key head");
  if (!values.Bool("scale_attn_weights").value_or(true))
    return refuse("its scale_attn_weights is off; tenon divides the scores of attention");
  if (values.Bool("use_bidirectional_attention").value_or(false))
    return refuse("its use_bidirectional_attention is on; take a model that predicts text");
  if (values.Has("quantization_config")) {
    return refuse(fmt::format(
        "its weights are quantized ('{}'); take the model with float weights, or its GGUF file",
        values.String("quantization_config.quant_method").value_or("?")));
  }
  if (values.Real("partial_rotary_factor").value_or(1) != 1)
    return refuse("its partial_rotary_factor is not 1; tenon rotates whole heads");
  return {};
}

void ReadSizes(const ModelFamily& family, ConfigReader& in, LlamaConfig& config) {
  for (const FamilySize& size : FamilySizes()) {
    const bool is_feed_forward = size.size == &LlamaConfig::feed_forward;
    // GPT-2 has a number there only where it is not four times the width.
    const auto otherwise = is_feed_forward && family.traits.has_names_of_gpt2
                               ? std::optional(int64_t{4} * config.width)
                               : std::nullopt;
    config.*size.size = in.Positive(size.ConfigKey(family.traits), otherwise);
  }
  config.vocabulary = in.Positive("vocab_size");
}

void ReadHeads(const ModelFamily& family, ConfigReader& in, LlamaConfig& config) {
  config.kv_heads =
      family.traits.has_fused_attention ? 1 : in.Positive("num_key_value_heads", config.heads);
  config.head_width = in.Positive("head_dim", std::max(1, config.width / config.heads));
  const auto head_width = static_cast<float>(config.head_width);
  config.score_scale = ScaleOfScores(
      family.config_score_divisor ? in.PositiveReal(family.config_score_divisor, double{head_width})
                                  : head_width);
}

// But for the scaling.
void ReadRotations(const JsonValues& values, const ModelFamily& family, ConfigReader& in,
                   LlamaConfig& config) {
  config.rope_width = family.traits.has_learned_positions ? 0 : config.head_width;
  config.rope_base = in.PositiveReal(
      "rope_theta",
      values.Real(ScalingGroup(values) + ".rope_theta").value_or(family.config_rope_base));
}

void ReadWindow(const JsonValues& values, const ModelFamily& family, ConfigReader& in,
                LlamaConfig& config) {
  if (family.always_has_window && values.Integer("sliding_window"))
    config.window = in.Positive("sliding_window");
  if (family.global_every > 0 && config.window > 0) {
    ReadGlobalLayers(values, family, in, config);
    config.window_rope_base = in.PositiveReal(
        "rope_local_base_freq", values.Real("rope_parameters.sliding_attention.rope_theta")
                                    .value_or(double{family.window_rope_base}));
  }
  // Within the window attention is whole.
  if (values.Bool("use_sliding_window").value_or(false))
    config.context = std::min(config.context, in.Positive("sliding_window", config.context));
}

}  // namespace

tl::expected<LlamaConfig, ModelError> ReadLlamaConfig(const HuggingFaceFolder& folder) {
  const JsonValues& values = folder.config();
  const auto type = values.String("model_type");
  if (!type) {
    return RefuseConfig(values, ModelErrorCode::kFormat,
                        "its model_type is missing; take the config.json of a model");
  }
  const ModelFamily* family = FindFamilyOfConfig(*type);
  if (!family) {
    return RefuseConfig(values, ModelErrorCode::kUnsupported,
                        fmt::format("its model_type is '{}'; tenon runs {}: take a model of one of "
                                    "these",
                                    *type, NamesOfFamiliesInConfigs()));
  }
  if (auto computed = CheckComputed(values, *family); !computed)
    return tl::unexpected(computed.error());
  const auto impossible = [&values](const ConfigReader& in) {
    return RefuseConfig(values, ModelErrorCode::kFormat,
                        fmt::format("{}; take the config.json of the model", *in.error()));
  };
  ConfigReader in(values);
  LlamaConfig config;
  config.rotates_halves = true;
  config.traits = family->traits;
  config.has_norms_less_one = family->has_norms_less_one;
  config.head_is_embedding = values.Bool("tie_word_embeddings").value_or(family->ties_by_default);
  ReadSizes(*family, in, config);
  ReadHeads(*family, in, config);
  ReadRotations(values, *family, in, config);
  config.norm_epsilon =
      in.PositiveReal(family->config_epsilon, family->traits.has_layer_norms ? 1e-5 : 1e-6);
  ReadWindow(values, *family, in, config);
  RequirePossible(config, in);
  if (in.error()) return impossible(in);
  // The divisors are as many as the sizes say, which are possible by now.
  if (auto scaled = ReadScaling(values, in, config); !scaled) return tl::unexpected(scaled.error());
  if (in.error()) return impossible(in);
  return config;
}

}  // namespace tenon::model
