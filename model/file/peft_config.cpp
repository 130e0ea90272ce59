#include "model/file/peft_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "model/json_text.h"

namespace tenon::model {
namespace {

using nlohmann::json;

constexpr uint64_t kMaxRank = 65'536;
constexpr uint64_t kMaxTokenId = std::numeric_limits<int32_t>::max();

constexpr std::array<std::string_view, kProjectionCount> kNames = {
    "q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"};

// Settings that change the computation. Each must be missing, null, false or empty.
struct Refused {
  const char* setting;
  const char* meaning;
};
constexpr Refused kRefused[] = {
    {"use_rslora", "scales by the root of the rank"},
    {"use_dora", "scales each column"},
    {"use_qalora", "pools the columns"},
    {"lora_bias", "adds a bias"},
    {"fan_in_fan_out", "stores matrices transposed"},
    {"rank_pattern", "gives modules ranks of their own"},
    {"alpha_pattern", "gives modules scales of their own"},
    {"modules_to_save", "replaces whole modules"},
    {"trainable_token_indices", "replaces embeddings"},
    {"target_parameters", "changes parameters that are no modules"},
    {"layer_replication", "repeats layers"},
    {"alora_invocation_tokens", "works from certain tokens on"},
    {"arrow_config", "chooses between adapters"},
    {"megatron_config", "is cut for several machines"},
};
// Ways to begin the training that leave the base's weights alone.
constexpr std::string_view kPlainBeginnings[] = {"gaussian", "eva", "orthogonal"};

struct Settings {
  const json& all;
  const std::string& path;

  const json& operator[](std::string_view name) const { return Member(all, name); }

  tl::unexpected<ModelError> Wrong(std::string_view setting, std::string_view expected) const {
    return tl::unexpected(
        ModelError{ModelErrorCode::kFormat,
                   fmt::format("{}: setting {} is {}, expected is {}; fetch the adapter again",
                               path, setting, Shown((*this)[setting]), expected)});
  }
  tl::unexpected<ModelError> Unsupported(std::string_view setting, std::string_view meaning) const {
    return tl::unexpected(ModelError{
        ModelErrorCode::kUnsupported,
        fmt::format("{}: setting {} is {}: the adapter {}, and tenon reads plain LoRA alone; merge "
                    "the adapter with its base model by PEFT's merge_and_unload",
                    path, setting, Shown((*this)[setting]), meaning)});
  }

  // A value as a message shows it, not at length.
  static std::string Shown(const json& value) {
    constexpr size_t kMaxShown = 60;
    if (value.is_null()) return "missing";
    // Bytes that are not UTF-8 cannot be in a parsed text; `replace` makes that certain.
    std::string text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > kMaxShown) text = text.substr(0, kMaxShown) + "...";
    return text;
  }
};

bool IsOff(const json& value) {
  return value.is_null() || (value.is_boolean() && !value.get<bool>()) ||
         (value.is_structured() && value.empty());
}

tl::expected<void, ModelError> CheckKind(const Settings& settings) {
  if (settings["peft_type"] != "LORA")
    return settings.Unsupported("peft_type", "is of another kind than LORA");
  if (!settings["bias"].is_null() && settings["bias"] != "none")
    return settings.Unsupported("bias", "changes biases");
  for (const Refused& refused : kRefused)
    if (!IsOff(settings[refused.setting]))
      return settings.Unsupported(refused.setting, refused.meaning);
  const json& beginning = settings["init_lora_weights"];
  const bool plain = beginning.is_null() || beginning.is_boolean() ||
                     std::any_of(std::begin(kPlainBeginnings), std::end(kPlainBeginnings),
                                 [&](std::string_view name) { return beginning == name; });
  if (!plain)
    return settings.Unsupported("init_lora_weights",
                                "belongs to a base model with changed weights");
  return {};
}

tl::expected<void, ModelError> ReadScale(const Settings& settings, PeftConfig& config) {
  const json& rank = settings["r"];
  if (!rank.is_number_unsigned() || rank.get<uint64_t>() == 0 || rank.get<uint64_t>() > kMaxRank)
    return settings.Wrong("r", fmt::format("a number from 1 to {}", kMaxRank));
  config.rank = rank.get<uint64_t>();
  const json& alpha = settings["lora_alpha"];
  if (alpha.is_number())
    config.scale = static_cast<float>(alpha.get<double>() / static_cast<double>(config.rank));
  if (!std::isfinite(config.scale) || config.scale <= 0)
    return settings.Wrong("lora_alpha", "a number above zero");
  return {};
}

tl::expected<void, ModelError> ReadTargets(const Settings& settings, PeftConfig& config) {
  const json& targets = settings["target_modules"];
  // A pattern: the names of the tensors tell its meaning.
  if (targets.is_string()) return {};
  if (!targets.is_array() || targets.empty())
    return settings.Wrong("target_modules", "a list of modules");
  for (const json& target : targets) {
    if (!target.is_string()) return settings.Wrong("target_modules", "a list of names");
    // A name may have its path before it: "model.layers.0.self_attn.q_proj".
    const std::string_view name = target.get_ref<const std::string&>();
    const auto projection = ProjectionNamed(name.substr(name.rfind('.') + 1));
    if (!projection) {
      return tl::unexpected(ModelError{
          ModelErrorCode::kUnsupported,
          fmt::format("{}: setting target_modules has {}; tenon adapts {}: merge the adapter with "
                      "its base model by PEFT's merge_and_unload",
                      settings.path, Settings::Shown(target), fmt::join(kNames, ", "))});
    }
    config.targets.push_back(*projection);
  }
  return {};
}

tl::expected<void, ModelError> ReadTexts(const Settings& settings, PeftConfig& config) {
  const json& base = settings["base_model_name_or_path"];
  if (!base.is_null() && !base.is_string())
    return settings.Wrong("base_model_name_or_path", "a text");
  if (base.is_string()) config.base_model = base.get<std::string>();
  for (const auto& [name, text] :
       {std::pair("fim_template", &config.fim_template), std::pair("fim_end", &config.fim_end)}) {
    const json& value = settings[name];
    if (value.is_null()) continue;
    if (!value.is_string()) return settings.Wrong(name, "a text");
    *text = value.get<std::string>();
  }
  return {};
}

tl::expected<void, ModelError> ReadEmbeddingTokens(const Settings& settings, PeftConfig& config) {
  constexpr const char* kSetting = "input_embedding_delta_token_ids";
  const json& tokens = settings[kSetting];
  if (tokens.is_null()) return {};
  if (!tokens.is_array()) return settings.Wrong(kSetting, "a list of tokens");
  for (const json& token : tokens) {
    if (!token.is_number_unsigned() || token.get<uint64_t>() > kMaxTokenId)
      return settings.Wrong(kSetting, "a list of tokens' numbers");
    config.embedding_tokens.push_back({token.get<uint32_t>()});
  }
  auto sorted = config.embedding_tokens;
  std::sort(sorted.begin(), sorted.end());
  if (std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end())
    return settings.Wrong(kSetting, "a list without a token twice");
  return {};
}

}  // namespace

std::string_view NameOf(Projection projection) { return kNames[static_cast<size_t>(projection)]; }

std::optional<Projection> ProjectionNamed(std::string_view name) {
  const auto* found = std::find(kNames.begin(), kNames.end(), name);
  if (found == kNames.end()) return std::nullopt;
  return static_cast<Projection>(found - kNames.begin());
}

tl::expected<PeftConfig, ModelError> ReadPeftConfig(std::string_view text,
                                                    const std::string& path) {
  const auto parsed = ParseJson(text, {path});
  if (!parsed) return tl::unexpected(parsed.error());
  const Settings settings{*parsed, path};
  PeftConfig config;
  tl::expected<void, ModelError> read = CheckKind(settings);
  for (const auto step : {ReadScale, ReadTargets, ReadTexts, ReadEmbeddingTokens})
    if (read) read = step(settings, config);
  if (!read) return tl::unexpected(read.error());
  return config;
}

}  // namespace tenon::model
