// The change that an adapter makes to a layer of stored blocks, in 8-bit blocks as well.
//
// As low_rank_layer.h, y += (x * transpose(A)) * transpose(scale * B), with A and B rounded to 8
// bits (format Q8_0) and multiplied by the kernels of the layer's own weights. Beside such weights,
// products of floats would take a tenth of the time of a prompt.
//
//   inner  = x * transpose(A)     x is the layer's input, which is in 8 bits already
//   inner  in 8 bits
//   y     += inner * transpose(B)
//
// A number of A or B is rounded by 0.4 % of the largest of its group of 32 at most. B's numbers are
// small, so they are divided by a power of two first, which `inner` is multiplied by: the 16-bit
// scales of blocks keep their precision then.
//
// Source: Hu and others 2021, LoRA, https://arxiv.org/abs/2106.09685, section 4.1.
// Cost: 1.1 bytes a number of A, and of B with its rank rounded up to 32. Thread rule: immutable
// once made.
#pragma once

#include <vector>

#include "model/inference/low_rank_layer.h"
#include "model/inference/matrix_rows.h"
#include "model/inference/weight_memory.h"
#include "model/kernels/kernels.h"

namespace tenon::model {

class LowRankBlocks {
 public:
  // The change of some rows of a piece: y[at ...] += inner of `change` * transpose(b).
  struct Stretch {
    int at = 0;
    int change = 0;
    PanelMatrix b;  // columns: the rank, rounded up
  };

  // pieces: the rows of each piece of the layer. The blocks lie in `memory`. REQUIRES: each b has
  // the rows of its matrix; columns is a multiple of ActivationRows::kGroup.
  LowRankBlocks(const std::vector<MatrixChange>& changes, int columns,
                const std::vector<std::vector<MatrixRows>>& pieces, WeightMemory& memory);

  int changes() const { return static_cast<int>(changes_.size()); }
  // The rank of a change, rounded up to a whole number of groups.
  int padded_rank(int change) const { return changes_[change].padded_rank; }
  // inner[i] = row first + i of x * transpose(A of the change), for i < count: [count, padded_rank]
  void Narrow(const BlockMatmul& matmul, int change, const ActivationRows& x, int first, int count,
              float* inner) const;
  const std::vector<Stretch>& stretches(int piece) const { return pieces_[piece]; }

 private:
  struct Change {
    PanelMatrix a;  // rows: the rank
    int padded_rank = 0;
    float factor = 1;  // of `inner`: the power of two that B was divided by
  };
  std::vector<Change> changes_;
  std::vector<std::vector<Stretch>> pieces_;
};

}  // namespace tenon::model
