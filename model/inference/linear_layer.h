// One linear layer of a network: y = x * transpose(W), for stored matrices with the same input.
//
// The rows of W are cut into pieces, which threads claim one by one. A piece has its results in an
// array of its own, [rows of x, rows of the piece], so that the next step can use them while they
// are still in the cache of the thread's core. Matrices with the same input are one layer; a piece
// may hold rows of two matrices that the next step needs together. Example: the gate and the up
// projection, 4 rows each, pieces of 2 rows of both.
//
//   piece 0   gate rows 0 1, up rows 0 1
//   piece 1   gate rows 2 3, up rows 2 3
//
// Two forms of W:
//   blocks   the values as the file stores them, or floats as Q8_0, in panels
//            (kernels/panel_matrix.h) that are made once, or were kept (kept_panels.h); activations
//            become 8-bit integers
//   packed   floats or bfloat16 in oneDNN's layout (kernels/matmul.h), as many pieces as threads
// Either may have an adapter's change beside it (low_rank_layer.h, low_rank_blocks.h), whose result
// is added to a piece's.
// Cost: blocks take the memory that they take in the file; packed weights 4 or 2 bytes a weight.
// Thread rule: immutable once made and adapted.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/file/file.h"
#include "model/inference/low_rank_blocks.h"
#include "model/inference/low_rank_layer.h"
#include "model/inference/matrix_rows.h"
#include "model/inference/weight_memory.h"
#include "model/kernels/kernels.h"

namespace tenon::model {

class LinearLayer {
 public:
  // Lays rows of one of the matrices out in panels, at `out`.
  using PackRows = std::function<PanelMatrix(const MatrixRows& rows, uint8_t* out)>;
  // Panels of rows that are at hand; nothing: they have to be made.
  using FindPanels = std::function<std::optional<PanelMatrix>(const MatrixRows& rows)>;
  // formats: of the blocks of each matrix. pieces: the rows of each piece, in their order in the
  // piece. Panels that `find` does not give are made by `pack`, and lie in `memory`.
  LinearLayer(const std::vector<BlockFormat>& formats, int columns,
              std::vector<std::vector<MatrixRows>> pieces, const PackRows& pack,
              WeightMemory& memory, const FindPanels& find);
  // A piece is a shard of `packed`.
  LinearLayer(PackedWeights packed, std::vector<std::vector<MatrixRows>> pieces);

  int pieces() const { return static_cast<int>(pieces_.size()); }
  int piece_rows(int piece) const { return piece_rows_[piece]; }
  int columns() const { return columns_; }
  // The stretches of rows of the piece.
  const std::vector<MatrixRows>& rows_of(int piece) const { return pieces_[piece]; }
  // nullptr: the layer has blocks.
  const PackedWeights* packed() const { return packed_ ? &*packed_ : nullptr; }
  // A panel matrix for each stretch of rows of the piece, in their order. REQUIRES: the layer has
  // blocks.
  const std::vector<PanelMatrix>& panels_of(int piece) const { return panels_[piece]; }
  // Were there panels that `find` did not give?
  bool made_panels() const { return made_panels_; }

  // Puts an adapter's changes beside the weights; without a change nothing happens. The changes of
  // a layer of blocks lie in `memory`.
  void Adapt(const std::vector<MatrixChange>& changes, WeightMemory& memory);
  // nullptr: no adapter changes the layer, or it has the other form.
  const LowRankLayer* packed_change() const { return change_ ? &*change_ : nullptr; }
  const LowRankBlocks* block_change() const { return block_change_ ? &*block_change_ : nullptr; }

 private:
  std::vector<std::vector<MatrixRows>> pieces_;
  std::vector<int> piece_rows_;
  int columns_ = 0;
  std::vector<std::vector<PanelMatrix>> panels_;  // [piece][stretch]
  bool made_panels_ = false;
  std::optional<PackedWeights> packed_;
  std::optional<LowRankLayer> change_;
  std::optional<LowRankBlocks> block_change_;
};

// How the rows of a layer of several matrices are dealt to its pieces.
enum class Dealing : uint8_t {
  kOneAfterTheOther,  // no piece has rows of two matrices
  kSideBySide         // each piece has the same rows of every matrix
};

// Which matrices are in blocks.
enum class BlocksOf : uint8_t {
  kNothing,
  kStoredBlocks,  // those that the file stores in blocks
  kAll            // and those of floats, as Q8_0, if their rows are whole blocks
};

// True where the kernels multiply the tensor's blocks as they are stored.
bool IsStoredInBlocks(const GgufTensor& tensor);
// A layer of `tensors`, whose rows are dealt in pieces of a multiple of `grain` rows where their
// number allows it. The layer is of blocks if all its matrices are, by `blocks`; its panels are
// those of `kept`, or lie in `memory` then. Else it is packed for `threads` threads. Nothing of the
// tensors is kept. May throw dnnl::error and std::bad_alloc.
LinearLayer MakeLinearLayer(const std::vector<const GgufTensor*>& tensors, Dealing dealing,
                            BlocksOf blocks, int grain, int threads, Operand operand,
                            WeightMemory& memory, const PanelFile* kept = nullptr);

}  // namespace tenon::model
