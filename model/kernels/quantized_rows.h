// Activations in 8 bits: the left operand of products with stored blocks.
//
// Stored weights are small integers. A product with them runs on integers, too, where the
// activations are integers: each group of 32 numbers of a row is divided by the group's scale and
// rounded to -127 .. 127.
// Example: the group {1, -0.5, 0.25, 0, ...} has the scale 1 / 127 and becomes
// {127, -64, 32, 0, ...}.
//
// The product of a group a with weights x = scale * (q - zero) + offset (block_format.h) is
//
//   sum a * x  =  a_scale * scale * (sum(a_q * q) - zero * sum(a_q))
//                 + offset * a_scale * sum(a_q)
//
// so sum(a_q) and a_scale * sum(a_q) are kept as well: of each group and of its two halves, as some
// formats have a scale for each half.
//
// The kernels multiply some rows with the same chunk of a tile of weights, and then the next rows.
// So the numbers of a chunk of a row are contiguous, those of the next row follow, and the
// processor foresees each read:
//
//   values   | chunk 0: row 0, row 1, row 2 | chunk 1: row 0, row 1, row 2 | ...   256 bytes each
//   scales   | chunk 0: row 0, row 1, row 2 | chunk 1: row 0, row 1, row 2 | ...   8 floats each
//
// The last chunk of a row has as much room as the others.
//
// The error of a number is at most half a scale: 0.4 % of the largest number of its group.
// Cost: 1 us for a row of 2,000 numbers. Memory: 1.9 bytes a number.
// Thread rule: Resize by one thread; Quantize of different rows may run concurrently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::model {

class QuantizedRows {
 public:
  static constexpr int kGroup = 32;
  static constexpr int kGroups = 8;  // of a chunk
  // The parts of a group that have a sum: the whole group, its first half, its second half.
  static constexpr int kParts = 3;

  // Makes room for `rows` rows; the contents are lost. REQUIRES: columns is a multiple of kGroup.
  void Resize(int rows, int columns);
  // Writes row `row` from `columns` floats.
  void Quantize(int row, const float* x);

  int rows() const { return rows_; }
  int columns() const { return columns_; }

  // [rows - row, kGroups, kGroup] The numbers of a chunk, from row `row` on.
  const int8_t* values(int chunk, int row) const {
    return values_.data() + At(chunk, row) * kGroup;
  }
  // [rows - row, kGroups]
  const float* scales(int chunk, int row) const { return scales_.data() + At(chunk, row); }
  // [rows - row, kParts, kGroups] The sums of numbers.
  const int32_t* totals(int chunk, int row) const {
    return totals_.data() + At(chunk, row) * kParts;
  }
  // [rows - row, kParts, kGroups] The same times the scale.
  const float* sums(int chunk, int row) const { return sums_.data() + At(chunk, row) * kParts; }

 private:
  // The groups before a row's chunk.
  size_t At(int chunk, int row) const {
    return (static_cast<size_t>(chunk) * rows_ + row) * kGroups;
  }

  int rows_ = 0;
  int columns_ = 0;
  std::vector<int8_t> values_;
  std::vector<float> scales_;
  std::vector<int32_t> totals_;
  std::vector<float> sums_;
};

}  // namespace tenon::model
