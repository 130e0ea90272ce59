#include "model/inference/forward_pass.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "model/file/file.h"
#include "model/inference/rotations.h"
#include "model/inference/tensor_memory.h"
#include "model/inference/typed_kv_cache.h"
#include "model/kernels/kernels.h"

namespace tenon::model {
namespace {

// A stretch of at most so many rows attends row by row; a longer one in blocks, by matrix
// products.
constexpr int kMaxSingleRows = 8;
// Longer stretches are rounded up to a multiple of this number of rows.
constexpr int kRowGrain = 16;
// Query rows of one piece of attention; the threads share the pieces.
constexpr int kAttentionBlock = 32;
// Keys or values that all query heads of a key head read before the next ones.
constexpr size_t kKeysOfStep = 32;
// Rows of one piece of a norm.
constexpr int kNormRows = 16;
// Rows of x in one piece of the first step of an adapter's change in blocks.
constexpr int kChangedRows = 64;
// Ranks of an adapter's change in one piece: their rows of A stay in the first-level cache.
constexpr int kRanksOfPiece = 8;

// The number of rows that are computed where m are wanted. Few different numbers occur, because
// each costs a primitive of oneDNN.
int PaddedRows(int m) {
  if (m > kMaxSingleRows) return RoundUp(m, kRowGrain);
  int padded = 1;
  while (padded < m) padded *= 2;
  return padded;
}

// T: the type of operands of products. K: that of the KV cache. Both are float or BFloat16.
template <typename T, typename K>
class CpuForwardPass final : public ForwardPass {
 public:
  CpuForwardPass(const LlamaConfig& config, const LlamaWeights& weights, int max_tokens)
      : config_(config),
        weights_(weights),
        group_(config.heads / config.kv_heads),
        max_tokens_(max_tokens),
        kernels_(KernelsForThisProcessor<T>()),
        float_kernels_(KernelsForThisProcessor<float>()),
        cache_kernels_(KernelsForThisProcessor<K>()),
        pool_(config.threads, KeepOpenMpInThisThread),
        products_(pool_.slots(),
                  std::is_same_v<T, float> ? Operand::kFloat32 : Operand::kBFloat16) {
    residual_ = Tensor<float>({kMaxStretch, config.width});
    if (config.traits.has_post_norms) added_ = Tensor<float>({kMaxStretch, config.width});
    normed_ = Tensor<T>({kMaxStretch, config.width});
    query_ = Tensor<T>({config.kv_heads, kMaxStretch, group_, config.head_width});
    attended_ = Tensor<T>({kMaxStretch, int64_t{config.heads} * config.head_width});
    gated_ = Tensor<T>({kMaxStretch, config.feed_forward});
    widest_ = std::max({2 * config.feed_forward, config.width,
                        (config.heads + 2 * config.kv_heads) * config.head_width,
                        config.vocabulary * kMaxLogitRows / kMaxStretch + 1});
    results_ = Tensor<float>({kMaxStretch, widest_});
    floats_ = Tensor<float>({pool_.slots(), widest_});
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
    m_ = static_cast<int>(tokens.size());
    padded_ = PaddedRows(m_);
    position_ = position;
    cache_ = &static_cast<TypedKvCache<K>&>(cache);
    cache_->Reserve(position + padded_);
    PrepareRotations(cache_->capacity());
    const auto width = static_cast<size_t>(config_.width);
    for (int i = 0; i < m_; ++i) {
      float* row = residual_.data() + i * width;
      DequantizeRows(*weights_.embedding, tokens[i].value, {row, width});
      if (const float* added = weights_.embedding_change.Find(tokens[i]))
        kernels_.add(added, width, row);
      if (config_.traits.scales_embedding)
        float_kernels_.round(row, width, std::sqrt(static_cast<float>(width)), row);
      if (weights_.positions) {
        learned_.resize(width);
        DequantizeRows(*weights_.positions, static_cast<uint64_t>(position + i), learned_);
        kernels_.add(learned_.data(), width, row);
      }
    }
    for (int layer = 0; layer < config_.layers; ++layer) {
      const LlamaLayer& weights = weights_.layers[layer];
      Norm(weights.attention_norm);
      Products(weights.query_key_value, normed_,
               [&](int begin, int length, float* y) { StoreHeads(layer, begin, length, y); });
      // Without logits the stretch leaves its keys and values and nothing else.
      if (logit_rows == 0 && layer + 1 == config_.layers) return;
      Attend(layer);
      AddProducts(weights.attention_out, attended_, weights.attention_out_bias,
                  weights.attention_post_norm);
      Norm(weights.feed_forward_norm);
      Products(weights.gate_up, normed_, [&](int begin, int length, float* y) {
        if (config_.traits.has_no_gate) {
          Activate(begin, length, weights.up_bias, y);
        } else {
          Gate(begin / 2, length / 2, y);
        }
      });
      AddProducts(weights.down, gated_, weights.down_bias, weights.feed_forward_post_norm);
    }
    if (logit_rows > 0) ComputeLogits(logit_rows);
  }

 private:
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

  // Calls use(row) for each row of the stretch; the threads share them.
  template <typename Use>
  void EachRow(const Use& use) {
    pool_.Run((m_ + kNormRows - 1) / kNormRows, [&](int piece, int) {
      for (int i = piece * kNormRows; i < std::min(m_, (piece + 1) * kNormRows); ++i) use(i);
    });
  }

  void Norm(const NormWeights& weights) {
    const auto width = static_cast<size_t>(config_.width);
    EachRow(
        [&](int i) { NormRow(residual_.data() + i * width, weights, normed_.data() + i * width); });
  }

  // y = x * transpose(W), piece by piece. Each piece then calls use(first row of the piece, its
  // number of rows, y of the piece: [rows of x, rows of the piece]), while y is still in the core's
  // cache.
  template <typename Use>
  void Products(const LinearLayer& layer, const Tensor<T>& x, const Use& use) {
    int begin = 0;
    begins_.clear();
    for (int piece = 0; piece < layer.pieces(); ++piece) {
      begins_.push_back(begin);
      begin += layer.piece_rows(piece);
    }
    if (layer.packed_change()) NarrowForChange(*layer.packed_change(), x.data());
    if (layer.packed()) {
      PackedProducts(layer, x.data(), use);
    } else if constexpr (std::is_same_v<T, float>) {
      BlockProducts(layer, x.data(), use);
    }
  }

  template <typename Use>
  void PackedProducts(const LinearLayer& layer, const void* x, const Use& use) {
    const PackedWeights& weights = *layer.packed();
    std::vector<const Product*> products;
    for (int shard = 0; shard < weights.shards(); ++shard)
      products.push_back(products_.PrepareLinear(weights, shard, padded_));
    pool_.Run(weights.shards(), [&](int shard, int slot) {
      float* y = results_.data() + static_cast<size_t>(begins_[shard]) * padded_;
      products_.Linear(products[shard], slot, x, weights, shard, y);
      AddChange(layer, shard, y);
      use(begins_[shard], weights.shard_rows(shard), y);
    });
  }

  template <typename Use>
  void BlockProducts(const LinearLayer& layer, const float* x, const Use& use) {
    const int columns = layer.columns();
    quantized_.Resize(m_, columns);
    EachRow([&](int i) { quantized_.Quantize(i, x + static_cast<size_t>(i) * columns); });
    const LowRankBlocks* change = layer.block_change();
    if (change) NarrowForBlockChange(*change);
    pool_.Run(layer.pieces(), [&](int piece, int) {
      const int length = layer.piece_rows(piece);
      float* y = results_.data() + static_cast<size_t>(begins_[piece]) * padded_;
      int at = 0;
      for (const PanelMatrix& panels : layer.panels_of(piece)) {
        block_matmul_.Multiply(panels, quantized_, {0, m_}, y + at, length);
        at += panels.rows;
      }
      if (change) {
        for (const LowRankBlocks::Stretch& stretch : change->stretches(piece)) {
          block_matmul_.Multiply(stretch.b, quantized_inner_[stretch.change], {0, m_},
                                 y + stretch.at, length, BlockMatmul::Into::kAdd);
        }
      }
      use(begins_[piece], length, y);
    });
  }

  // The first step of an adapter's change in blocks: quantized_inner_, of all rows of quantized_.
  void NarrowForBlockChange(const LowRankBlocks& change) {
    quantized_inner_.resize(change.changes());
    int widest = 0;
    for (int c = 0; c < change.changes(); ++c) {
      quantized_inner_[c].Resize(m_, change.padded_rank(c));
      widest = std::max(widest, change.padded_rank(c));
    }
    inner_.resize(static_cast<size_t>(pool_.slots()) * kChangedRows * widest);
    const int stretches = (m_ + kChangedRows - 1) / kChangedRows;
    pool_.Run(change.changes() * stretches, [&](int piece, int slot) {
      const int c = piece / stretches, first = piece % stretches * kChangedRows;
      const int count = std::min(kChangedRows, m_ - first), rank = change.padded_rank(c);
      float* inner = inner_.data() + static_cast<size_t>(slot) * kChangedRows * widest;
      change.Narrow(block_matmul_, c, quantized_, first, count, inner);
      for (int i = 0; i < count; ++i)
        quantized_inner_[c].Quantize(first + i, inner + static_cast<size_t>(i) * rank);
    });
  }

  // The first step of an adapter's change in floats: inner_ of all rows of x.
  void NarrowForChange(const LowRankLayer& change, const T* x) {
    const auto columns = static_cast<size_t>(change.columns());
    const int ranks = change.ranks();
    inner_.resize(static_cast<size_t>(m_) * ranks);
    const int groups = (ranks + kRanksOfPiece - 1) / kRanksOfPiece;
    pool_.Run((m_ + kNormRows - 1) / kNormRows * groups, [&](int piece, int slot) {
      const int first = piece % groups * kRanksOfPiece;
      const int first_row = piece / groups * kNormRows;
      for (int i = first_row; i < std::min(m_, first_row + kNormRows); ++i) {
        change.Narrow(AsFloats(x + i * columns, columns, slot), first,
                      std::min(kRanksOfPiece, ranks - first),
                      inner_.data() + static_cast<size_t>(i) * ranks);
      }
    });
  }

  // The second step: adds the change of a piece to its results y.
  void AddChange(const LinearLayer& layer, int piece, float* y) {
    const LowRankLayer* change = layer.packed_change();
    if (!change) return;
    for (int i = 0; i < m_; ++i) {
      change->Widen(piece, inner_.data() + static_cast<size_t>(i) * change->ranks(),
                    y + static_cast<size_t>(i) * layer.piece_rows(piece));
    }
  }

  // n numbers as floats; where they are none, in the slot's scratch memory.
  const float* AsFloats(const T* x, size_t n, int slot) {
    if constexpr (std::is_same_v<T, float>) {
      return x;
    } else {
      float* floats = floats_.data() + static_cast<size_t>(slot) * widest_;
      for (size_t i = 0; i < n; ++i) floats[i] = ToFloat(x[i]);
      return floats;
    }
  }

  // residual += norm(x * transpose(W) + bias). Bias and norm may be empty.
  void AddProducts(const LinearLayer& layer, const Tensor<T>& x, const std::vector<float>& bias,
                   const NormWeights& norm) {
    const bool is_normed = !norm.weight.empty();
    const auto width = static_cast<size_t>(config_.width);
    if (is_normed) std::fill_n(added_.data(), static_cast<size_t>(m_) * width, 0.0f);
    const Tensor<float>& sums = is_normed ? added_ : residual_;
    Products(layer, x, [&](int begin, int length, const float* y) {
      for (int i = 0; i < m_; ++i) {
        float* row = sums.data() + i * width + begin;
        kernels_.add(y + static_cast<size_t>(i) * length, length, row);
        if (!bias.empty()) kernels_.add(bias.data() + begin, length, row);
      }
    });
    if (!is_normed) return;
    EachRow([&](int i) {
      float* row = added_.data() + i * width;
      float_kernels_.rms_norm(row, norm.weight.data(), width, config_.norm_epsilon, row);
      kernels_.add(row, width, residual_.data() + i * width);
    });
  }

  // gated[:, begin ...] = gelu(y + bias), where there is no gate. The bias may be empty.
  void Activate(int begin, int length, const std::vector<float>& bias, float* y) {
    for (int i = 0; i < m_; ++i) {
      float* row = y + static_cast<size_t>(i) * length;
      if (!bias.empty()) kernels_.add(bias.data() + begin, length, row);
      kernels_.gelu(row, length, gated_.data() + i * config_.feed_forward + begin);
    }
  }

  // gated[:, begin ...] = silu(gate) * up, or gelu(gate) * up; a row of y is `length` numbers of
  // gate, then of up.
  void Gate(int begin, int length, const float* y) {
    const auto gate = config_.traits.has_gelu_gate ? kernels_.gelu_mul : kernels_.silu_mul;
    for (int i = 0; i < m_; ++i) {
      const float* row = y + static_cast<size_t>(i) * 2 * length;
      gate(row, row + length, length, gated_.data() + i * config_.feed_forward + begin);
    }
  }

  // Adds the bias to numbers [begin, begin + length) of each row of [q; k; v], norms and rotates
  // queries and keys and puts all in their places: queries in query_, keys and values in the cache.
  // The piece is a number of whole heads, which are numbered through q, k and v.
  void StoreHeads(int layer, int begin, int length, float* y) {
    const LlamaLayer& weights = weights_.layers[layer];
    const std::vector<float>& bias = weights.query_key_value_bias;
    const Rotations& rotations = RotationsOf(layer);
    const auto width = static_cast<size_t>(config_.head_width);
    for (int at = 0; at < length; at += config_.head_width) {
      const int head = (begin + at) / config_.head_width;
      const int kv_head = (head - config_.heads) % config_.kv_heads;
      for (int i = 0; i < m_; ++i) {
        float* x = y + static_cast<size_t>(i) * length + at;
        const size_t cached = static_cast<size_t>(position_ + i) * width;
        if (!bias.empty()) kernels_.add(bias.data() + begin + at, width, x);
        if (head < config_.heads) {
          NormHead(weights.query_norm, x);
          Rotate(kernels_, rotations, x, i, Queries(head / group_, i) + head % group_ * width);
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
    const size_t angle = static_cast<size_t>(position_ + i) * pairs;
    const auto rotate = config_.rotates_halves ? kernels.rotate_halves : kernels.rotate;
    rotate(x, rotations.cosines.data() + angle, rotations.sines.data() + angle, pairs, out);
    kernels.round(x + turned, config_.head_width - turned, 1.0f, out + turned);
  }

  // Attention of all rows of the stretch to the positions up to and including their own.
  void Attend(int layer) {
    if (m_ <= kMaxSingleRows) {
      scores_.resize(static_cast<size_t>(pool_.slots()) * group_ * cache_->capacity());
      pool_.Run(m_ * config_.kv_heads, [&](int piece, int slot) {
        AttendRow(layer, piece / config_.kv_heads, piece % config_.kv_heads, slot);
      });
      return;
    }
    struct Block {
      int begin, rows, first_key, keys;
      const Product* scores;
      const Product* weighted;
    };
    std::vector<Block> blocks;
    for (int begin = 0; begin < m_; begin += kAttentionBlock) {
      const int rows = std::min(kAttentionBlock, padded_ - begin);
      const int first_key = FirstSeen(layer, begin) / kKeyGrain * kKeyGrain;
      const int keys = RoundUp(position_ + std::min(m_, begin + rows), kKeyGrain) - first_key;
      blocks.push_back({begin, rows, first_key, keys,
                        products_.PrepareScores(rows * group_, keys, config_.head_width),
                        products_.PrepareWeighted(rows * group_, keys, config_.head_width)});
    }
    const size_t room = static_cast<size_t>(kAttentionBlock) * group_;
    scores_.resize(static_cast<size_t>(pool_.slots()) * room * cache_->capacity());
    weights_of_.resize(scores_.size());
    sums_.resize(pool_.slots() * room * config_.head_width);
    if constexpr (!std::is_same_v<T, K>)
      widened_.resize(static_cast<size_t>(pool_.slots()) * cache_->capacity() * config_.head_width);
    // The last blocks see the most keys. They go first, so that the small blocks even out the
    // threads.
    pool_.Run(static_cast<int>(blocks.size()) * config_.kv_heads, [&](int piece, int slot) {
      const Block& block = blocks[blocks.size() - 1 - piece / config_.kv_heads];
      AttendBlock(layer, piece % config_.kv_heads, block.begin, block.rows, block.first_key,
                  block.keys, block.scores, block.weighted, slot);
    });
  }

  // n numbers of the cache as operands of a product; where the types differ, in the slot's scratch
  // memory.
  const T* AsOperands(const K* cached, size_t n, int slot) {
    if constexpr (std::is_same_v<T, K>) {
      return cached;
    } else {
      const size_t room = static_cast<size_t>(cache_->capacity()) * config_.head_width;
      T* widened = widened_.data() + slot * room;
      for (size_t i = 0; i < n; ++i) Round(ToFloat(cached[i]), widened[i]);
      return widened;
    }
  }
  T* Queries(int kv_head, int row) {
    return query_.data() +
           (static_cast<size_t>(kv_head) * kMaxStretch + row) * group_ * config_.head_width;
  }
  T* Attended(int row, int kv_head, int g) {
    return attended_.data() +
           (static_cast<size_t>(row) * config_.heads + static_cast<size_t>(kv_head) * group_ + g) *
               config_.head_width;
  }
  // The first position that a row of the stretch sees.
  int FirstSeen(int layer, int row) const {
    const int window = config_.WindowOf(layer);
    return window > 0 ? std::max(0, position_ + row + 1 - window) : 0;
  }

  // One query row against one key head. The query heads that share it read a few keys, then a few
  // values, each while these are in the first-level cache.
  void AttendRow(int layer, int row, int kv_head, int slot) {
    const auto depth = static_cast<size_t>(config_.head_width);
    const auto first = static_cast<size_t>(FirstSeen(layer, row));
    const size_t seen = static_cast<size_t>(position_) + row + 1;
    const auto room = static_cast<size_t>(cache_->capacity());
    const auto scores = [&](int g) {
      return scores_.data() + (static_cast<size_t>(slot) * group_ + g) * room;
    };
    const size_t query_numbers = static_cast<size_t>(group_) * depth;
    const float* queries = AsFloats(Queries(kv_head, row), query_numbers, slot);
    const K* keys = cache_->Keys(layer, kv_head);
    for (size_t begin = first; begin < seen; begin += kKeysOfStep) {
      const size_t count = std::min(kKeysOfStep, seen - begin);
      for (int g = 0; g < group_; ++g) {
        cache_kernels_.scores(queries + g * depth, keys + begin * depth, count, depth,
                              scores(g) + begin);
      }
    }
    std::vector<float> sums(query_numbers), totals(group_);
    for (int g = 0; g < group_; ++g) {
      float* of_seen = scores(g) + first;
      totals[g] = float_kernels_.softmax(of_seen, seen - first, config_.score_scale, of_seen);
    }
    const K* values = cache_->Values(layer, kv_head);
    for (size_t begin = first; begin < seen; begin += kKeysOfStep) {
      const size_t count = std::min(kKeysOfStep, seen - begin);
      for (int g = 0; g < group_; ++g) {
        cache_kernels_.add_weighted(scores(g) + begin, values + begin * depth, count, depth,
                                    sums.data() + g * depth);
      }
    }
    for (int g = 0; g < group_; ++g)
      kernels_.round(sums.data() + g * depth, depth, 1.0f / totals[g], Attended(row, kv_head, g));
  }

  // Some query rows against `keys` positions of one key head from first_key on, by two matrix
  // products. A row must not see later positions, nor those before its window: their weights are
  // set to zero after the softmax over the others.
  void AttendBlock(int layer, int kv_head, int begin, int rows, int first_key, int keys,
                   const Product* to_scores, const Product* to_sums, int slot) {
    const auto depth = static_cast<size_t>(config_.head_width);
    const size_t room = static_cast<size_t>(kAttentionBlock) * group_;
    float* scores = scores_.data() + slot * room * cache_->capacity();
    T* weights = weights_of_.data() + slot * room * cache_->capacity();
    float* sums = sums_.data() + slot * room * depth;
    const size_t cached = static_cast<size_t>(keys) * depth;
    const size_t skipped = static_cast<size_t>(first_key) * depth;
    products_.Multiply(to_scores, slot, Queries(kv_head, begin),
                       AsOperands(cache_->Keys(layer, kv_head) + skipped, cached, slot), scores);
    std::vector<float> totals(room, 1.0f);
    for (int r = 0; r < rows * group_; ++r) {
      const int row = begin + r / group_;
      // Of the block's keys the row sees [first, seen).
      const int first = row < m_ ? FirstSeen(layer, row) - first_key : 0;
      const int seen = row < m_ ? position_ + row + 1 - first_key : 0;
      T* of_row = weights + static_cast<size_t>(r) * keys;
      if (seen > 0) {
        totals[r] = kernels_.softmax(scores + static_cast<size_t>(r) * keys + first,
                                     static_cast<size_t>(seen - first), config_.score_scale,
                                     of_row + first);
      }
      std::fill(of_row, of_row + first, T{});
      std::fill(of_row + seen, of_row + keys, T{});
    }
    products_.Multiply(to_sums, slot, weights,
                       AsOperands(cache_->Values(layer, kv_head) + skipped, cached, slot), sums);
    for (int r = 0; r < rows * group_ && begin + r / group_ < m_; ++r) {
      kernels_.round(sums + r * depth, depth, 1.0f / totals[r],
                     Attended(begin + r / group_, kv_head, r % group_));
    }
  }

  // The logits after each of the last `count` rows of the stretch.
  void ComputeLogits(int count) {
    const auto width = static_cast<size_t>(config_.width);
    const float* rows = residual_.data() + static_cast<size_t>(m_ - count) * width;
    for (int i = 0; i < count; ++i)
      NormRow(rows + i * width, weights_.final_norm, normed_.data() + i * width);
    m_ = logit_rows_ = count;
    padded_ = PaddedRows(count);
    Products(weights_.head, normed_, [&](int begin, int length, const float* y) {
      for (int i = 0; i < count; ++i) {
        std::copy_n(y + static_cast<size_t>(i) * length, length,
                    logits_.data() + static_cast<size_t>(i) * config_.vocabulary + begin);
      }
    });
  }

  const LlamaConfig config_;
  const LlamaWeights& weights_;
  const int group_;  // query heads that share a key head
  const int max_tokens_;
  const VectorKernels<T> kernels_;
  const VectorKernels<float> float_kernels_;
  const VectorKernels<K> cache_kernels_;
  const BlockMatmul block_matmul_;
  WorkerPool pool_;
  MatmulRunner products_;

  // The stretch that is being computed.
  int m_ = 0;         // rows wanted
  int padded_ = 0;    // rows computed
  int position_ = 0;  // of the first row
  TypedKvCache<K>* cache_ = nullptr;
  int logit_rows_ = 0;  // of logits_

  Tensor<float> residual_;  // [kMaxStretch, width] float
  Tensor<float> added_;     // [kMaxStretch, width] float, where it is normed before it is added
  Tensor<T> normed_;        // [kMaxStretch, width] T
  Tensor<T> query_;         // [kv_heads, kMaxStretch, group, head_width] T, rotated
  Tensor<T> attended_;      // [kMaxStretch, heads * head_width] T
  Tensor<T> gated_;         // [kMaxStretch, feed_forward] T
  Tensor<float> results_;   // results of the pieces of one product, one after the other, float
  Tensor<float> logits_;    // [kMaxLogitRows, vocabulary] float

  QuantizedRows quantized_;  // the input of a layer of stored blocks
  std::vector<int> begins_;  // [piece] its first row in the layer
  // Of an adapter's change of the layer: [m, ranks], or scratch memory of the slots.
  std::vector<float> inner_;
  std::vector<QuantizedRows> quantized_inner_;  // [change]
  int widest_ = 0;                              // numbers of a slot in floats_
  Tensor<float> floats_;                        // [slot, ...] scratch memory of AsFloats

  std::vector<float> learned_;  // [width] of a position

  int rotated_ = 0;  // positions of these two
  Rotations rotations_, window_rotations_;

  // Scratch memory of attention, a slice for each slot of the pool: rows of scores, of their
  // exponentials, and of weighted values.
  std::vector<float> scores_;
  std::vector<T> weights_of_;
  std::vector<float> sums_;
  std::vector<T> widened_;  // keys or values of AsOperands
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
