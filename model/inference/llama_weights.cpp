#include "model/inference/llama_weights.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

namespace tenon::model {
namespace {

constexpr int kShardGrain = 16;
constexpr size_t kMaxLayers = 4096;

// A tensor of the architecture, and its shape.
struct Expected {
  std::string name;
  int64_t rows;  // 0: a vector
  int64_t columns;
  bool optional = false;
};

std::string InLayer(int layer, const char* name) {
  return fmt::format("blk.{}.{}.weight", layer, name);
}

std::vector<Expected> ExpectedTensors(const LlamaConfig& c) {
  const int64_t query = int64_t{c.heads} * c.head_width, key = int64_t{c.kv_heads} * c.head_width;
  std::vector<Expected> all = {{"token_embd.weight", c.vocabulary, c.width},
                               {"output_norm.weight", 0, c.width},
                               {"output.weight", c.vocabulary, c.width, true},
                               {"rope_freqs.weight", 0, c.rope_width / 2, true}};
  for (int i = 0; i < c.layers; ++i) {
    all.push_back({InLayer(i, "attn_norm"), 0, c.width});
    all.push_back({InLayer(i, "ffn_norm"), 0, c.width});
    all.push_back({InLayer(i, "attn_q"), query, c.width});
    all.push_back({InLayer(i, "attn_k"), key, c.width});
    all.push_back({InLayer(i, "attn_v"), key, c.width});
    all.push_back({InLayer(i, "attn_output"), c.width, query});
    all.push_back({InLayer(i, "ffn_gate"), c.feed_forward, c.width});
    all.push_back({InLayer(i, "ffn_up"), c.feed_forward, c.width});
    all.push_back({InLayer(i, "ffn_down"), c.width, c.feed_forward});
  }
  return all;
}

std::vector<float> ReadVector(const GgufTensor& tensor) {
  std::vector<float> values(tensor.elements());
  DequantizeRows(tensor, 0, values);
  return values;
}

// Cuts `rows` into at most `shards` shards, none empty, with lengths that are multiples of `grain`
// where the rows divide by it.
std::vector<int> Cut(int rows, int shards, int grain) {
  // Even lengths keep the pairs of a rotation together.
  if (rows % grain != 0) grain = rows % 2 == 0 ? 2 : 1;
  const int grains = rows / grain;
  shards = std::min(shards, grains);
  std::vector<int> lengths;
  for (int i = 0; i < shards; ++i)
    lengths.push_back((grains * (i + 1) / shards - grains * i / shards) * grain);
  return lengths;
}

// One matrix: the rows of the first tensor, then the rows of the second, and so on.
PackedWeights PackStacked(const std::vector<const GgufTensor*>& tensors,
                          const LlamaConfig& config) {
  int rows = 0;
  for (const GgufTensor* tensor : tensors) rows += static_cast<int>(tensor->rows());
  const auto columns = static_cast<int>(tensors[0]->columns());
  const auto operand =
      config.precision == Precision::kBFloat16 ? Operand::kBFloat16 : Operand::kFloat32;
  return PackedWeights(columns, Cut(rows, config.threads, kShardGrain), operand,
                       [&](int row, float* out) {
                         auto rest = static_cast<uint64_t>(row);
                         size_t i = 0;
                         for (; rest >= tensors[i]->rows(); ++i) rest -= tensors[i]->rows();
                         DequantizeRows(*tensors[i], rest, {out, static_cast<size_t>(columns)});
                       });
}

PackedWeights PackGateUp(const GgufTensor& gate, const GgufTensor& up, const LlamaConfig& config) {
  const auto operand =
      config.precision == Precision::kBFloat16 ? Operand::kBFloat16 : Operand::kFloat32;
  const std::vector<int> lengths = Cut(config.feed_forward, config.threads, kShardGrain);
  std::vector<int> shard_rows;
  // [packed row] a row of gate; or, from feed_forward on, a row of up.
  std::vector<int> source;
  int begin = 0;
  for (const int length : lengths) {
    shard_rows.push_back(2 * length);
    for (int i = 0; i < length; ++i) source.push_back(begin + i);
    for (int i = 0; i < length; ++i) source.push_back(config.feed_forward + begin + i);
    begin += length;
  }
  return PackedWeights(config.width, shard_rows, operand, [&](int row, float* out) {
    const bool of_up = source[row] >= config.feed_forward;
    const int at = of_up ? source[row] - config.feed_forward : source[row];
    DequantizeRows(of_up ? up : gate, static_cast<uint64_t>(at),
                   {out, static_cast<size_t>(config.width)});
  });
}

std::vector<double> RopeFrequencies(const LlamaConfig& config, const GgufTensor* factors) {
  std::vector<double> frequencies;
  const std::vector<float> divisors = factors ? ReadVector(*factors) : std::vector<float>();
  for (int i = 0; i < config.rope_width / 2; ++i) {
    const double frequency =
        std::pow(static_cast<double>(config.rope_base), -2.0 * i / config.rope_width);
    frequencies.push_back(divisors.empty() ? frequency : frequency / divisors[i]);
  }
  return frequencies;
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
  const std::vector<Expected> expected = ExpectedTensors(config);
  for (const Expected& want : expected) {
    const GgufTensor* tensor = file.FindTensor(want.name);
    if (!tensor && want.optional) continue;
    if (!tensor) {
      return Refuse(file, ModelErrorCode::kFormat,
                    fmt::format("tensor {} is missing; take a complete file", want.name));
    }
    const auto rows = static_cast<uint64_t>(std::max<int64_t>(want.rows, 1));
    if (tensor->columns() != static_cast<uint64_t>(want.columns) || tensor->rows() != rows) {
      return Refuse(file, ModelErrorCode::kFormat,
                    fmt::format("tensor {} is {} x {}, the metadata needs {} x {}", want.name,
                                tensor->rows(), tensor->columns(), rows, want.columns));
    }
    known.insert(want.name);
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

tl::expected<LlamaWeights, ModelError> PackLlamaWeights(const GgufFile& file,
                                                        const LlamaConfig& config) {
  if (auto checked = CheckLlamaTensors(file, config); !checked)
    return tl::unexpected(checked.error());
  const auto tensor = [&](const std::string& name) { return file.FindTensor(name); };
  const auto in_layer = [&](int layer, const char* name) {
    return file.FindTensor(InLayer(layer, name));
  };

  constexpr int kMatricesPerLayer = 4;
  std::vector<std::optional<PackedWeights>> packed(
      static_cast<size_t>(config.layers) * kMatricesPerLayer + 1);
  const GgufTensor* head =
      tensor("output.weight") ? tensor("output.weight") : tensor("token_embd.weight");
  WorkerPool pool(config.threads, KeepOpenMpInThisThread);
  // The head is by far the largest matrix. It goes first, and other threads pack the rest
  // meanwhile.
  pool.Run(static_cast<int>(packed.size()), [&](int i, int) {
    const int layer = (i - 1) / kMatricesPerLayer;
    if (i == 0) {
      packed[0] = PackStacked({head}, config);
      return;
    }
    switch ((i - 1) % kMatricesPerLayer) {
      case 0:
        packed[i] = PackStacked(
            {in_layer(layer, "attn_q"), in_layer(layer, "attn_k"), in_layer(layer, "attn_v")},
            config);
        break;
      case 1:
        packed[i] = PackStacked({in_layer(layer, "attn_output")}, config);
        break;
      case 2:
        packed[i] = PackGateUp(*in_layer(layer, "ffn_gate"), *in_layer(layer, "ffn_up"), config);
        break;
      default:
        packed[i] = PackStacked({in_layer(layer, "ffn_down")}, config);
        break;
    }
  });

  LlamaWeights weights{{},
                       *tensor("token_embd.weight"),
                       {},
                       ReadVector(*tensor("output_norm.weight")),
                       std::move(*packed[0]),
                       RopeFrequencies(config, tensor("rope_freqs.weight"))};
  weights.embedding_bytes.assign(weights.embedding.data.begin(), weights.embedding.data.end());
  weights.embedding.data = weights.embedding_bytes;
  weights.embedding.name = "token_embd.weight";  // the file's own string ends with the file
  for (int i = 0; i < config.layers; ++i) {
    const size_t first = static_cast<size_t>(i) * kMatricesPerLayer + 1;
    weights.layers.push_back({ReadVector(*in_layer(i, "attn_norm")),
                              ReadVector(*in_layer(i, "ffn_norm")), std::move(*packed[first]),
                              std::move(*packed[first + 1]), std::move(*packed[first + 2]),
                              std::move(*packed[first + 3])});
  }
  return weights;
}

}  // namespace tenon::model
