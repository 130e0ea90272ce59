// Matrix products on oneDNN, for weights that are packed once and for attention.
//
//   Linear:   Y[m, r] = sum_k X[m, k] * W[r, k]      W: a layer's weights, [rows, columns] as GGUF stores them
//   Scores:   S[a, b] = sum_k Q[a, k] * K[b, k]      Weighted:  O[a, d] = sum_b P[a, b] * V[b, d]
//
// W is cut into shards of rows, one for each thread, each packed in the layout that oneDNN chooses; a shard's result
// lies by itself, [m, shard rows], because oneDNN is several times slower on results with a stride. Operands are
// float or BFloat16 (T), results float.
//
// Source: oneDNN 2.6, https://oneapi-src.github.io/oneDNN/v2.6. Where we differ from its default: each primitive runs
// on the thread that calls it, with scratch memory of that thread; WorkerPool divides the work.
// Cost: making a primitive takes 0.2 to 1 ms, so they are kept by shape; callers round shapes up to keep them few.
// Thread rule: PackedWeights is immutable; of a MatmulRunner Prepare… is called by one thread, then the products run
// concurrently in different slots. Everything here may throw dnnl::error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tenon::model {

enum class Operand : uint8_t { kFloat32, kBFloat16 };

// This processor multiplies bfloat16 natively.
bool HasFastBFloat16();
// Makes OpenMP inside oneDNN and libtorch run in the calling thread alone.
void KeepOpenMpInThisThread();

class PackedWeights {
 public:
  // fill_row writes row r, `columns` floats. shard_rows: how many rows each shard has.
  PackedWeights(int columns, std::vector<int> shard_rows, Operand operand,
                const std::function<void(int row, float* out)>& fill_row);
  ~PackedWeights();
  PackedWeights(PackedWeights&&) noexcept;
  PackedWeights& operator=(PackedWeights&&) noexcept;

  int columns() const { return columns_; }
  int shards() const { return static_cast<int>(shard_rows_.size()); }
  int shard_rows(int shard) const { return shard_rows_[shard]; }

 private:
  friend class MatmulRunner;
  struct Shards;
  int columns_;
  std::vector<int> shard_rows_;
  std::unique_ptr<Shards> packed_;
};

// A product of a fixed shape, ready to run; owned by the MatmulRunner that prepared it.
struct Product;

class MatmulRunner {
 public:
  MatmulRunner(int slots, Operand operand);
  ~MatmulRunner();

  // Every shard of `weights` with rows of equal number shares one Product.
  const Product* PrepareLinear(const PackedWeights& weights, int shard, int m);
  // Row length of q, k: depth; of s: keys.
  const Product* PrepareScores(int queries, int keys, int depth);
  const Product* PrepareWeighted(int queries, int keys, int depth);

  void Linear(const Product* product, int slot, const void* x, const PackedWeights& weights, int shard, float* y);
  void Multiply(const Product* product, int slot, const void* left, const void* right, float* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tenon::model
