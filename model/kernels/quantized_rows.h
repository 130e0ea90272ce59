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
// The kernels multiply some rows with the same group of a tile of weights, so a group of all rows
// is contiguous, then comes the next group:
//
//   values   | group 0: row 0, row 1, row 2 | group 1: row 0, row 1, row 2 | ...   32 bytes each
//   scales   | group 0: row 0, row 1, row 2 | group 1: row 0, row 1, row 2 | ...   a float each
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
  // The parts of a group that have a sum: the whole group, its first half, its second half.
  static constexpr int kParts = 3;

  // Makes room for `rows` rows; the contents are lost. REQUIRES: columns is a multiple of kGroup.
  void Resize(int rows, int columns);
  // Writes row `row` from `columns` floats.
  void Quantize(int row, const float* x);

  int rows() const { return rows_; }
  int columns() const { return columns_; }

  // [rows, kGroup] The numbers of a group.
  const int8_t* values(int group) const {
    return values_.data() + static_cast<size_t>(group) * rows_ * kGroup;
  }
  // [rows]
  const float* scales(int group) const {
    return scales_.data() + static_cast<size_t>(group) * rows_;
  }
  // [kParts, rows] The sums of numbers.
  const int32_t* totals(int group) const {
    return totals_.data() + static_cast<size_t>(group) * kParts * rows_;
  }
  // [kParts, rows] The same times the scale.
  const float* sums(int group) const {
    return sums_.data() + static_cast<size_t>(group) * kParts * rows_;
  }

 private:
  int rows_ = 0;
  int columns_ = 0;
  std::vector<int8_t> values_;
  std::vector<float> scales_;
  std::vector<int32_t> totals_;
  std::vector<float> sums_;
};

}  // namespace tenon::model
