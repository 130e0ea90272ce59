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

// The blocks that floats become.
constexpr BlockFormat kQuantized = BlockFormat::kQ8_0;

// Panels of some rows of a tensor of floats. REQUIRES: its rows are whole blocks.
PanelMatrix PackQuantized(const GgufTensor& tensor, const MatrixRows& rows, uint8_t* out) {
  const size_t columns = tensor.columns(), row_bytes = columns / kQ8Values * kQ8Bytes;
  std::vector<float> row(columns);
  std::vector<std::byte> blocks(row_bytes * static_cast<size_t>(rows.count));
  for (int i = 0; i < rows.count; ++i) {
    DequantizeRows(tensor, static_cast<uint64_t>(rows.first + i), row);
    QuantizeToQ8_0(row, blocks.data() + row_bytes * static_cast<size_t>(i));
  }
  return PackPanels({kQuantized, rows.count, static_cast<int>(columns), row_bytes, blocks.data()},
                    0, rows.count, out);
}

bool MayBeInBlocks(const GgufTensor& tensor, BlocksOf blocks) {
  if (blocks == BlocksOf::kNothing) return false;
  return IsStoredInBlocks(tensor) ||
         (blocks == BlocksOf::kAll && tensor.columns() % kQ8Values == 0);
}

// Cuts `rows` into at most `pieces` lengths, none zero, that are multiples of `grain` where the
// rows divide by it.
std::vector<int> Cut(int rows, int pieces, int grain) {
  // Even lengths keep the pairs of a rotation together.
  if (rows % grain != 0) grain = rows % 2 == 0 ? 2 : 1;
  const int64_t grains = rows / grain;  // its product with `pieces` may exceed 32 bits
  pieces = static_cast<int>(std::min<int64_t>(pieces, grains));
  std::vector<int> lengths;
  for (int i = 0; i < pieces; ++i) {
    const int64_t of_piece = grains * (i + 1) / pieces - grains * i / pieces;
    lengths.push_back(static_cast<int>(of_piece) * grain);
  }
  return lengths;
}

// The rows of `tensors`, dealt to about `wanted` pieces.
std::vector<std::vector<MatrixRows>> Deal(const std::vector<const GgufTensor*>& tensors,
                                          Dealing dealing, int grain, int wanted) {
  std::vector<std::vector<MatrixRows>> pieces;
  const auto matrices = static_cast<int>(tensors.size());
  if (dealing == Dealing::kSideBySide) {
    int first = 0;
    for (const int length : Cut(static_cast<int>(tensors[0]->rows()), wanted, grain)) {
      std::vector<MatrixRows>& piece = pieces.emplace_back();
      for (int matrix = 0; matrix < matrices; ++matrix) piece.push_back({matrix, first, length});
      first += length;
    }
    return pieces;
  }
  const int all = std::accumulate(
      tensors.begin(), tensors.end(), 0,
      [](int sum, const GgufTensor* tensor) { return sum + static_cast<int>(tensor->rows()); });
  for (int matrix = 0; matrix < matrices; ++matrix) {
    const auto rows = static_cast<int>(tensors[matrix]->rows());
    const auto share = static_cast<int>(static_cast<int64_t>(wanted) * rows / all);
    int first = 0;
    for (const int length : Cut(rows, std::max(1, share), grain)) {
      pieces.push_back({{matrix, first, length}});
      first += length;
    }
  }
  return pieces;
}

// The rows of `tensors`, one after the other, dealt to at most `wanted` pieces of nearly the same
// length. A piece may have rows of two tensors.
std::vector<std::vector<MatrixRows>> DealEvenly(const std::vector<const GgufTensor*>& tensors,
                                                int grain, int wanted) {
  int all = 0;
  for (const GgufTensor* tensor : tensors) all += static_cast<int>(tensor->rows());
  std::vector<std::vector<MatrixRows>> pieces;
  int matrix = 0, first = 0;
  for (int left : Cut(all, wanted, grain)) {
    std::vector<MatrixRows>& piece = pieces.emplace_back();
    while (left > 0) {
      const int count = std::min(left, static_cast<int>(tensors[matrix]->rows()) - first);
      piece.push_back({matrix, first, count});
      left -= count;
      first += count;
      if (first < static_cast<int>(tensors[matrix]->rows())) continue;
      ++matrix;
      first = 0;
    }
  }
  return pieces;
}

// The panels of some rows as the file has them. Untrusted: they must be those of this very matrix.
std::optional<PanelMatrix> KeptPanels(const PanelFile& kept, const GgufTensor& tensor,
                                      BlockFormat format, const MatrixRows& rows) {
  const auto columns = static_cast<int>(tensor.columns());
  const auto found =
      kept.Find(tensor.name, static_cast<uint32_t>(rows.first), static_cast<uint32_t>(rows.count));
  if (!found || found->format != static_cast<uint32_t>(format) ||
      found->columns != static_cast<uint32_t>(columns) ||
      found->data.size() != PanelBytes(format, rows.count, columns))
    return std::nullopt;
  return PanelMatrix{format, rows.count, columns,
                     reinterpret_cast<const uint8_t*>(found->data.data())};
}

LinearLayer InBlocks(const std::vector<const GgufTensor*>& tensors, Dealing dealing, int grain,
                     WeightMemory& memory, const PanelFile* kept) {
  const auto most = (*std::max_element(tensors.begin(), tensors.end(), [](auto* a, auto* b) {
                      return a->rows() < b->rows();
                    }))->rows();
  int all = static_cast<int>(most);
  if (dealing == Dealing::kOneAfterTheOther) {
    all = 0;
    for (const GgufTensor* tensor : tensors) all += static_cast<int>(tensor->rows());
  }
  std::vector<BlockFormat> formats;
  for (const GgufTensor* tensor : tensors)
    formats.push_back(FormatOf(tensor->type).value_or(kQuantized));
  return {formats,
          static_cast<int>(tensors[0]->columns()),
          Deal(tensors, dealing, grain, std::max(1, all / std::max(grain, kPieceRows))),
          [&](const MatrixRows& rows, uint8_t* out) {
            const GgufTensor& tensor = *tensors[rows.matrix];
            return IsStoredInBlocks(tensor)
                       ? PackPanels(MatrixOf(tensor), rows.first, rows.count, out)
                       : PackQuantized(tensor, rows, out);
          },
          memory,
          [&](const MatrixRows& rows) {
            return kept ? KeptPanels(*kept, *tensors[rows.matrix], formats[rows.matrix], rows)
                        : std::nullopt;
          }};
}

LinearLayer Packed(const std::vector<const GgufTensor*>& tensors, Dealing dealing, int grain,
                   int threads, Operand operand) {
  // oneDNN's products are faster on few large shards, so these may cross from one tensor to the
  // next.
  auto pieces = dealing == Dealing::kSideBySide ? Deal(tensors, dealing, grain, threads)
                                                : DealEvenly(tensors, grain, threads);
  // [packed row] a tensor and its row.
  std::vector<std::pair<const GgufTensor*, int>> source;
  std::vector<int> piece_rows;
  for (const std::vector<MatrixRows>& piece : pieces) {
    const size_t before = source.size();
    for (const MatrixRows& rows : piece) {
      for (int i = 0; i < rows.count; ++i)
        source.emplace_back(tensors[rows.matrix], rows.first + i);
    }
    piece_rows.push_back(static_cast<int>(source.size() - before));
  }
  const auto columns = tensors[0]->columns();
  return {PackedWeights(static_cast<int>(columns), piece_rows, operand,
                        [&](int row, float* out) {
                          const auto [tensor, at] = source[row];
                          DequantizeRows(*tensor, static_cast<uint64_t>(at), {out, columns});
                        }),
          std::move(pieces)};
}

// The number of rows of each piece.
std::vector<int> Lengths(const std::vector<std::vector<MatrixRows>>& pieces) {
  std::vector<int> lengths;
  for (const std::vector<MatrixRows>& piece : pieces) {
    lengths.push_back(
        std::accumulate(piece.begin(), piece.end(), 0,
                        [](int sum, const MatrixRows& rows) { return sum + rows.count; }));
  }
  return lengths;
}

}  // namespace

LinearLayer::LinearLayer(const std::vector<BlockFormat>& formats, int columns,
                         std::vector<std::vector<MatrixRows>> pieces, const PackRows& pack,
                         WeightMemory& memory, const FindPanels& find)
    : pieces_(std::move(pieces)), piece_rows_(Lengths(pieces_)), columns_(columns) {
  const auto size_of = [&](const MatrixRows& rows) {
    return PanelBytes(formats[rows.matrix], rows.count, columns_);
  };
  std::vector<std::pair<const MatrixRows*, PanelMatrix*>> missing;
  size_t size = 0;
  for (const std::vector<MatrixRows>& piece : pieces_) {
    std::vector<PanelMatrix>& panels = panels_.emplace_back(piece.size());
    for (size_t i = 0; i < piece.size(); ++i) {
      if (auto found = find(piece[i])) {
        panels[i] = *found;
      } else {
        missing.emplace_back(&piece[i], &panels[i]);
        size += size_of(piece[i]);
      }
    }
  }
  made_panels_ = !missing.empty();
  uint8_t* at = made_panels_ ? memory.Take(size) : nullptr;
  for (const auto& [rows, panels] : missing) {
    *panels = pack(*rows, at);
    at += size_of(*rows);
  }
}

LinearLayer::LinearLayer(PackedWeights packed, std::vector<std::vector<MatrixRows>> pieces)
    : pieces_(std::move(pieces)),
      piece_rows_(Lengths(pieces_)),
      columns_(packed.columns()),
      packed_(std::move(packed)) {}

void LinearLayer::Adapt(const std::vector<MatrixChange>& changes, WeightMemory& memory) {
  if (changes.empty()) return;
  if (packed_) {
    change_.emplace(changes, columns_, pieces_);
  } else {
    block_change_.emplace(changes, columns_, pieces_, memory);
  }
}

bool IsStoredInBlocks(const GgufTensor& tensor) { return FormatOf(tensor.type).has_value(); }

LinearLayer MakeLinearLayer(const std::vector<const GgufTensor*>& tensors, Dealing dealing,
                            BlocksOf blocks, int grain, int threads, Operand operand,
                            WeightMemory& memory, const PanelFile* kept) {
  assert(!tensors.empty() && "a layer has a matrix");
  const bool in_blocks =
      std::all_of(tensors.begin(), tensors.end(),
                  [blocks](const GgufTensor* tensor) { return MayBeInBlocks(*tensor, blocks); });
  return in_blocks ? InBlocks(tensors, dealing, grain, memory, kept)
                   : Packed(tensors, dealing, grain, threads, operand);
}

}  // namespace tenon::model
