// Attention of a stretch of tokens: each query reads the keys and values of the positions up to
// and including its own.
//
//   attended = softmax(scale * query * transpose(keys)) * values      one query head, all it sees
//
// `group` query heads share one key head. Example: 9 query heads and 3 key heads, so a key head
// has a group of 3. A layer may have a window w: position p then sees (p - w, p], else [0, p].
//
// A short stretch is computed row by row: all query heads of a group read a few keys, then a few
// values, while these are in the first-level cache. A longer stretch is computed in blocks of
// rows, each by two matrix products. A position that a row must not see gets the weight zero.
//
//   rows     0 .. 31   keys 0 .. position + 31      one block: scores, softmax, weighted sum
//   rows    32 .. 63   keys 0 .. position + 63      the next
//
// Source: Vaswani et al. 2017, "Attention Is All You Need"; Ainslie et al. 2023, "GQA".
// Inside the room only. Cost: linear in the positions seen, for each row; 5 to 20 % of a forward
// pass. Thread rule: Run by one thread at a time, on all threads of the pool; the queries of
// different rows and heads may be written at once.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "model/inference/converted_numbers.h"
#include "model/inference/llama_config.h"
#include "model/inference/stretch_rows.h"
#include "model/inference/tensor_memory.h"
#include "model/inference/typed_kv_cache.h"
#include "model/kernels/kernels.h"

namespace tenon::model {

// T: the type of queries and results. K: that of the KV cache. Both are float or BFloat16.
template <typename T, typename K>
class Attention {
 public:
  // REQUIRES: config, pool and matmul outlive this.
  Attention(const LlamaConfig& config, WorkerPool& pool, MatmulRunner& matmul, int max_rows)
      : config_(config),
        group_(config.heads / config.kv_heads),
        max_rows_(max_rows),
        kernels_(KernelsForThisProcessor<T>()),
        float_kernels_(KernelsForThisProcessor<float>()),
        cache_kernels_(KernelsForThisProcessor<K>()),
        pool_(pool),
        matmul_(matmul),
        query_({config.kv_heads, max_rows, group_, config.head_width}) {
    query_floats_.Reserve(pool.slots(), static_cast<size_t>(group_) * config.head_width);
  }

  // [head_width] The caller writes the query of each head and row there before Run.
  T* Query(int head, int row) {
    return Queries(head / group_, row) + head % group_ * config_.head_width;
  }

  // attended: [rows.count, heads * head_width]. REQUIRES: the cache has the keys and values of all
  // positions up to the last row's.
  void Run(int layer, const StretchRows& rows, TypedKvCache<K>& cache, T* attended) {
    const Stretch stretch{layer, rows, cache, attended};
    if (rows.count <= kMaxSingleRows) {
      RunRows(stretch);
    } else {
      RunBlocks(stretch);
    }
  }

 private:
  // Query rows of one block; the threads share the blocks.
  static constexpr int kRowsOfBlock = 32;
  // Keys or values that all query heads of a key head read before the next ones.
  static constexpr size_t kKeysOfStep = 32;

  struct Stretch {
    int layer;
    const StretchRows& rows;
    TypedKvCache<K>& cache;
    T* attended;
  };
  // Rows [begin, begin + rows) against the keys [first_key, first_key + keys).
  struct Block {
    int begin, rows, first_key, keys;
    const Product* to_scores;
    const Product* to_sums;
  };

  // [group, head_width]
  T* Queries(int kv_head, int row) {
    return query_.data() +
           (static_cast<size_t>(kv_head) * max_rows_ + row) * group_ * config_.head_width;
  }
  T* Attended(const Stretch& of, int row, int kv_head, int g) const {
    return of.attended +
           (static_cast<size_t>(row) * config_.heads + static_cast<size_t>(kv_head) * group_ + g) *
               config_.head_width;
  }
  // The first position that a row of the stretch sees.
  int FirstSeen(const Stretch& of, int row) const {
    const int window = config_.WindowOf(of.layer);
    return window > 0 ? std::max(0, of.rows.position + row + 1 - window) : 0;
  }

  void RunRows(const Stretch& of) {
    scores_.resize(static_cast<size_t>(pool_.slots()) * group_ * of.cache.capacity());
    pool_.Run(of.rows.count * config_.kv_heads, [&](int piece, int slot) {
      AttendRow(of, piece / config_.kv_heads, piece % config_.kv_heads, slot);
    });
  }

  void RunBlocks(const Stretch& of) {
    const std::vector<Block> blocks = BlocksOf(of);
    const size_t room = static_cast<size_t>(kRowsOfBlock) * group_;
    scores_.resize(static_cast<size_t>(pool_.slots()) * room * of.cache.capacity());
    weights_.resize(scores_.size());
    sums_.resize(pool_.slots() * room * config_.head_width);
    operands_.Reserve(pool_.slots(), static_cast<size_t>(of.cache.capacity()) * config_.head_width);
    // The last blocks see the most keys. They go first, so that the small blocks even out the
    // threads.
    pool_.Run(static_cast<int>(blocks.size()) * config_.kv_heads, [&](int piece, int slot) {
      AttendBlock(of, blocks[blocks.size() - 1 - piece / config_.kv_heads],
                  piece % config_.kv_heads, slot);
    });
  }

  std::vector<Block> BlocksOf(const Stretch& of) {
    std::vector<Block> blocks;
    for (int begin = 0; begin < of.rows.count; begin += kRowsOfBlock) {
      const int rows = std::min(kRowsOfBlock, of.rows.computed - begin);
      const int first_key = FirstSeen(of, begin) / kKeyGrain * kKeyGrain;
      const int keys =
          RoundUp(of.rows.position + std::min(of.rows.count, begin + rows), kKeyGrain) - first_key;
      blocks.push_back({begin, rows, first_key, keys,
                        matmul_.PrepareScores(rows * group_, keys, config_.head_width),
                        matmul_.PrepareWeighted(rows * group_, keys, config_.head_width)});
    }
    return blocks;
  }

  // One query row against one key head. The query heads that share it read a few keys, then a few
  // values, each while these are in the first-level cache.
  void AttendRow(const Stretch& of, int row, int kv_head, int slot) {
    const auto depth = static_cast<size_t>(config_.head_width);
    const auto first = static_cast<size_t>(FirstSeen(of, row));
    const size_t seen = static_cast<size_t>(of.rows.position) + row + 1;
    const auto room = static_cast<size_t>(of.cache.capacity());
    const auto scores = [&](int g) {
      return scores_.data() + (static_cast<size_t>(slot) * group_ + g) * room;
    };
    const size_t query_numbers = static_cast<size_t>(group_) * depth;
    const float* queries = query_floats_.Of(Queries(kv_head, row), query_numbers, slot);
    const K* keys = of.cache.Keys(of.layer, kv_head);
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
    const K* values = of.cache.Values(of.layer, kv_head);
    for (size_t begin = first; begin < seen; begin += kKeysOfStep) {
      const size_t count = std::min(kKeysOfStep, seen - begin);
      for (int g = 0; g < group_; ++g) {
        cache_kernels_.add_weighted(scores(g) + begin, values + begin * depth, count, depth,
                                    sums.data() + g * depth);
      }
    }
    for (int g = 0; g < group_; ++g) {
      kernels_.round(sums.data() + g * depth, depth, 1.0f / totals[g],
                     Attended(of, row, kv_head, g));
    }
  }

  // A block of query rows against one key head, by two matrix products. A row must not see later
  // positions, nor those before its window: their weights are set to zero after the softmax over
  // the others.
  void AttendBlock(const Stretch& of, const Block& block, int kv_head, int slot) {
    const auto depth = static_cast<size_t>(config_.head_width);
    const size_t room = static_cast<size_t>(kRowsOfBlock) * group_;
    const int keys = block.keys;
    float* scores = scores_.data() + slot * room * of.cache.capacity();
    T* weights = weights_.data() + slot * room * of.cache.capacity();
    float* sums = sums_.data() + slot * room * depth;
    const size_t cached = static_cast<size_t>(keys) * depth;
    const size_t skipped = static_cast<size_t>(block.first_key) * depth;
    matmul_.Multiply(block.to_scores, slot, Queries(kv_head, block.begin),
                     operands_.Of(of.cache.Keys(of.layer, kv_head) + skipped, cached, slot),
                     scores);
    std::vector<float> totals(room, 1.0f);
    for (int r = 0; r < block.rows * group_; ++r) {
      const int row = block.begin + r / group_;
      // Of the block's keys the row sees [first, seen).
      const bool is_wanted = row < of.rows.count;
      const int first = is_wanted ? FirstSeen(of, row) - block.first_key : 0;
      const int seen = is_wanted ? of.rows.position + row + 1 - block.first_key : 0;
      T* of_row = weights + static_cast<size_t>(r) * keys;
      if (seen > 0) {
        totals[r] = kernels_.softmax(scores + static_cast<size_t>(r) * keys + first,
                                     static_cast<size_t>(seen - first), config_.score_scale,
                                     of_row + first);
      }
      std::fill(of_row, of_row + first, T{});
      std::fill(of_row + seen, of_row + keys, T{});
    }
    matmul_.Multiply(block.to_sums, slot, weights,
                     operands_.Of(of.cache.Values(of.layer, kv_head) + skipped, cached, slot),
                     sums);
    for (int r = 0; r < block.rows * group_ && block.begin + r / group_ < of.rows.count; ++r) {
      kernels_.round(sums + r * depth, depth, 1.0f / totals[r],
                     Attended(of, block.begin + r / group_, kv_head, r % group_));
    }
  }

  const LlamaConfig& config_;
  const int group_;  // query heads that share a key head
  const int max_rows_;
  const VectorKernels<T> kernels_;
  const VectorKernels<float> float_kernels_;
  const VectorKernels<K> cache_kernels_;
  WorkerPool& pool_;
  MatmulRunner& matmul_;

  Tensor<T> query_;  // [kv_heads, max_rows, group, head_width] T, rotated

  // Scratch memory, a slice for each slot of the pool: rows of scores, of their exponentials, and
  // of weighted values.
  std::vector<float> scores_;
  std::vector<T> weights_;
  std::vector<float> sums_;
  ConvertedNumbers<T, float> query_floats_;  // the queries of a key head in one row
  ConvertedNumbers<K, T> operands_;          // keys or values of a key head
};

}  // namespace tenon::model
