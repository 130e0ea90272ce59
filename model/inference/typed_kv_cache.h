// The KV cache of tenon's own kernels.
//
// Each layer and key head has a row of keys and one of values, a position after the other, with
// room for more than are computed. Example: `Reserve(1)` makes room for 1,024 positions,
// `Reserve(1025)` for 2,048, but never for many more than a text may have.
//
//   Keys(layer 3, head 1)   k0 k1 k2 … | room |   [capacity, head_width], rotated
//
// Cost: growing copies all computed positions. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "model/inference/forward_pass.h"
#include "model/inference/tensor_memory.h"

namespace tenon::model {

// Room is a multiple of this number: products read so many keys at once.
inline constexpr int kKeyGrain = 64;

inline int RoundUp(int value, int grain) { return (value + grain - 1) / grain * grain; }

// K: the type of keys and values, float or BFloat16.
template <typename K>
class TypedKvCache final : public KvCache {
 public:
  TypedKvCache(const LlamaConfig& config, int max_tokens)
      : heads_(config.kv_heads),
        width_(config.head_width),
        max_tokens_(max_tokens),
        keys_(config.layers),
        values_(config.layers) {}

  // Makes room for the keys and values of positions [0, n), and keeps the ones it holds.
  void Reserve(int n) {
    if (n <= capacity_) return;
    int capacity = std::max(kFirstCapacity, capacity_);
    while (capacity < n) capacity *= 2;
    // The last stretch is rounded up to more rows than are wanted.
    capacity = std::min(capacity, max_tokens_ + kKeyGrain);
    Resize(RoundUp(std::max(n, capacity), kKeyGrain), *this, capacity_);
  }

  // Positions [0, n) of `other`, and room for these alone.
  void Take(const TypedKvCache& other, int n) { Resize(RoundUp(n, kKeyGrain), other, n); }

  int capacity() const { return capacity_; }
  size_t bytes() const override {
    return keys_.size() * 2 * static_cast<size_t>(heads_) * capacity_ * width_ * sizeof(K);
  }
  // [capacity, head_width]
  K* Keys(int layer, int head) { return Of(keys_[layer], head); }
  K* Values(int layer, int head) { return Of(values_[layer], head); }

 private:
  static constexpr int kFirstCapacity = 1024;

  void Resize(int capacity, const TypedKvCache& from, int n) {
    for (size_t layer = 0; layer < keys_.size(); ++layer) {
      for (auto list : {&TypedKvCache::keys_, &TypedKvCache::values_}) {
        Tensor<K> grown({heads_, capacity, width_});
        const Tensor<K>& old = (from.*list)[layer];
        for (int64_t head = 0; n > 0 && head < heads_; ++head) {
          std::copy_n(old.data() + head * from.capacity_ * width_, int64_t{n} * width_,
                      grown.data() + head * capacity * width_);
        }
        (this->*list)[layer] = std::move(grown);
      }
    }
    capacity_ = capacity;
  }
  K* Of(const Tensor<K>& cache, int head) {
    return cache.data() + static_cast<size_t>(head) * capacity_ * width_;
  }

  const int heads_, width_, max_tokens_;
  int capacity_ = 0;               // positions that there is room for
  std::vector<Tensor<K>> keys_;    // a layer: [kv_heads, capacity, head_width] K, rotated
  std::vector<Tensor<K>> values_;  // a layer: [kv_heads, capacity, head_width] K
};

}  // namespace tenon::model
