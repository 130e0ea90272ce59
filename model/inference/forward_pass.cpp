#include "model/inference/forward_pass.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "model/file/file.h"
#include "model/inference/attention.h"
#include "model/inference/layer_products.h"
#include "model/inference/rotations.h"
#include "model/inference/stretch_rows.h"
#include "model/inference/tensor_memory.h"
#include "model/inference/typed_kv_cache.h"
#include "model/kernels/kernels.h"

namespace tenon::model {
namespace {

// T: the type of operands of products. K: that of the KV cache. Both are float or BFloat16.
template <typename T, typename K>
class CpuForwardPass final : public ForwardPass {
 public:
  CpuForwardPass(const LlamaConfig& config, const LlamaWeights& weights, int max_tokens)
      : config_(config),
        weights_(weights),
        max_tokens_(max_tokens),
        kernels_(KernelsForThisProcessor<T>()),
        float_kernels_(KernelsForThisProcessor<float>()),
        cache_kernels_(KernelsForThisProcessor<K>()),
        pool_(config.threads, KeepOpenMpInThisThread),
        matmul_(pool_.slots(), std::is_same_v<T, float> ? Operand::kFloat32 : Operand::kBFloat16),
        products_(pool_, matmul_, kMaxStretch, WidestRow(config)),
        attention_(config_, pool_, matmul_, kMaxStretch) {
    residual_ = Tensor<float>({kMaxStretch, config.width});
    if (config.traits.has_post_norms) added_ = Tensor<float>({kMaxStretch, config.width});
    normed_ = Tensor<T>({kMaxStretch, config.width});
    attended_ = Tensor<T>({kMaxStretch, int64_t{config.heads} * config.head_width});
    gated_ = Tensor<T>({kMaxStretch, config.feed_forward});
    logits_ = Tensor<float>({kMaxLogitRows, config.vocabulary});
  }

  std::span<float> logits() override {
    return {logits_.data(), static_cast<size_t>(logit_rows_) * config_.vocabulary};
  }

  std::unique_ptr<KvCache> NewCache() const override {
    return std::make_unique<TypedKvCache<K>>(config_, max_tokens_);
  }

  std::unique_ptr<KvCache> Copy(const KvCache& cache, int n) const override {
    auto copy = std::make_unique<TypedKvCache<K>>(config_, max_tokens_);
    copy->Take(static_cast<const TypedKvCache<K>&>(cache), n);
    return copy;
  }

  void Run(KvCache& cache, std::span<const TokenId> tokens, int position, int logit_rows) override {
    rows_ = StretchRows(static_cast<int>(tokens.size()), position);
    cache_ = &static_cast<TypedKvCache<K>&>(cache);
    cache_->Reserve(position + rows_.computed);
    PrepareRotations(cache_->capacity());
    for (int i = 0; i < rows_.count; ++i) Embed(tokens[i], i);
    for (int layer = 0; layer < config_.layers; ++layer) {
      const LlamaLayer& weights = weights_.layers[layer];
      Norm(weights.attention_norm);
      products_.Run(weights.query_key_value, normed_.data(), rows_,
                    [&](int begin, int length, float* y) { StoreHeads(layer, begin, length, y); });
      // Without logits the stretch leaves its keys and values and nothing else.
      if (logit_rows == 0 && layer + 1 == config_.layers) return;
      attention_.Run(layer, rows_, *cache_, attended_.data());
      AddProducts(weights.attention_out, attended_, weights.attention_out_bias,
                  weights.attention_post_norm);
      FeedForward(weights);
    }
    if (logit_rows > 0) ComputeLogits(logit_rows);
  }

 private:
  // The most numbers of a row that a linear layer reads or writes. The head writes few rows.
  static int WidestRow(const LlamaConfig& config) {
    return std::max({2 * config.feed_forward, config.width,
                     (config.heads + 2 * config.kv_heads) * config.head_width,
                     config.vocabulary * kMaxLogitRows / kMaxStretch + 1});
  }

  // Row i of the residual vectors, as the first layer reads it.
  void Embed(TokenId token, int i) {
    const auto width = static_cast<size_t>(config_.width);
    float* row = residual_.data() + i * width;
    DequantizeRows(*weights_.embedding, token.value, {row, width});
    if (const float* added = weights_.embedding_change.Find(token)) kernels_.add(added, width, row);
    if (config_.traits.scales_embedding)
      float_kernels_.round(row, width, std::sqrt(static_cast<float>(width)), row);
    if (weights_.positions) {
      learned_.resize(width);
      DequantizeRows(*weights_.positions, static_cast<uint64_t>(rows_.position + i), learned_);
      kernels_.add(learned_.data(), width, row);
    }
  }

  // residual += down(gate(norm(residual)))
  void FeedForward(const LlamaLayer& weights) {
    Norm(weights.feed_forward_norm);
    products_.Run(weights.gate_up, normed_.data(), rows_, [&](int begin, int length, float* y) {
      if (config_.traits.has_no_gate) {
        Activate(begin, length, weights.up_bias, y);
      } else {
        Gate(begin / 2, length / 2, y);
      }
    });
    AddProducts(weights.down, gated_, weights.down_bias, weights.feed_forward_post_norm);
  }

  void PrepareRotations(int n) {
    if (n <= rotated_) return;
    rotations_ = Rotations(n, weights_.rope_frequency);
    window_rotations_ = Rotations(n, weights_.window_rope_frequency);
    rotated_ = n;
  }
  const Rotations& RotationsOf(int layer) const {
    const bool has_own = !weights_.window_rope_frequency.empty() && config_.WindowOf(layer) > 0;
    return has_own ? window_rotations_ : rotations_;
  }

  void NormRow(const float* x, const NormWeights& weights, T* out) {
    const auto width = static_cast<size_t>(config_.width);
    if (weights.bias.empty()) {
      kernels_.rms_norm(x, weights.weight.data(), width, config_.norm_epsilon, out);
    } else {
      kernels_.layer_norm(x, weights.weight.data(), weights.bias.data(), width,
                          config_.norm_epsilon, out);
    }
  }

  void Norm(const NormWeights& weights) {
    const auto width = static_cast<size_t>(config_.width);
    EachRow(pool_, rows_.count, [&](int i) {
      NormRow(residual_.data() + i * width, weights, normed_.data() + i * width);
    });
  }

  // residual += norm(x * transpose(W) + bias). Bias and norm may be empty.
  void AddProducts(const LinearLayer& layer, const Tensor<T>& x, const std::vector<float>& bias,
                   const NormWeights& norm) {
    const bool is_normed = !norm.weight.empty();
    const auto width = static_cast<size_t>(config_.width);
    if (is_normed) std::fill_n(added_.data(), static_cast<size_t>(rows_.count) * width, 0.0f);
    const Tensor<float>& sums = is_normed ? added_ : residual_;
    products_.Run(layer, x.data(), rows_, [&](int begin, int length, const float* y) {
      for (int i = 0; i < rows_.count; ++i) {
        float* row = sums.data() + i * width + begin;
        kernels_.add(y + static_cast<size_t>(i) * length, length, row);
        if (!bias.empty()) kernels_.add(bias.data() + begin, length, row);
      }
    });
    if (!is_normed) return;
    EachRow(pool_, rows_.count, [&](int i) {
      float* row = added_.data() + i * width;
      float_kernels_.rms_norm(row, norm.weight.data(), width, config_.norm_epsilon, row);
      kernels_.add(row, width, residual_.data() + i * width);
    });
  }

  // gated[:, begin ...] = gelu(y + bias), where there is no gate. The bias may be empty.
  void Activate(int begin, int length, const std::vector<float>& bias, float* y) {
    for (int i = 0; i < rows_.count; ++i) {
      float* row = y + static_cast<size_t>(i) * length;
      if (!bias.empty()) kernels_.add(bias.data() + begin, length, row);
      kernels_.gelu(row, length, gated_.data() + i * config_.feed_forward + begin);
    }
  }

  // gated[:, begin ...] = silu(gate) * up, or gelu(gate) * up; a row of y is `length` numbers of
  // gate, then of up.
  void Gate(int begin, int length, const float* y) {
    const auto gate = config_.traits.has_gelu_gate ? kernels_.gelu_mul : kernels_.silu_mul;
    for (int i = 0; i < rows_.count; ++i) {
      const float* row = y + static_cast<size_t>(i) * 2 * length;
      gate(row, row + length, length, gated_.data() + i * config_.feed_forward + begin);
    }
  }

  // Adds the bias to numbers [begin, begin + length) of each row of [q; k; v], norms and rotates
  // queries and keys and puts all in their places: queries in attention_, keys and values in the
  // cache. The piece is a number of whole heads, which are numbered through q, k and v.
  void StoreHeads(int layer, int begin, int length, float* y) {
    const LlamaLayer& weights = weights_.layers[layer];
    const std::vector<float>& bias = weights.query_key_value_bias;
    const Rotations& rotations = RotationsOf(layer);
    const auto width = static_cast<size_t>(config_.head_width);
    for (int at = 0; at < length; at += config_.head_width) {
      const int head = (begin + at) / config_.head_width;
      const int kv_head = (head - config_.heads) % config_.kv_heads;
      for (int i = 0; i < rows_.count; ++i) {
        float* x = y + static_cast<size_t>(i) * length + at;
        const size_t cached = static_cast<size_t>(rows_.position + i) * width;
        if (!bias.empty()) kernels_.add(bias.data() + begin + at, width, x);
        if (head < config_.heads) {
          NormHead(weights.query_norm, x);
          Rotate(kernels_, rotations, x, i, attention_.Query(head, i));
        } else if (head < config_.heads + config_.kv_heads) {
          NormHead(weights.key_norm, x);
          Rotate(cache_kernels_, rotations, x, i, cache_->Keys(layer, kv_head) + cached);
        } else {
          cache_kernels_.round(x, width, 1.0f, cache_->Values(layer, kv_head) + cached);
        }
      }
    }
  }

  // Norms the numbers of one head in place, in a family that does so.
  void NormHead(const std::vector<float>& weight, float* x) {
    if (!weight.empty())
      float_kernels_.rms_norm(x, weight.data(), weight.size(), config_.norm_epsilon, x);
  }

  // Rotates the numbers of one head in row i.
  template <typename Out>
  void Rotate(const VectorKernels<Out>& kernels, const Rotations& rotations, const float* x, int i,
              Out* out) {
    const int pairs = config_.rope_width / 2, turned = config_.rope_width;
    const size_t angle = static_cast<size_t>(rows_.position + i) * pairs;
    const auto rotate = config_.rotates_halves ? kernels.rotate_halves : kernels.rotate;
    rotate(x, rotations.cosines.data() + angle, rotations.sines.data() + angle, pairs, out);
    kernels.round(x + turned, config_.head_width - turned, 1.0f, out + turned);
  }

  // The logits after each of the last `count` rows of the stretch.
  void ComputeLogits(int count) {
    const auto width = static_cast<size_t>(config_.width);
    const StretchRows last(count, rows_.position + rows_.count - count);
    const float* rows = residual_.data() + static_cast<size_t>(rows_.count - count) * width;
    for (int i = 0; i < count; ++i)
      NormRow(rows + i * width, weights_.final_norm, normed_.data() + i * width);
    logit_rows_ = count;
    products_.Run(weights_.head, normed_.data(), last, [&](int begin, int length, const float* y) {
      for (int i = 0; i < count; ++i) {
        std::copy_n(y + static_cast<size_t>(i) * length, length,
                    logits_.data() + static_cast<size_t>(i) * config_.vocabulary + begin);
      }
    });
  }

  const LlamaConfig config_;
  const LlamaWeights& weights_;
  const int max_tokens_;
  const VectorKernels<T> kernels_;
  const VectorKernels<float> float_kernels_;
  const VectorKernels<K> cache_kernels_;
  WorkerPool pool_;
  MatmulRunner matmul_;
  LayerProducts<T> products_;
  Attention<T, K> attention_;

  // The stretch that is being computed.
  StretchRows rows_;
  TypedKvCache<K>* cache_ = nullptr;
  int logit_rows_ = 0;  // of logits_

  Tensor<float> residual_;      // [kMaxStretch, width]
  Tensor<float> added_;         // [kMaxStretch, width], where it is normed before it is added
  Tensor<T> normed_;            // [kMaxStretch, width]
  Tensor<T> attended_;          // [kMaxStretch, heads * head_width]
  Tensor<T> gated_;             // [kMaxStretch, feed_forward]
  Tensor<float> logits_;        // [kMaxLogitRows, vocabulary]
  std::vector<float> learned_;  // [width] of a position

  int rotated_ = 0;  // positions of these two
  Rotations rotations_, window_rotations_;
};

}  // namespace

std::unique_ptr<ForwardPass> MakeForwardPass(const LlamaConfig& config, const LlamaWeights& weights,
                                             int max_tokens) {
  switch (config.precision) {
    case Precision::kBFloat16:
      return std::make_unique<CpuForwardPass<BFloat16, BFloat16>>(config, weights, max_tokens);
    case Precision::kBlocks:
      return std::make_unique<CpuForwardPass<float, BFloat16>>(config, weights, max_tokens);
    case Precision::kAuto:
    case Precision::kFloat32:
      break;
  }
  return std::make_unique<CpuForwardPass<float, float>>(config, weights, max_tokens);
}

}  // namespace tenon::model
