#include "model/inference/llama_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <map>
#include <optional>
#include <set>

#include "model/inference/adapter_fit.h"
#include "model/inference/fused_attention.h"
#include "model/inference/model_family.h"

namespace tenon::model {
namespace {

// Rows of a piece are a multiple of this number: the vectors of the kernels stay full.
constexpr int kRowGrain = 32;

// The linear layers of a network's layer.
struct LinearKind {
  std::vector<Projection> projections;  // their matrices
  Dealing dealing;
  int grain;
};
constexpr int kLinearKinds = 4;

std::array<LinearKind, kLinearKinds> LinearKindsOf(const LlamaConfig& config) {
  const LinearKind gate_up = {
      {Projection::kGate, Projection::kUp}, Dealing::kSideBySide, kRowGrain};
  const LinearKind up = {{Projection::kUp}, Dealing::kOneAfterTheOther, kRowGrain};
  return {{{{Projection::kQuery, Projection::kKey, Projection::kValue},
            Dealing::kOneAfterTheOther,
            config.head_width},
           {{Projection::kOutput}, Dealing::kOneAfterTheOther, kRowGrain},
           config.traits.has_no_gate ? up : gate_up,
           {{Projection::kDown}, Dealing::kOneAfterTheOther, kRowGrain}}};
}

// The output matrix; a file without one uses the embedding.
const GgufTensor* HeadOf(const GgufFile& file) {
  const GgufTensor* head = file.FindTensor("output.weight");
  return head ? head : file.FindTensor("token_embd.weight");
}

// Of each linear layer its tensors. The head is by far the largest matrix. It goes first, and other
// threads pack the rest meanwhile.
std::vector<std::vector<const GgufTensor*>> PartsOf(const GgufFile& file,
                                                    const LlamaConfig& config) {
  std::vector<std::vector<const GgufTensor*>> parts = {{HeadOf(file)}};
  for (int layer = 0; layer < config.layers; ++layer) {
    for (const LinearKind& kind : LinearKindsOf(config)) {
      parts.emplace_back();
      for (const Projection projection : kind.projections)
        parts.back().push_back(file.FindTensor(GgufNameInLayer(layer, MatrixOf(projection))));
    }
  }
  return parts;
}

// The radians a position of pair i.
double RopeFrequency(float base, int i, const LlamaConfig& config) {
  return std::pow(static_cast<double>(base), -2.0 * i / config.rope_width);
}

// Adds the panels of a layer in blocks to `all`.
void AddPanels(const LinearLayer& layer, const std::vector<const GgufTensor*>& tensors,
               std::vector<PanelStretch>& all) {
  if (layer.packed() != nullptr) return;
  for (int piece = 0; piece < layer.pieces(); ++piece) {
    for (size_t i = 0; i < layer.rows_of(piece).size(); ++i) {
      const MatrixRows& rows = layer.rows_of(piece)[i];
      const PanelMatrix& panels = layer.panels_of(piece)[i];
      const GgufTensor& tensor = *tensors[rows.matrix];
      const size_t bytes = PanelBytes(panels.format, rows.count, panels.columns);
      all.push_back({tensor.name, static_cast<uint32_t>(panels.format),
                     static_cast<uint32_t>(tensor.rows()), static_cast<uint32_t>(tensor.columns()),
                     static_cast<uint32_t>(rows.first), static_cast<uint32_t>(rows.count),
                     std::as_bytes(std::span(panels.data, bytes))});
    }
  }
}

}  // namespace

std::vector<float> NumbersOf(const GgufTensor& tensor, const LlamaConfig& config) {
  std::vector<float> values(tensor.elements());
  DequantizeRows(tensor, 0, values);
  if (config.has_norms_less_one && tensor.name.ends_with("norm.weight")) {
    for (float& value : values) value += 1;
  }
  return values;
}

std::vector<double> RopeFrequencies(const GgufFile& file, const LlamaConfig& config) {
  const GgufTensor* factors = file.FindTensor("rope_freqs.weight");
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

std::vector<PanelStretch> LlamaWeights::Panels() const {
  std::vector<PanelStretch> all;
  const auto layer_part = [&](size_t layer, const LinearLayer& linear,
                              std::initializer_list<const char*> names) {
    std::vector<const GgufTensor*> tensors;
    for (const char* name : names) {
      const auto* tensor = file.FindTensor(GgufNameInLayer(static_cast<int>(layer), name));
      if (tensor) tensors.push_back(tensor);
    }
    AddPanels(linear, tensors, all);
  };
  for (size_t i = 0; i < layers.size(); ++i) {
    layer_part(i, layers[i].query_key_value, {"attn_q", "attn_k", "attn_v"});
    layer_part(i, layers[i].attention_out, {"attn_output"});
    layer_part(i, layers[i].gate_up, {"ffn_gate", "ffn_up"});
    layer_part(i, layers[i].down, {"ffn_down"});
  }
  AddPanels(head, {HeadOf(file)}, all);
  return all;
}

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
      return Refuse(file, ModelErrorCode::kFormat,
                    fmt::format("tensor {} is {} x {}, the metadata needs {} x {}", want.gguf_name,
                                tensor->rows(), tensor->columns(), rows, want.columns));
    }
    known.insert(want.gguf_name);
  }
  for (const GgufTensor& tensor : file.tensors()) {
    if (!known.contains(tensor.name)) {
      return Refuse(
          file, ModelErrorCode::kUnsupported,
          fmt::format("tensor {} is no part of a Llama model that tenon knows", tensor.name));
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
  return {};
}

namespace {

// The bytes that are read: all where they are checked, those of the linear layers once more.
uint64_t BytesOf(const GgufFile& file, const std::vector<std::vector<const GgufTensor*>>& parts,
                 bool are_checked) {
  uint64_t bytes = 0;
  for (const GgufTensor& tensor : file.tensors()) bytes += are_checked ? tensor.data.size() : 0;
  for (const auto& tensors : parts) {
    for (const GgufTensor* tensor : tensors) bytes += tensor->data.size();
  }
  return bytes;
}

}  // namespace

tl::expected<LlamaWeights, ModelError> PackLlamaWeights(const GgufFile& given,
                                                        const LlamaConfig& config,
                                                        const PeftAdapter* adapter,
                                                        const ReadProgress& on_progress,
                                                        std::optional<PanelFile> kept) {
  if (auto checked = CheckLlamaTensors(given, config); !checked)
    return tl::unexpected(checked.error());
  if (auto fits = adapter ? CheckAdapter(*adapter, config) : tl::expected<void, ModelError>();
      !fits)
    return tl::unexpected(fits.error());
  std::optional<GgufFile> split;
  if (config.traits.has_fused_attention) {
    auto done = SplitAttention(given, config);
    if (!done) return tl::unexpected(done.error());
    split = *std::move(done);
  }
  const GgufFile& file = split ? *split : given;
  const auto tensor = [&](const std::string& name) { return file.FindTensor(name); };
  // Of a tensor that the family may lack: empty.
  const auto vector = [&](const std::string& name) {
    const GgufTensor* found = tensor(name);
    return found ? NumbersOf(*found, config) : std::vector<float>();
  };
  const auto in_layer = [&](int layer, const char* name, const char* part = "weight") {
    return vector(GgufNameInLayer(layer, name, part));
  };
  const auto norm_in_layer = [&](int layer, const char* name) {
    return NormWeights{in_layer(layer, name), in_layer(layer, name, "bias")};
  };

  const auto kinds = LinearKindsOf(config);
  const std::vector<std::vector<const GgufTensor*>> parts = PartsOf(file, config);

  const BlocksOf blocks = config.precision != Precision::kBlocks ? BlocksOf::kNothing
                          : config.quantizes_floats              ? BlocksOf::kAll
                                                                 : BlocksOf::kStoredBlocks;
  if (blocks == BlocksOf::kNothing) kept.reset();
  ReadBytes read(BytesOf(file, parts, !kept), on_progress);
  WorkerPool pool(config.threads, KeepOpenMpInThisThread);
  if (auto finite = kept ? tl::expected<void, ModelError>() : CheckFinite(given, pool, read);
      !finite)
    return tl::unexpected(finite.error());

  const Operand operand =
      config.precision == Precision::kBFloat16 ? Operand::kBFloat16 : Operand::kFloat32;
  auto memory = std::make_unique<WeightMemory>();
  const auto make = [&](std::vector<const GgufTensor*> tensors, Dealing dealing, int grain) {
    LinearLayer layer = MakeLinearLayer(tensors, dealing, blocks, grain, config.threads, operand,
                                        *memory, kept ? &*kept : nullptr);
    for (const GgufTensor* tensor : tensors) {
      file.ForgetPages(*tensor);
      read.Add(tensor->data.size());
    }
    return layer;
  };
  std::vector<std::optional<LinearLayer>> linear(parts.size());
  pool.Run(static_cast<int>(linear.size()), [&](int i, int) {
    if (i == 0) {
      linear[0] = make(parts[0], Dealing::kOneAfterTheOther, kRowGrain);
      return;
    }
    const LinearKind& kind = kinds[(i - 1) % kLinearKinds];
    linear[i] = make(parts[i], kind.dealing, kind.grain);
    if (adapter) {
      const int layer = (i - 1) / kLinearKinds;
      linear[i]->Adapt(ChangesOf(*adapter, config, layer, kind.projections), *memory);
    }
  });

  const bool made_panels = std::any_of(linear.begin(), linear.end(),
                                       [](const auto& layer) { return layer->made_panels(); });
  LlamaWeights weights{file,
                       std::move(kept),
                       std::move(memory),
                       nullptr,
                       adapter ? EmbeddingChangeOf(*adapter) : AddedRows(),
                       nullptr,
                       {},
                       {vector("output_norm.weight"), vector("output_norm.bias")},
                       std::move(*linear[0]),
                       RopeFrequencies(file, config),
                       WindowRopeFrequencies(config),
                       made_panels};
  for (int i = 0; i < config.layers; ++i) {
    std::vector<float> bias;
    for (const char* name : {"attn_q", "attn_k", "attn_v"}) {
      const std::vector<float> part = in_layer(i, name, "bias");
      bias.insert(bias.end(), part.begin(), part.end());
    }
    const size_t first = static_cast<size_t>(i) * kLinearKinds + 1;
    weights.layers.push_back(
        {norm_in_layer(i, "attn_norm"), norm_in_layer(i, "ffn_norm"),
         norm_in_layer(i, "post_attention_norm"), norm_in_layer(i, "post_ffw_norm"),
         std::move(bias), in_layer(i, "attn_q_norm"), in_layer(i, "attn_k_norm"),
         in_layer(i, "attn_output", "bias"), in_layer(i, "ffn_up", "bias"),
         in_layer(i, "ffn_down", "bias"), std::move(*linear[first]), std::move(*linear[first + 1]),
         std::move(*linear[first + 2]), std::move(*linear[first + 3])});
  }
  weights.embedding = weights.file.FindTensor("token_embd.weight");
  weights.positions = weights.file.FindTensor("position_embd.weight");
  return weights;
}

}  // namespace tenon::model
