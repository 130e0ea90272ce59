// Activations in 8 bits: the left operand of products with stored blocks.
//
// Stored weights are small integers. A product with them runs on integers, too, where the
// activations are integers: each group of 32 numbers of a row is divided by the group's scale and
// rounded to -127 .. 127.
// Example: the group {1, -0.5, 0.25, 0, ...} has the scale 1 / 127 and becomes
// {127, -64, 32, 0, ...}.
//
// The product of a group with weights x = scale * q + offset (block_format.h) is
//
//   sum a * x  =  a_scale * scale * sum(a_q * q)  +  offset * a_scale * sum(a_q)
//
// so the sums a_scale * sum(a_q) are kept as well: of each group and of its two halves, as some
// formats have an offset for each half.
//
// The error of a number is at most half a scale: 0.4 % of the largest number of its group.
// Cost: 1 us for a row of 2,000 numbers. Memory: 1.4 bytes a number.
// Thread rule: Resize by one thread; Quantize of different rows may run concurrently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tenon::model {

class QuantizedRows {
 public:
  static constexpr int kGroup = 32;
  // Rows are padded with zeros to a multiple of this number of columns.
  static constexpr int kChunk = 256;

  // Makes room for `rows` rows; the contents are lost. REQUIRES: columns is a multiple of kGroup.
  void Resize(int rows, int columns);
  // Writes row `row` from `columns` floats.
  void Quantize(int row, const float* x);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  int chunks() const { return chunks_; }

  // [chunks * kChunk] numbers of a row.
  const int8_t* values(int row) const {
    return values_.data() + static_cast<size_t>(row) * chunks_ * kChunk;
  }
  // [chunks * 8] a scale a group.
  const float* scales(int row) const {
    return scales_.data() + static_cast<size_t>(row) * chunks_ * (kChunk / kGroup);
  }
  // [chunks * 24] sums of numbers times their scale. A chunk has 8 sums of groups, then 8 of the
  // groups' first halves, then 8 of their second halves.
  const float* sums(int row) const {
    return sums_.data() + static_cast<size_t>(row) * chunks_ * (3 * kChunk / kGroup);
  }

 private:
  int rows_ = 0;
  int columns_ = 0;
  int chunks_ = 0;
  std::vector<int8_t> values_;
  std::vector<float> scales_;
  std::vector<float> sums_;
};

}  // namespace tenon::model
