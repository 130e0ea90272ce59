// A stretch of rows of one matrix: how the rows of a layer of several matrices are named.
//
// Example: a layer of three matrices, query, key and value. {1, 0, 64} are the first 64 rows of the
// key's matrix.
// Thread rule: a value.
#pragma once

namespace tenon::model {

struct MatrixRows {
  int matrix = 0;  // its number in the layer
  int first = 0;
  int count = 0;
};

}  // namespace tenon::model
