// The change that an adapter makes to a linear layer, beside the layer's own weights.
//
// An adapter changes a matrix W by a product of two thin ones (peft_adapter.h): y = x *
// transpose(W) becomes x * transpose(W + scale * B A). W stays as the file stores it, and the
// change is computed apart, in two short steps:
//
//   inner = x * transpose(A)                   [rank], 16 numbers or so
//   y    += inner * transpose(scale * B)
//
// Example: W is 1,536 x 1,536, the rank 16. The change costs 2 * 16 * 1,536 products, 2 % of W's
// own.
//
// A layer may have several matrices with the same input (linear_layer.h). Their A are stacked, so
// `inner` has a stretch for each of them, and each piece of the layer adds the stretches that
// belong to its rows.
//
//   inner     | query: 16 | key: 16 | value: 16 |
//   piece 0   query rows 0-63      += 16 numbers of query * transpose(B of these rows)
//
// Source: Hu and others 2021, LoRA, https://arxiv.org/abs/2106.09685, section 4.1, without the
// merge at its end.
// Cost: 2 bytes a number of A and B, read once a token. Thread rule: immutable once made.
#pragma once

#include <span>
#include <vector>

#include "model/inference/matrix_rows.h"
#include "model/kernels/kernels.h"

namespace tenon::model {

// The change of one matrix of a layer.
struct MatrixChange {
  int matrix = 0;  // its number in the layer
  int rank = 0;
  std::span<const float> a;  // [rank, columns]
  std::vector<float> b;      // [rows, rank], with the adapter's scale
};

class LowRankLayer {
 public:
  // pieces: the rows of each piece of the layer. REQUIRES: each b has the rows of its matrix.
  LowRankLayer(const std::vector<MatrixChange>& changes, int columns,
               const std::vector<std::vector<MatrixRows>>& pieces);

  // The numbers of `inner`: the ranks of all changes.
  int ranks() const { return ranks_; }
  int columns() const { return columns_; }
  // inner[r] = x * A[r] for ranks [first, first + count). x: [columns].
  void Narrow(const float* x, int first, int count, float* inner) const;
  // Adds to y, [rows of the piece], the change of that piece. inner: [ranks].
  void Widen(int piece, const float* inner, float* y) const;

 private:
  // The change of a stretch of a piece's rows.
  struct Stretch {
    int at = 0;  // in the piece
    int rows = 0;
    int first_rank = 0;
    int ranks = 0;
    std::vector<BFloat16> b;  // [ranks, rows]
  };
  VectorKernels<BFloat16> kernels_ = KernelsForThisProcessor<BFloat16>();
  int columns_ = 0;
  int ranks_ = 0;
  std::vector<BFloat16> a_;  // [ranks, columns]
  std::vector<std::vector<Stretch>> pieces_;
};

}  // namespace tenon::model
