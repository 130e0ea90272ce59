// The product of a linear layer with the rows of a stretch, piece by piece: y = x * transpose(W),
// with the change of an adapter where the layer has one.
//
// The rows of W lie in pieces (linear_layer.h). The threads of the pool share the pieces, and the
// caller uses the results of a piece while they are in the core's cache. Example: a layer of 1,536
// rows in 4 pieces, for 8 tokens.
//
//   Run(layer, x, rows, use)
//     thread 1   y = x * transpose(rows 0 .. 383)      use(0, 384, y)       y: [8, 384]
//     thread 2   y = x * transpose(rows 384 .. 767)    use(384, 384, y)
//     ...
//
// A layer has one of two forms. Packed floats are multiplied by oneDNN (kernels/matmul.h), and x
// are its operands. Stored blocks are multiplied by loops of our own (kernels/block_matmul.h), and
// x is rounded to 8 bits first, or to bfloat16. An adapter's change has two steps, low_rank_layer.h
// and low_rank_blocks.h: x is narrowed to the rank before the pieces, and widened in each of them.
//
// Inside the room only. Cost: 80 to 95 % of the time of a forward pass. Thread rule: Run by one
// thread at a time; `use` runs on all threads of the pool.
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "model/inference/converted_numbers.h"
#include "model/inference/linear_layer.h"
#include "model/inference/stretch_rows.h"
#include "model/inference/tensor_memory.h"
#include "model/kernels/kernels.h"

namespace tenon::model {

// T: the type of x, float or BFloat16.
template <typename T>
class LayerProducts {
 public:
  // widest: the most numbers of a row of x, and of a row of y. REQUIRES: pool and matmul outlive
  // this.
  LayerProducts(WorkerPool& pool, MatmulRunner& matmul, int max_rows, int widest)
      : pool_(pool), matmul_(matmul), results_({max_rows, widest}) {
    floats_.Reserve(pool.slots(), static_cast<size_t>(widest));
  }

  // use(first row of the piece in W, rows of the piece, y): y is [rows.count, rows of the piece],
  // and may be changed.
  template <typename Use>
  void Run(const LinearLayer& layer, const T* x, const StretchRows& rows, const Use& use) {
    int begin = 0;
    begins_.clear();
    for (int piece = 0; piece < layer.pieces(); ++piece) {
      begins_.push_back(begin);
      begin += layer.piece_rows(piece);
    }
    if (layer.packed_change()) NarrowForChange(*layer.packed_change(), x, rows.count);
    if (layer.packed()) {
      PackedProducts(layer, x, rows, use);
    } else if constexpr (std::is_same_v<T, float>) {
      BlockProducts(layer, x, rows, use);
    }
  }

 private:
  // Rows of x in one piece of the first step of a change in blocks.
  static constexpr int kChangedRows = 64;
  // Ranks of a change in one piece: their rows of A stay in the first-level cache.
  static constexpr int kRanksOfPiece = 8;

  float* ResultsOf(int piece, const StretchRows& rows) {
    return results_.data() + static_cast<size_t>(begins_[piece]) * rows.computed;
  }

  template <typename Use>
  void PackedProducts(const LinearLayer& layer, const void* x, const StretchRows& rows,
                      const Use& use) {
    const PackedWeights& weights = *layer.packed();
    std::vector<const Product*> products;
    for (int shard = 0; shard < weights.shards(); ++shard)
      products.push_back(matmul_.PrepareLinear(weights, shard, rows.computed));
    pool_.Run(weights.shards(), [&](int shard, int slot) {
      float* y = ResultsOf(shard, rows);
      matmul_.Linear(products[shard], slot, x, weights, shard, y);
      AddChange(layer, shard, rows.count, y);
      use(begins_[shard], weights.shard_rows(shard), y);
    });
  }

  template <typename Use>
  void BlockProducts(const LinearLayer& layer, const float* x, const StretchRows& rows,
                     const Use& use) {
    const int columns = layer.columns();
    activations_.Resize(rows.count, columns, block_matmul_.FormFor(rows.count));
    EachRow(pool_, rows.count,
            [&](int i) { activations_.Write(i, x + static_cast<size_t>(i) * columns); });
    const LowRankBlocks* change = layer.block_change();
    if (change) NarrowForBlockChange(*change, rows.count);
    pool_.Run(layer.pieces(), [&](int piece, int) {
      const int length = layer.piece_rows(piece);
      float* y = ResultsOf(piece, rows);
      int at = 0;
      for (const PanelMatrix& panels : layer.panels_of(piece)) {
        block_matmul_.Multiply(panels, activations_, {0, rows.count}, y + at, length);
        at += panels.rows;
      }
      if (change) {
        for (const LowRankBlocks::Stretch& stretch : change->stretches(piece)) {
          block_matmul_.Multiply(stretch.b, inner_activations_[stretch.change], {0, rows.count},
                                 y + stretch.at, length, BlockMatmul::Into::kAdd);
        }
      }
      use(begins_[piece], length, y);
    });
  }

  // The first step of a change in blocks: inner_activations_, of all rows of activations_.
  void NarrowForBlockChange(const LowRankBlocks& change, int rows) {
    inner_activations_.resize(change.changes());
    int widest = 0;
    for (int c = 0; c < change.changes(); ++c) {
      inner_activations_[c].Resize(rows, change.padded_rank(c), activations_.form());
      widest = std::max(widest, change.padded_rank(c));
    }
    inner_.resize(static_cast<size_t>(pool_.slots()) * kChangedRows * widest);
    const int stretches = (rows + kChangedRows - 1) / kChangedRows;
    pool_.Run(change.changes() * stretches, [&](int piece, int slot) {
      const int c = piece / stretches, first = piece % stretches * kChangedRows;
      const int count = std::min(kChangedRows, rows - first), rank = change.padded_rank(c);
      float* inner = inner_.data() + static_cast<size_t>(slot) * kChangedRows * widest;
      change.Narrow(block_matmul_, c, activations_, first, count, inner);
      for (int i = 0; i < count; ++i)
        inner_activations_[c].Write(first + i, inner + static_cast<size_t>(i) * rank);
    });
  }

  // The first step of a change in floats: inner_ of all rows of x.
  void NarrowForChange(const LowRankLayer& change, const T* x, int rows) {
    const auto columns = static_cast<size_t>(change.columns());
    const int ranks = change.ranks();
    inner_.resize(static_cast<size_t>(rows) * ranks);
    const int groups = (ranks + kRanksOfPiece - 1) / kRanksOfPiece;
    pool_.Run((rows + kRowsOfPiece - 1) / kRowsOfPiece * groups, [&](int piece, int slot) {
      const int first = piece % groups * kRanksOfPiece;
      const int first_row = piece / groups * kRowsOfPiece;
      for (int i = first_row; i < std::min(rows, first_row + kRowsOfPiece); ++i) {
        change.Narrow(floats_.Of(x + i * columns, columns, slot), first,
                      std::min(kRanksOfPiece, ranks - first),
                      inner_.data() + static_cast<size_t>(i) * ranks);
      }
    });
  }

  // The second step: adds the change of a piece to its results y.
  void AddChange(const LinearLayer& layer, int piece, int rows, float* y) {
    const LowRankLayer* change = layer.packed_change();
    if (!change) return;
    for (int i = 0; i < rows; ++i) {
      change->Widen(piece, inner_.data() + static_cast<size_t>(i) * change->ranks(),
                    y + static_cast<size_t>(i) * layer.piece_rows(piece));
    }
  }

  WorkerPool& pool_;
  MatmulRunner& matmul_;
  const BlockMatmul block_matmul_;

  std::vector<int> begins_;     // [piece] its first row in the layer
  Tensor<float> results_;       // y of the pieces, one after the other
  ActivationRows activations_;  // x, for a layer of stored blocks
  // x narrowed to the rank of a change: [rows, ranks], or scratch memory of the slots.
  std::vector<float> inner_;
  std::vector<ActivationRows> inner_activations_;  // [change]
  ConvertedNumbers<T, float> floats_;              // a row of x
};

}  // namespace tenon::model
