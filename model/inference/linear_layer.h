// One linear layer of a network: y = x * transpose(W), for some stored matrices with the same input.
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
//   blocks   the file's own bytes (kernels/block_matmul.h); activations become 8-bit integers
//   packed   floats or bfloat16 in oneDNN's layout (kernels/matmul.h), as many pieces as threads
// Cost: blocks need no memory of their own; packed weights 4 or 2 bytes a weight.
// Thread rule: immutable once made.
#pragma once

#include <optional>
#include <vector>

#include "model/file/file.h"
#include "model/kernels/kernels.h"

namespace tenon::model {

// Rows [first_row, first_row + rows) of a stored matrix.
struct BlockRows {
  BlockMatrix matrix;
  int first_row = 0;
  int rows = 0;
};

class LinearLayer {
 public:
  // The rows of each piece come from the lists of rows of `pieces`.
  explicit LinearLayer(std::vector<std::vector<BlockRows>> pieces);
  explicit LinearLayer(PackedWeights packed);

  int pieces() const { return static_cast<int>(piece_rows_.size()); }
  int piece_rows(int piece) const { return piece_rows_[piece]; }
  // nullptr: the layer has blocks.
  const PackedWeights* packed() const { return packed_ ? &*packed_ : nullptr; }
  const std::vector<BlockRows>& blocks(int piece) const { return blocks_[piece]; }
  int columns() const;

 private:
  std::vector<int> piece_rows_;
  std::vector<std::vector<BlockRows>> blocks_;
  std::optional<PackedWeights> packed_;
};

// How the rows of a layer of several matrices are dealt to its pieces.
enum class Dealing : uint8_t {
  kOneAfterTheOther,  // no piece has rows of two matrices
  kSideBySide         // each piece has the same rows of every matrix
};

// True where the kernels multiply the tensor's blocks as they are stored.
bool IsStoredInBlocks(const GgufTensor& tensor);
// A layer of `tensors`, whose rows are dealt in pieces of a multiple of `grain` rows where their
// number allows it. The layer is of blocks if `in_blocks` and every tensor is stored in blocks; then it
// views the tensors' bytes. Else it is packed for `threads` threads, and nothing of the tensors
// is kept. May throw dnnl::error.
LinearLayer MakeLinearLayer(const std::vector<const GgufTensor*>& tensors, Dealing dealing,
                            bool in_blocks, int grain, int threads, Operand operand);

}  // namespace tenon::model
