#include "model/inference/llama_tensors.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "model/inference/model_family.h"

namespace tenon::model {
namespace {

constexpr std::string_view kRopeDivisors = "rope_freqs.weight";

// The radians a position of pair i.
double RopeFrequency(float base, int i, const LlamaConfig& config) {
  return std::pow(static_cast<double>(base), -2.0 * i / config.rope_width);
}

}  // namespace

tl::expected<void, ModelError> CheckLlamaTensors(const GgufFile& file, const LlamaConfig& config) {
  // Untrusted: a file that claims a million layers must not make us list the names of their
  // tensors.
  if (static_cast<size_t>(config.layers) > std::min<size_t>(file.tensors().size(), kMaxLayers)) {
    return Refuse(file, ModelErrorCode::kFormat,
                  fmt::format("{} layers, but {} tensors; take a complete file", config.layers,
                              file.tensors().size()));
  }
  std::set<std::string_view> known;
  const std::vector<FamilyTensor> expected = FamilyTensors(config);
  for (const FamilyTensor& want : expected) {
    const GgufTensor* tensor = file.FindTensor(want.gguf_name);
    if (!tensor && want.optional) continue;
    if (!tensor) {
      return Refuse(file, ModelErrorCode::kFormat,
                    fmt::format("tensor {} is missing; take a complete file", want.gguf_name));
    }
    const auto rows = static_cast<uint64_t>(std::max<int64_t>(want.rows, 1));
    if (tensor->columns() != static_cast<uint64_t>(want.columns) || tensor->rows() != rows) {
      return Refuse(
          file, ModelErrorCode::kFormat,
          fmt::format("tensor {} is {} x {}, the metadata needs {} x {}; take a complete file",
                      want.gguf_name, tensor->rows(), tensor->columns(), rows, want.columns));
    }
    known.insert(want.gguf_name);
  }
  for (const GgufTensor& tensor : file.tensors()) {
    if (!known.contains(tensor.name)) {
      return Refuse(
          file, ModelErrorCode::kUnsupported,
          fmt::format("tensor {} is no part of a Llama model that tenon knows; take a plain model "
                      "of this family",
                      tensor.name));
    }
  }
  return {};
}

tl::expected<void, ModelError> CheckFinite(const GgufFile& file, WorkerPool& pool,
                                           ReadBytes& read) {
  const std::vector<GgufTensor>& tensors = file.tensors();
  std::vector<std::optional<uint64_t>> bad_rows(tensors.size());
  pool.Run(static_cast<int>(tensors.size()), [&](int i, int) {
    bad_rows[i] = FindRowNotFinite(tensors[i]);
    file.ForgetPages(tensors[i]);
    read.Add(tensors[i].data.size());
  });
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!bad_rows[i]) continue;
    return Refuse(file, ModelErrorCode::kFormat,
                  fmt::format("tensor {}, row {}: a weight is infinite or no number; the file is "
                              "damaged, take it anew",
                              tensors[i].name, *bad_rows[i]));
  }
  if (const GgufTensor* divisors = file.FindTensor(kRopeDivisors)) {
    std::vector<float> values(divisors->elements());
    DequantizeRows(*divisors, 0, values);
    if (std::find(values.begin(), values.end(), 0.0f) != values.end()) {
      return Refuse(file, ModelErrorCode::kFormat,
                    fmt::format("tensor {}: a divisor of the rotation is 0; the file is damaged, "
                                "take it anew",
                                divisors->name));
    }
  }
  return {};
}

std::vector<float> NumbersOf(const GgufTensor& tensor, const LlamaConfig& config) {
  std::vector<float> values(tensor.elements());
  DequantizeRows(tensor, 0, values);
  if (config.has_norms_less_one && tensor.name.ends_with("norm.weight")) {
    for (float& value : values) value += 1;
  }
  return values;
}

std::vector<double> RopeFrequencies(const GgufFile& file, const LlamaConfig& config) {
  const GgufTensor* factors = file.FindTensor(kRopeDivisors);
  std::vector<double> frequencies;
  const std::vector<float> also = factors ? NumbersOf(*factors, config) : std::vector<float>();
  for (int i = 0; i < config.rope_width / 2; ++i) {
    double frequency = RopeFrequency(config.rope_base, i, config);
    for (const auto* divisors : {&config.rope_divisors, &also}) {
      if (!divisors->empty()) frequency /= (*divisors)[i];
    }
    frequencies.push_back(frequency);
  }
  return frequencies;
}

std::vector<double> WindowRopeFrequencies(const LlamaConfig& config) {
  std::vector<double> frequencies;
  for (int i = 0; config.window_rope_base > 0 && i < config.rope_width / 2; ++i)
    frequencies.push_back(RopeFrequency(config.window_rope_base, i, config));
  return frequencies;
}

AddedRows EmbeddingChangeOf(const PeftAdapter& adapter) {
  AddedRows added;
  if (!adapter.embedding) return added;
  const EmbeddingChange& change = *adapter.embedding;
  std::map<TokenId, size_t> place_of;
  for (size_t i = 0; i < change.tokens.size(); ++i) place_of.emplace(change.tokens[i], i);
  for (const auto& [token, place] : place_of) {
    added.tokens.push_back(token);
    const float* row = change.rows.data() + place * change.columns;
    added.rows.insert(added.rows.end(), row, row + change.columns);
  }
  return added;
}

const float* AddedRows::Find(TokenId token) const {
  const auto found = std::lower_bound(tokens.begin(), tokens.end(), token);
  if (found == tokens.end() || *found != token) return nullptr;
  return rows.data() + (found - tokens.begin()) * (rows.size() / tokens.size());
}

}  // namespace tenon::model
