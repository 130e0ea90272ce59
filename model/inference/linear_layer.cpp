#include "model/inference/linear_layer.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace tenon::model {
namespace {

// Rows of a piece of blocks: enough work that claiming a piece costs nothing (some microseconds for
// one row of x), few enough that threads of different speed end together.
constexpr int kPieceRows = 64;

std::optional<BlockFormat> FormatOf(TensorType type) {
  switch (type) {
    case TensorType::kQ4_0:
      return BlockFormat::kQ4_0;
    case TensorType::kQ4_1:
      return BlockFormat::kQ4_1;
    case TensorType::kQ5_0:
      return BlockFormat::kQ5_0;
    case TensorType::kQ5_1:
      return BlockFormat::kQ5_1;
    case TensorType::kQ8_0:
      return BlockFormat::kQ8_0;
    case TensorType::kQ2_K:
      return BlockFormat::kQ2_K;
    case TensorType::kQ3_K:
      return BlockFormat::kQ3_K;
    case TensorType::kQ4_K:
      return BlockFormat::kQ4_K;
    case TensorType::kQ5_K:
      return BlockFormat::kQ5_K;
    case TensorType::kQ6_K:
      return BlockFormat::kQ6_K;
    case TensorType::kIQ4_NL:
      return BlockFormat::kIq4Nl;
    case TensorType::kIQ4_XS:
      return BlockFormat::kIq4Xs;
    case TensorType::kF32:
    case TensorType::kF16:
    case TensorType::kBF16:
      return std::nullopt;
  }
  return std::nullopt;
}

BlockMatrix MatrixOf(const GgufTensor& tensor) {
  return {*FormatOf(tensor.type), static_cast<int>(tensor.rows()),
          static_cast<int>(tensor.columns()), tensor.row_bytes(), tensor.data.data()};
}

// Cuts `rows` into at most `pieces` lengths, none zero, that are multiples of `grain` where the rows
// divide by it.
std::vector<int> Cut(int rows, int pieces, int grain) {
  // Even lengths keep the pairs of a rotation together.
  if (rows % grain != 0) grain = rows % 2 == 0 ? 2 : 1;
  const int grains = rows / grain;
  pieces = std::min(pieces, grains);
  std::vector<int> lengths;
  for (int i = 0; i < pieces; ++i)
    lengths.push_back((grains * (i + 1) / pieces - grains * i / pieces) * grain);
  return lengths;
}

// Dealt to about `wanted` pieces: for each piece the rows of each tensor.
struct Rows {
  size_t tensor = 0;
  int first = 0;
  int count = 0;
};
std::vector<std::vector<Rows>> Deal(const std::vector<const GgufTensor*>& tensors, Dealing dealing,
                                    int grain, int wanted) {
  std::vector<std::vector<Rows>> pieces;
  if (dealing == Dealing::kSideBySide) {
    int first = 0;
    for (const int length : Cut(static_cast<int>(tensors[0]->rows()), wanted, grain)) {
      std::vector<Rows>& piece = pieces.emplace_back();
      for (size_t t = 0; t < tensors.size(); ++t) piece.push_back({t, first, length});
      first += length;
    }
    return pieces;
  }
  const int all = std::accumulate(
      tensors.begin(), tensors.end(), 0,
      [](int sum, const GgufTensor* tensor) { return sum + static_cast<int>(tensor->rows()); });
  for (size_t t = 0; t < tensors.size(); ++t) {
    const auto rows = static_cast<int>(tensors[t]->rows());
    const auto share = static_cast<int>(static_cast<int64_t>(wanted) * rows / all);
    int first = 0;
    for (const int length : Cut(rows, std::max(1, share), grain)) {
      pieces.push_back({{t, first, length}});
      first += length;
    }
  }
  return pieces;
}

LinearLayer InBlocks(const std::vector<const GgufTensor*>& tensors, Dealing dealing, int grain) {
  const auto most = (*std::max_element(tensors.begin(), tensors.end(), [](auto* a, auto* b) {
                      return a->rows() < b->rows();
                    }))->rows();
  int all = static_cast<int>(most);
  if (dealing == Dealing::kOneAfterTheOther) {
    all = 0;
    for (const GgufTensor* tensor : tensors) all += static_cast<int>(tensor->rows());
  }
  std::vector<std::vector<BlockRows>> pieces;
  for (const std::vector<Rows>& dealt :
       Deal(tensors, dealing, grain, std::max(1, all / std::max(grain, kPieceRows)))) {
    std::vector<BlockRows>& piece = pieces.emplace_back();
    for (const Rows& rows : dealt)
      piece.push_back({MatrixOf(*tensors[rows.tensor]), rows.first, rows.count});
  }
  return LinearLayer(std::move(pieces));
}

LinearLayer Packed(const std::vector<const GgufTensor*>& tensors, Dealing dealing, int grain,
                   int threads, Operand operand) {
  // [packed row] a tensor and its row.
  std::vector<std::pair<const GgufTensor*, int>> source;
  std::vector<int> piece_rows;
  if (dealing == Dealing::kSideBySide) {
    for (const std::vector<Rows>& piece : Deal(tensors, dealing, grain, threads)) {
      const size_t before = source.size();
      for (const Rows& rows : piece) {
        for (int i = 0; i < rows.count; ++i)
          source.emplace_back(tensors[rows.tensor], rows.first + i);
      }
      piece_rows.push_back(static_cast<int>(source.size() - before));
    }
  } else {
    // oneDNN's products are faster on few large shards, so these may cross from one tensor to the
    // next.
    for (const GgufTensor* tensor : tensors) {
      for (int i = 0; i < static_cast<int>(tensor->rows()); ++i) source.emplace_back(tensor, i);
    }
    piece_rows = Cut(static_cast<int>(source.size()), threads, grain);
  }
  const auto columns = tensors[0]->columns();
  return LinearLayer(
      PackedWeights(static_cast<int>(columns), piece_rows, operand, [&](int row, float* out) {
        const auto [tensor, at] = source[row];
        DequantizeRows(*tensor, static_cast<uint64_t>(at), {out, columns});
      }));
}

}  // namespace

LinearLayer::LinearLayer(std::vector<std::vector<BlockRows>> pieces) : blocks_(std::move(pieces)) {
  for (const std::vector<BlockRows>& piece : blocks_) {
    piece_rows_.push_back(
        std::accumulate(piece.begin(), piece.end(), 0,
                        [](int sum, const BlockRows& rows) { return sum + rows.rows; }));
  }
}

LinearLayer::LinearLayer(PackedWeights packed) : packed_(std::move(packed)) {
  for (int i = 0; i < packed_->shards(); ++i) piece_rows_.push_back(packed_->shard_rows(i));
}

int LinearLayer::columns() const {
  return packed_ ? packed_->columns() : blocks_.front().front().matrix.columns;
}

bool IsStoredInBlocks(const GgufTensor& tensor) { return FormatOf(tensor.type).has_value(); }

LinearLayer MakeLinearLayer(const std::vector<const GgufTensor*>& tensors, Dealing dealing,
                            bool in_blocks, int grain, int threads, Operand operand) {
  assert(!tensors.empty() && "a layer has a matrix");
  const bool stored = std::all_of(tensors.begin(), tensors.end(), [](const GgufTensor* tensor) {
    return IsStoredInBlocks(*tensor);
  });
  return in_blocks && stored ? InBlocks(tensors, dealing, grain)
                             : Packed(tensors, dealing, grain, threads, operand);
}

}  // namespace tenon::model
