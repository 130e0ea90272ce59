// The rows of a stretch of tokens while its layers are computed: a row for each token, and a few
// more, so that few different numbers of rows occur. Each number costs a primitive of oneDNN.
//
//   tokens     1  2  3  4  5 .. 8  9 .. 16  17 .. 32
//   computed   1  2  4  4     8       16        32
//
// Example: of 5 tokens 8 rows are computed. The contents of the last 3 are never read.
//
// Source: ours. Inside the room only. Cost: none. Thread rule: plain values; the pieces of EachRow
// run on all threads of the pool.
#pragma once

#include <algorithm>

#include "model/kernels/kernels.h"

namespace tenon::model {

// A stretch of at most so many rows attends row by row; a longer one in blocks, by matrix
// products.
inline constexpr int kMaxSingleRows = 8;
// Rows of one piece of work that treats each row by itself.
inline constexpr int kRowsOfPiece = 16;

struct StretchRows {
  StretchRows() = default;
  // `position`: of the first token in its text.
  StretchRows(int tokens, int first_position)
      : count(tokens), computed(ComputedFor(tokens)), position(first_position) {}

  int count = 0;     // a row for each token
  int computed = 0;  // with the rows added
  int position = 0;

 private:
  static int ComputedFor(int tokens) {
    constexpr int kGrain = 16;
    if (tokens > kMaxSingleRows) return (tokens + kGrain - 1) / kGrain * kGrain;
    int computed = 1;
    while (computed < tokens) computed *= 2;
    return computed;
  }
};

// Calls use(row) for each of `rows` rows; the threads share them.
template <typename Use>
void EachRow(WorkerPool& pool, int rows, const Use& use) {
  pool.Run((rows + kRowsOfPiece - 1) / kRowsOfPiece, [&](int piece, int) {
    const int end = std::min(rows, (piece + 1) * kRowsOfPiece);
    for (int i = piece * kRowsOfPiece; i < end; ++i) use(i);
  });
}

}  // namespace tenon::model
