#include "model/inference/llama_weights.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <optional>

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

namespace {

// Which matrices are laid out in panels.
BlocksOf BlocksIn(const LlamaConfig& config) {
  if (config.precision != Precision::kBlocks) return BlocksOf::kNothing;
  return config.quantizes_floats ? BlocksOf::kAll : BlocksOf::kStoredBlocks;
}

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

// The linear layers of `parts`, in their order, each with its change by the adapter. The threads
// share the layers.
std::vector<std::optional<LinearLayer>> MakeLinearLayers(
    const GgufFile& file, const LlamaConfig& config, const PeftAdapter* adapter,
    const std::vector<std::vector<const GgufTensor*>>& parts, const PanelFile* kept,
    WeightMemory& memory, WorkerPool& pool, ReadBytes& read) {
  const auto kinds = LinearKindsOf(config);
  const BlocksOf blocks = BlocksIn(config);
  const Operand operand =
      config.precision == Precision::kBFloat16 ? Operand::kBFloat16 : Operand::kFloat32;
  const auto make = [&](const std::vector<const GgufTensor*>& tensors, Dealing dealing, int grain) {
    LinearLayer layer =
        MakeLinearLayer(tensors, dealing, blocks, grain, config.threads, operand, memory, kept);
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
      linear[i]->Adapt(ChangesOf(*adapter, config, layer, kind.projections), memory);
    }
  });
  return linear;
}

// The numbers of a vector; empty where the family lacks it.
std::vector<float> VectorOf(const GgufFile& file, const LlamaConfig& config,
                            const std::string& name) {
  const GgufTensor* found = file.FindTensor(name);
  return found ? NumbersOf(*found, config) : std::vector<float>();
}

// A layer of the network. `linear`: its kLinearKinds linear layers, which are taken.
LlamaLayer LayerOf(const GgufFile& file, const LlamaConfig& config, int layer,
                   std::optional<LinearLayer>* linear) {
  const auto vector = [&](const char* name, const char* part = "weight") {
    return VectorOf(file, config, GgufNameInLayer(layer, name, part));
  };
  const auto norm = [&](const char* name) {
    return NormWeights{vector(name), vector(name, "bias")};
  };
  std::vector<float> bias;  // of query_key_value
  for (const char* name : {"attn_q", "attn_k", "attn_v"}) {
    const std::vector<float> part = vector(name, "bias");
    bias.insert(bias.end(), part.begin(), part.end());
  }
  return {.attention_norm = norm("attn_norm"),
          .feed_forward_norm = norm("ffn_norm"),
          .attention_post_norm = norm("post_attention_norm"),
          .feed_forward_post_norm = norm("post_ffw_norm"),
          .query_key_value_bias = std::move(bias),
          .query_norm = vector("attn_q_norm"),
          .key_norm = vector("attn_k_norm"),
          .attention_out_bias = vector("attn_output", "bias"),
          .up_bias = vector("ffn_up", "bias"),
          .down_bias = vector("ffn_down", "bias"),
          .query_key_value = std::move(*linear[0]),
          .attention_out = std::move(*linear[1]),
          .gate_up = std::move(*linear[2]),
          .down = std::move(*linear[3])};
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
  if (BlocksIn(config) == BlocksOf::kNothing) kept.reset();

  const std::vector<std::vector<const GgufTensor*>> parts = PartsOf(file, config);
  ReadBytes read(BytesOf(file, parts, !kept), on_progress);
  WorkerPool pool(config.threads, KeepOpenMpInThisThread);
  if (auto finite = kept ? tl::expected<void, ModelError>() : CheckFinite(given, pool, read);
      !finite)
    return tl::unexpected(finite.error());
  auto memory = std::make_unique<WeightMemory>();
  std::vector<std::optional<LinearLayer>> linear =
      MakeLinearLayers(file, config, adapter, parts, kept ? &*kept : nullptr, *memory, pool, read);
  const bool made_panels = std::any_of(linear.begin(), linear.end(),
                                       [](const auto& layer) { return layer->made_panels(); });

  LlamaWeights weights{
      .file = file,
      .kept = std::move(kept),
      .memory = std::move(memory),
      .embedding = nullptr,  // this and the positions: a view of weights.file, below
      .embedding_change = adapter ? EmbeddingChangeOf(*adapter) : AddedRows(),
      .positions = nullptr,
      .layers = {},
      .final_norm = {VectorOf(file, config, "output_norm.weight"),
                     VectorOf(file, config, "output_norm.bias")},
      .head = std::move(*linear[0]),
      .rope_frequency = RopeFrequencies(file, config),
      .window_rope_frequency = WindowRopeFrequencies(config),
      .made_panels = made_panels};
  for (int i = 0; i < config.layers; ++i) {
    const size_t first = static_cast<size_t>(i) * kLinearKinds + 1;
    weights.layers.push_back(LayerOf(file, config, i, &linear[first]));
  }
  weights.embedding = weights.file.FindTensor("token_embd.weight");
  weights.positions = weights.file.FindTensor("position_embd.weight");
  return weights;
}

}  // namespace tenon::model
