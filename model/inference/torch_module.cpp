// The torch engine's half in the module libtenon_torch.so.
#include <ATen/ATen.h>
#include <ATen/Parallel.h>
#include <c10/core/InferenceMode.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "model/inference/torch_engine.h"

namespace tenon::model {
namespace {

constexpr int kFirstCapacity = 256;  // positions of a cache when it is first made

at::Tensor FromFloats(const float* numbers, std::vector<int64_t> shape) {
  // from_blob views the numbers; clone takes them.
  return at::from_blob(const_cast<float*>(numbers), shape, at::kFloat).clone();
}

at::Tensor FromDoubles(const std::vector<double>& numbers) {
  return at::from_blob(const_cast<double*>(numbers.data()), {static_cast<int64_t>(numbers.size())},
                       at::kDouble)
      .clone();
}

struct NormOf {
  at::Tensor weight;  // float; undefined: the family has no such norm
  at::Tensor bias;    // float; undefined: the norm divides by the root mean square alone
};

struct Linear {
  at::Tensor weight;  // [out, in]
  at::Tensor bias;    // [out] float; undefined: none
};

// The tensors of one layer; those that the family lacks are undefined.
struct Layer {
  NormOf attention_norm, feed_forward_norm;            // [width]
  NormOf attention_post_norm, feed_forward_post_norm;  // [width]
  NormOf query_norm, key_norm;                         // [head_width]
  Linear query, key, value, out, gate, up, down;
};

// Keys and values of one text: a layer has [kv_heads, capacity, head_width], rotated.
class TorchCache final : public KvCache {
 public:
  TorchCache(const LlamaConfig& config, at::TensorOptions options)
      : heads_(config.kv_heads),
        width_(config.head_width),
        options_(options),
        keys_(config.layers),
        values_(config.layers) {}

  // Makes room for positions [0, n), and keeps those of `from` below `kept`.
  void Resize(int64_t n, const TorchCache& from, int64_t kept) {
    for (auto list : {&TorchCache::keys_, &TorchCache::values_}) {
      for (size_t layer = 0; layer < keys_.size(); ++layer) {
        at::Tensor grown = at::zeros({heads_, n, width_}, options_);
        if (kept > 0) grown.narrow(1, 0, kept).copy_((from.*list)[layer].narrow(1, 0, kept));
        (this->*list)[layer] = std::move(grown);
      }
    }
    capacity_ = n;
  }
  void Reserve(int64_t n, int64_t most) {
    if (n <= capacity_) return;
    int64_t capacity = std::max<int64_t>(kFirstCapacity, capacity_);
    while (capacity < n) capacity *= 2;
    Resize(std::max(n, std::min(capacity, most)), *this, capacity_);
  }
  at::Tensor& keys(int layer) { return keys_[layer]; }
  at::Tensor& values(int layer) { return values_[layer]; }
  size_t bytes() const override {
    size_t bytes = 0;
    for (const auto* list : {&keys_, &values_})
      for (const at::Tensor& tensor : *list) bytes += tensor.defined() ? tensor.nbytes() : 0;
    return bytes;
  }

 private:
  int64_t heads_, width_;
  at::TensorOptions options_;
  int64_t capacity_ = 0;
  std::vector<at::Tensor> keys_, values_;
};

class Weights final : public TorchEngine {
 public:
  explicit Weights(TorchSource& source)
      : config(source.config),
        device_(source.device == Device::kCpu || !at::hasCUDA() ? at::Device(at::kCPU)
                                                                : at::Device(at::kCUDA, 0)),
        type_(config.precision == Precision::kBFloat16 ? at::kBFloat16 : at::kFloat) {
    const c10::InferenceMode mode;
    for (const TorchSource::Tensor& tensor : source.tensors) tensors_[tensor.name] = Read(tensor);
    embedding = Take("token_embd.weight");
    positions = Take("position_embd.weight");
    head = Take("output.weight");
    if (!head.defined()) head = embedding;
    final_norm = {Take("output_norm.weight"), Take("output_norm.bias")};
    for (int i = 0; i < config.layers; ++i) layers.push_back(TakeLayer(i));
    const AddedRows& added = source.embedding_change;
    for (size_t i = 0; i < added.tokens.size(); ++i) {
      const auto width = static_cast<int64_t>(config.width);
      embedding_change[added.tokens[i].value] =
          FromFloats(added.rows.data() + i * width, {width}).to(device_);
    }
    rope_frequency = FromDoubles(source.rope_frequency);
    window_rope_frequency = FromDoubles(source.window_rope_frequency);
  }

  [[nodiscard]] std::unique_ptr<ForwardPass> NewForwardPass(int max_tokens) const override;
  [[nodiscard]] std::string device() const override { return device_.str(); }
  [[nodiscard]] at::TensorOptions options() const {
    return at::TensorOptions().dtype(type_).device(device_);
  }

  const LlamaConfig config;
  at::Tensor embedding, head;  // [vocabulary, width]
  at::Tensor positions;        // [context, width]; undefined: they are rotations
  NormOf final_norm;           // [width]
  // [rope_width / 2] double, on the processor; of layers with a window [0] where all are alike.
  at::Tensor rope_frequency, window_rope_frequency;
  std::map<uint32_t, at::Tensor> embedding_change;  // token -> [width] float
  std::vector<Layer> layers;

 private:
  // Matrices are of the weights' type, vectors floats.
  at::Tensor Read(const TorchSource::Tensor& tensor) const {
    const std::vector<float> numbers = tensor.read();
    if (tensor.rows == 0) return FromFloats(numbers.data(), {tensor.columns}).to(device_);
    at::Tensor weight = FromFloats(numbers.data(), {tensor.rows, tensor.columns});
    for (const MatrixChange& change : tensor.changes) {
      const at::Tensor a = FromFloats(change.a.data(), {change.rank, tensor.columns});
      weight.addmm_(FromFloats(change.b.data(), {tensor.rows, change.rank}), a);
    }
    return weight.to(device_, type_);
  }
  // Undefined where the model has no such tensor.
  at::Tensor Take(const std::string& name) {
    const auto found = tensors_.find(name);
    return found == tensors_.end() ? at::Tensor() : std::exchange(found->second, {});
  }
  Layer TakeLayer(int i) {
    const std::string blk = "blk." + std::to_string(i) + ".";
    const auto linear = [&](const char* name) {
      return Linear{Take(blk + name + ".weight"), Take(blk + name + ".bias")};
    };
    const auto norm = [&](const char* name) {
      return NormOf{Take(blk + name + ".weight"), Take(blk + name + ".bias")};
    };
    return {norm("attn_norm"),     norm("ffn_norm"),    norm("post_attention_norm"),
            norm("post_ffw_norm"), norm("attn_q_norm"), norm("attn_k_norm"),
            linear("attn_q"),      linear("attn_k"),    linear("attn_v"),
            linear("attn_output"), linear("ffn_gate"),  linear("ffn_up"),
            linear("ffn_down")};
  }

  at::Device device_;
  at::ScalarType type_;
  std::map<std::string, at::Tensor> tensors_;  // those that are not taken yet
};

class TorchForwardPass final : public ForwardPass {
 public:
  TorchForwardPass(const Weights& weights, int max_tokens)
      : weights_(weights), config_(weights.config), max_tokens_(max_tokens) {}

  std::unique_ptr<KvCache> NewCache() const override {
    return std::make_unique<TorchCache>(config_, weights_.options());
  }
  std::unique_ptr<KvCache> Copy(const KvCache& cache, int n) const override {
    const c10::InferenceMode mode;
    auto copy = std::make_unique<TorchCache>(config_, weights_.options());
    copy->Resize(n, static_cast<const TorchCache&>(cache), n);
    return copy;
  }
  std::span<float> logits() override { return logits_; }

  void Run(KvCache& kv_cache, std::span<const TokenId> tokens, int position,
           int logit_rows) override {
    const c10::InferenceMode mode;
    at::set_num_threads(config_.threads);
    auto& cache = static_cast<TorchCache&>(kv_cache);
    const auto m = static_cast<int64_t>(tokens.size());
    cache.Reserve(position + m, max_tokens_);
    rotation_ = Rotation(weights_.rope_frequency, position, m);
    window_rotation_ = Rotation(weights_.window_rope_frequency, position, m);
    at::Tensor x = Embed(tokens, position);  // the residual vectors: [m, width] float
    for (int i = 0; i < config_.layers; ++i) {
      const Layer& layer = weights_.layers[i];
      const at::Tensor attended =
          Apply(layer.out, Attend(layer, i, cache, position, Norm(x, layer.attention_norm)));
      x = x + Norm(attended, layer.attention_post_norm);
      const at::Tensor gated = Gated(layer, Norm(x, layer.feed_forward_norm));
      x = x + Norm(Apply(layer.down, gated), layer.feed_forward_post_norm);
    }
    if (logit_rows == 0) return;
    const at::Tensor last = Norm(x.narrow(0, m - logit_rows, logit_rows), weights_.final_norm);
    const at::Tensor logits = Apply({weights_.head, {}}, last).to(at::kCPU).contiguous();
    logits_.assign(logits.data_ptr<float>(), logits.data_ptr<float>() + logits.numel());
  }

 private:
  at::Tensor Embed(std::span<const TokenId> tokens, int64_t position) const {
    at::Tensor ids = at::empty({static_cast<int64_t>(tokens.size())}, at::kLong);
    for (size_t i = 0; i < tokens.size(); ++i) ids.data_ptr<int64_t>()[i] = tokens[i].value;
    const at::Tensor rows = ids.to(weights_.embedding.device());
    at::Tensor x = weights_.embedding.index_select(0, rows).to(at::kFloat);
    for (size_t i = 0; i < tokens.size(); ++i) {
      const auto change = weights_.embedding_change.find(tokens[i].value);
      if (change != weights_.embedding_change.end())
        x.select(0, static_cast<int64_t>(i)).add_(change->second);
    }
    if (config_.traits.scales_embedding) x = x * std::sqrt(static_cast<double>(config_.width));
    if (!weights_.positions.defined()) return x;
    return x + weights_.positions.narrow(0, position, x.size(0)).to(at::kFloat);
  }
  // The feed-forward before its last product.
  at::Tensor Gated(const Layer& layer, const at::Tensor& x) const {
    const at::Tensor up = Apply(layer.up, x);
    if (config_.traits.has_no_gate) return at::gelu(up, "tanh");
    const at::Tensor gate = Apply(layer.gate, x);
    return (config_.traits.has_gelu_gate ? at::gelu(gate, "tanh") : at::silu(gate)) * up;
  }

  // Over the last dimension: x / rms(x) * weight; where the norm has a bias, of the distances to
  // the mean.
  at::Tensor Norm(const at::Tensor& x, const NormOf& norm) const {
    if (!norm.weight.defined()) return x;
    const at::Tensor centred = norm.bias.defined() ? x - x.mean(-1, true) : x;
    const at::Tensor squares = centred.pow(2).mean(-1, true);
    const at::Tensor scaled = centred * at::rsqrt(squares + config_.norm_epsilon) * norm.weight;
    return norm.bias.defined() ? scaled + norm.bias : scaled;
  }

  static at::Tensor Apply(const Linear& linear, const at::Tensor& x) {
    at::Tensor y = at::linear(x.to(linear.weight.scalar_type()), linear.weight).to(at::kFloat);
    return linear.bias.defined() ? y + linear.bias : y;
  }

  // Cosines and sines of a stretch: [m, rope_width / 2] float.
  struct Turns {
    at::Tensor cosines, sines;
  };
  // Those of positions [position, position + m).
  [[nodiscard]] Turns Rotation(const at::Tensor& frequency, int64_t position, int64_t m) const {
    const at::Tensor angles = at::outer(at::arange(position, position + m, at::kDouble), frequency);
    const auto options = weights_.options().dtype(at::kFloat);
    return {angles.cos().to(options), angles.sin().to(options)};
  }

  // x: [heads, m, head_width]
  at::Tensor Rotate(const at::Tensor& x, const Turns& turns) const {
    const int64_t width = config_.rope_width, pairs = width / 2;
    const bool halves = config_.rotates_halves;
    const at::Tensor a = halves ? x.narrow(2, 0, pairs) : x.slice(2, 0, width, 2);
    const at::Tensor b = halves ? x.narrow(2, pairs, pairs) : x.slice(2, 1, width, 2);
    const at::Tensor turned_a = a * turns.cosines - b * turns.sines;
    const at::Tensor turned_b = a * turns.sines + b * turns.cosines;
    const at::Tensor turned =
        halves ? at::cat({turned_a, turned_b}, 2) : at::stack({turned_a, turned_b}, 3).flatten(2);
    return at::cat({turned, x.narrow(2, width, x.size(2) - width)}, 2);
  }

  // What the rows of `n` take from all positions up to their own: [m, heads * head_width].
  at::Tensor Attend(const Layer& layer, int index, TorchCache& cache, int64_t position,
                    const at::Tensor& n) const {
    const int64_t m = n.size(0), seen = position + m, depth = config_.head_width;
    const auto heads = [&](const Linear& linear) {
      return Apply(linear, n).view({m, -1, depth}).transpose(0, 1);
    };
    const int64_t window = config_.WindowOf(index);
    const bool has_own = window > 0 && weights_.window_rope_frequency.size(0) > 0;
    const Turns& turns = has_own ? window_rotation_ : rotation_;
    const at::Tensor queries = Rotate(Norm(heads(layer.query), layer.query_norm), turns);
    const auto put = [&](at::Tensor& all, const at::Tensor& rows) {
      all.narrow(1, position, m).copy_(rows);
      return all.narrow(1, 0, seen).to(at::kFloat).unsqueeze(1);  // [kv_heads, 1, seen, depth]
    };
    const at::Tensor keys =
        put(cache.keys(index), Rotate(Norm(heads(layer.key), layer.key_norm), turns));
    const at::Tensor values = put(cache.values(index), heads(layer.value));
    // Consecutive query heads share a key head: [kv_heads, group, m, depth].
    const at::Tensor grouped = queries.reshape({config_.kv_heads, -1, m, depth});
    const at::Tensor of_key = at::arange(seen, n.options()).unsqueeze(0);
    const at::Tensor of_row = at::arange(position, seen, n.options()).unsqueeze(1);
    at::Tensor hidden = of_key > of_row;
    if (window > 0) hidden = hidden.logical_or(of_key <= of_row - window);
    const at::Tensor scores = (at::matmul(grouped, keys.transpose(2, 3)) * config_.score_scale)
                                  .masked_fill(hidden, -std::numeric_limits<float>::infinity());
    const at::Tensor sums = at::matmul(at::softmax(scores, -1), values);
    return sums.reshape({-1, m, depth}).transpose(0, 1).reshape({m, -1});
  }

  const Weights& weights_;
  const LlamaConfig& config_;
  const int64_t max_tokens_;
  Turns rotation_, window_rotation_;  // of this stretch
  std::vector<float> logits_;         // [logit_rows, vocabulary]
};

std::unique_ptr<ForwardPass> Weights::NewForwardPass(int max_tokens) const {
  return std::make_unique<TorchForwardPass>(*this, max_tokens);
}

}  // namespace
}  // namespace tenon::model

extern "C" {

bool tenon_torch_has_gpu() { return at::hasCUDA(); }

tenon::model::TorchEngine* tenon_torch_engine(tenon::model::TorchSource& source) {
  return new tenon::model::Weights(source);
}
}
