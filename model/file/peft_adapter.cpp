#include "model/file/peft_adapter.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <utility>

#include "model/file/mapped_file.h"
#include "model/file/peft_config.h"

namespace tenon::model {
namespace {

constexpr std::string_view kLayers = "base_model.model.model.layers.";
constexpr std::string_view kEmbedding = "input_embedding_delta.weight";
// Far above any real model.
constexpr uint32_t kMaxLayers = 10'000;
constexpr size_t kMaxConfigBytes = size_t{16} << 20;
constexpr const char* kAgain = "fetch both files of the adapter again";

struct Key {
  uint32_t layer = 0;
  Projection projection = Projection::kQuery;

  auto operator<=>(const Key&) const = default;
};

// The parts of a tensor's name.
struct Part {
  Key key;
  bool is_a = false;
};

struct Pair {
  const SafetensorsTensor* a = nullptr;
  const SafetensorsTensor* b = nullptr;
};

// The text before the first `end`; text and end are cut off. Nothing where there is no `end`.
std::optional<std::string_view> Cut(std::string_view& text, char end) {
  const size_t at = text.find(end);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view before = text.substr(0, at);
  text.remove_prefix(at + 1);
  return before;
}

std::optional<uint32_t> LayerOf(std::string_view digits) {
  uint32_t layer = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), layer);
  // One spelling alone, so that no layer is there twice.
  if (error != std::errc() || end != digits.data() + digits.size() || layer >= kMaxLayers ||
      std::to_string(layer) != digits)
    return std::nullopt;
  return layer;
}

// base_model.model.model.layers.LAYER.MODULE.PROJECTION.lora_X.weight
std::optional<Part> ParseName(std::string_view name) {
  if (!name.starts_with(kLayers)) return std::nullopt;
  name.remove_prefix(kLayers.size());
  const auto digits = Cut(name, '.');
  const auto module = Cut(name, '.');
  const auto projection_name = Cut(name, '.');
  if (!digits || !module || !projection_name) return std::nullopt;
  const auto layer = LayerOf(*digits);
  const auto projection = ProjectionNamed(*projection_name);
  if (!layer || !projection) return std::nullopt;
  const bool attention = *projection <= Projection::kOutput;
  if (*module != (attention ? "self_attn" : "mlp")) return std::nullopt;
  if (name != "lora_A.weight" && name != "lora_B.weight") return std::nullopt;
  return Part{{*layer, *projection}, name == "lora_A.weight"};
}

std::string ShapeText(const SafetensorsTensor& tensor) {
  return fmt::format("[{}]", fmt::join(tensor.shape, ", "));
}

// The tensors of one file, turned into changes.
class Reader {
 public:
  Reader(const SafetensorsFile& file, const PeftConfig& config) : file_(file), config_(config) {}

  tl::expected<void, ModelError> ReadAll(PeftAdapter& adapter) const {
    auto pairs = FindPairs();
    if (!pairs) return tl::unexpected(pairs.error());
    for (const auto& [key, pair] : *pairs) {
      auto change = ReadChange(key, pair);
      if (!change) return tl::unexpected(change.error());
      adapter.changes.push_back(std::move(*change));
    }
    if (auto checked = CheckTogether(adapter.changes); !checked) return checked;
    auto embedding = ReadEmbedding();
    if (!embedding) return tl::unexpected(embedding.error());
    adapter.embedding = std::move(*embedding);
    return {};
  }

 private:
  tl::unexpected<ModelError> Wrong(std::string_view tensor, const std::string& what,
                                   std::string_view remedy = kAgain,
                                   ModelErrorCode code = ModelErrorCode::kFormat) const {
    return tl::unexpected(
        ModelError{code, fmt::format("{}: tensor {}: {}; {}", file_.path(), tensor, what, remedy)});
  }

  tl::expected<std::map<Key, Pair>, ModelError> FindPairs() const {
    std::map<Key, Pair> pairs;
    for (const SafetensorsTensor& tensor : file_.tensors()) {
      if (tensor.name == kEmbedding) continue;
      const std::optional<Part> part = ParseName(tensor.name);
      if (!part) {
        return Wrong(tensor.name, "it belongs to no projection that tenon adapts",
                     fmt::format("expected are names such as "
                                 "{}0.self_attn.q_proj.lora_A.weight: merge the adapter with its "
                                 "base model by PEFT's merge_and_unload",
                                 kLayers),
                     ModelErrorCode::kUnsupported);
      }
      Pair& pair = pairs[part->key];
      (part->is_a ? pair.a : pair.b) = &tensor;
    }
    for (const auto& [key, pair] : pairs) {
      if (!pair.a) return Wrong(pair.b->name, "its lora_A is missing");
      if (!pair.b) return Wrong(pair.a->name, "its lora_B is missing");
    }
    if (pairs.empty()) {
      return tl::unexpected(ModelError{
          ModelErrorCode::kFormat,
          fmt::format("{}: there is no lora_A and no lora_B; {}", file_.path(), kAgain)});
    }
    return pairs;
  }

  tl::expected<std::vector<float>, ModelError> Finite(const SafetensorsTensor& tensor) const {
    std::vector<float> floats = ToFloats(tensor);
    const auto wrong =
        std::find_if(floats.begin(), floats.end(), [](float x) { return !std::isfinite(x); });
    if (wrong != floats.end())
      return Wrong(tensor.name,
                   fmt::format("value {} is no finite number", wrong - floats.begin()));
    return floats;
  }

  tl::expected<LowRankChange, ModelError> ReadChange(const Key& key, const Pair& pair) const {
    const auto& [a, b] = pair;
    if (a->shape.size() != 2 || a->shape[0] != config_.rank || a->shape[1] == 0)
      return Wrong(a->name, fmt::format("its shape is {}, expected is [{}, columns], as r is {}",
                                        ShapeText(*a), config_.rank, config_.rank));
    if (b->shape.size() != 2 || b->shape[1] != config_.rank || b->shape[0] == 0)
      return Wrong(b->name, fmt::format("its shape is {}, expected is [rows, {}], as r is {}",
                                        ShapeText(*b), config_.rank, config_.rank));
    auto a_values = Finite(*a);
    if (!a_values) return tl::unexpected(a_values.error());
    auto b_values = Finite(*b);
    if (!b_values) return tl::unexpected(b_values.error());
    return LowRankChange{key.layer,   key.projection,       config_.rank,        b->shape[0],
                         a->shape[1], std::move(*a_values), std::move(*b_values)};
  }

  // One shape for a projection in all layers, and at least one layer for each target.
  tl::expected<void, ModelError> CheckTogether(const std::vector<LowRankChange>& changes) const {
    std::map<Projection, const LowRankChange*> first;
    for (const LowRankChange& change : changes) {
      const LowRankChange& other = *first.emplace(change.projection, &change).first->second;
      if (change.rows == other.rows && change.columns == other.columns) continue;
      return Wrong(
          fmt::format("{}{}. ... {}", kLayers, change.layer, NameOf(change.projection)),
          fmt::format("it changes a matrix of {} rows and {} columns, in layer {} of {} and {}",
                      change.rows, change.columns, other.layer, other.rows, other.columns));
    }
    for (const Projection target : config_.targets) {
      if (first.count(target) == 0) {
        return tl::unexpected(
            ModelError{ModelErrorCode::kFormat,
                       fmt::format("{}: target_modules has {}, but no tensor is of it; {}",
                                   file_.path(), NameOf(target), kAgain)});
      }
    }
    return {};
  }

  tl::expected<std::optional<EmbeddingChange>, ModelError> ReadEmbedding() const {
    const SafetensorsTensor* tensor = file_.Find(kEmbedding);
    const auto& tokens = config_.embedding_tokens;
    if (!tensor && tokens.empty()) return std::nullopt;
    if (!tensor)
      return Wrong(kEmbedding, fmt::format("it is missing, {} tokens are named in the "
                                           "configuration",
                                           tokens.size()));
    if (tensor->shape.size() != 2 || tensor->shape[0] != tokens.size() || tensor->shape[1] == 0) {
      return Wrong(kEmbedding, fmt::format("its shape is {}, expected is [{}, columns], as "
                                           "input_embedding_delta_token_ids has {} tokens",
                                           ShapeText(*tensor), tokens.size(), tokens.size()));
    }
    auto rows = Finite(*tensor);
    if (!rows) return tl::unexpected(rows.error());
    return EmbeddingChange{tokens, tensor->shape[1], std::move(*rows)};
  }

  const SafetensorsFile& file_;
  const PeftConfig& config_;
};

}  // namespace

const LowRankChange* PeftAdapter::Find(uint32_t layer, Projection projection) const {
  const auto found = std::find_if(changes.begin(), changes.end(), [&](const LowRankChange& change) {
    return change.layer == layer && change.projection == projection;
  });
  return found == changes.end() ? nullptr : &*found;
}

tl::expected<PeftAdapter, ModelError> PeftAdapter::Open(const std::string& folder) {
  constexpr const char* kRemedy =
      "name the folder of a PEFT adapter, with adapter_config.json and adapter_model.safetensors";
  const std::string config_path = folder + "/adapter_config.json";
  const auto text = MapFile(config_path, kRemedy);
  if (!text) return tl::unexpected(text.error());
  if (text->bytes.size() > kMaxConfigBytes) {
    return tl::unexpected(ModelError{ModelErrorCode::kFile,
                                     fmt::format("{}: it has more than {} MiB; {}", config_path,
                                                 kMaxConfigBytes >> 20, kRemedy)});
  }
  auto config = ReadPeftConfig(
      {reinterpret_cast<const char*>(text->bytes.data()), text->bytes.size()}, config_path);
  if (!config) return tl::unexpected(config.error());
  const std::string weights_path = folder + "/adapter_model.safetensors";
  const auto weights = MapFile(weights_path, kRemedy);
  if (!weights) return tl::unexpected(weights.error());
  const auto file = SafetensorsFile::Parse(weights->bytes, weights_path);
  if (!file) return tl::unexpected(file.error());
  PeftAdapter adapter;
  adapter.path = folder;
  adapter.base_model = std::move(config->base_model);
  adapter.scale = config->scale;
  adapter.fim_template = std::move(config->fim_template);
  adapter.fim_end = std::move(config->fim_end);
  if (auto read = Reader(*file, *config).ReadAll(adapter); !read)
    return tl::unexpected(read.error());
  return adapter;
}

}  // namespace tenon::model
