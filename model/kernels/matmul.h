// Matrix products on oneDNN: for weights that are packed once, and for attention.
//
//   Linear     Y[m, r] = sum over k of X[m, k] * W[r, k]    W: a layer's weights, [rows, columns]
//   Scores     S[a, b] = sum over k of Q[a, k] * K[b, k]
//   Weighted   O[a, d] = sum over b of P[a, b] * V[b, d]
//
// Operands (X, W, Q, K, P, V) are float or BFloat16. Results are float.
//
// Shards. W is cut by rows, one shard for each thread, so that threads share a product without
// waiting for each other. Example: W of 6 rows on 2 threads.
//
//       W                         results, one array after the other
//   row 0  +---------+
//   row 1  | shard 0 |  thread 0  [m, 3]
//   row 2  +---------+
//   row 3  +---------+
//   row 4  | shard 1 |  thread 1  [m, 3]
//   row 5  +---------+
//
// A shard's result is an array of its own, because oneDNN is several times slower on a result with
// a stride.
//
// Source: oneDNN 2.6, https://oneapi-src.github.io/oneDNN/v2.6. A shard is packed in the layout
// that oneDNN chooses. Where we differ from oneDNN's default: each primitive (oneDNN's word for an
// operation compiled for one shape) runs on the thread that calls it, with scratch memory of that
// thread; WorkerPool divides the work.
// Cost: making a primitive takes 0.2 to 1 ms. Primitives are kept by shape; callers round shapes
// up so that few shapes occur.
// Thread rule: PackedWeights is immutable. The Prepare... functions of a MatmulRunner are called
// by one thread; after them Linear and Multiply may run concurrently in different slots. Every
// function here may throw dnnl::error.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace tenon::model {

enum class Operand : uint8_t { kFloat32, kBFloat16 };

// True where this processor multiplies bfloat16 natively (AVX-512 BF16, AMX).
bool HasFastBFloat16();
// Makes OpenMP inside oneDNN and libtorch run in the calling thread alone.
void KeepOpenMpInThisThread();

class PackedWeights {
 public:
  // fill_row(r, out) writes row r, `columns` floats; it is called once for each row, in order.
  // shard_rows: the number of rows of each shard.
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

// A product of a fixed shape, ready to run. The MatmulRunner that prepared a Product owns it.
struct Product;

class MatmulRunner {
 public:
  // slots: the number of threads that may multiply at once (WorkerPool::slots).
  MatmulRunner(int slots, Operand operand);
  ~MatmulRunner();

  // m: the number of rows of X. Shards of the same shape share one Product.
  const Product* PrepareLinear(const PackedWeights& weights, int shard, int m);
  // depth: the row length of Q, K and V; keys: the rows of K and V.
  const Product* PrepareScores(int queries, int keys, int depth);
  const Product* PrepareWeighted(int queries, int keys, int depth);

  // x: [m, columns] operands; y: [m, shard rows] floats.
  void Linear(const Product* product, int slot, const void* x, const PackedWeights& weights,
              int shard, float* y);
  // For a Product of PrepareScores or PrepareWeighted.
  void Multiply(const Product* product, int slot, const void* left, const void* right, float* out);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace tenon::model
