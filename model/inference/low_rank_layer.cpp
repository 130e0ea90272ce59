#include "model/inference/low_rank_layer.h"

#include <cassert>
#include <cstddef>

namespace tenon::model {

LowRankLayer::LowRankLayer(const std::vector<MatrixChange>& changes, int columns,
                           const std::vector<std::vector<MatrixRows>>& pieces)
    : columns_(columns), pieces_(pieces.size()) {
  for (const MatrixChange& change : changes) {
    const int first_rank = ranks_;
    ranks_ += change.rank;
    for (const float value : change.a) Round(value, a_.emplace_back());
    for (size_t piece = 0; piece < pieces.size(); ++piece) {
      int at = 0;
      for (const MatrixRows& rows : pieces[piece]) {
        if (rows.matrix == change.matrix) {
          Stretch& stretch =
              pieces_[piece].emplace_back(Stretch{at, rows.count, first_rank, change.rank, {}});
          for (int rank = 0; rank < change.rank; ++rank) {
            for (int row = rows.first; row < rows.first + rows.count; ++row) {
              const size_t place = static_cast<size_t>(row) * change.rank + rank;
              assert(place < change.b.size() && "the change has the rows of its matrix");
              Round(change.b[place], stretch.b.emplace_back());
            }
          }
        }
        at += rows.count;
      }
    }
  }
}

void LowRankLayer::Narrow(const float* x, int first, int count, float* inner) const {
  const auto columns = static_cast<size_t>(columns_);
  kernels_.scores(x, a_.data() + first * columns, static_cast<size_t>(count), columns,
                  inner + first);
}

void LowRankLayer::Widen(int piece, const float* inner, float* y) const {
  for (const Stretch& stretch : pieces_[piece]) {
    kernels_.add_weighted(inner + stretch.first_rank, stretch.b.data(),
                          static_cast<size_t>(stretch.ranks), static_cast<size_t>(stretch.rows),
                          y + stretch.at);
  }
}

}  // namespace tenon::model
