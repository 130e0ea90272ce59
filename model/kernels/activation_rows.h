// Activations as the left operand of products with stored blocks, in one of two forms.
//
// **Bytes.** Stored weights are small integers. A product with them runs on integers, too, where
// the activations are integers: each group of 32 numbers of a row is divided by the group's scale
// and rounded to -127 .. 127.
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
//
// **bfloat16.** A processor that multiplies matrices of bfloat16 by one instruction takes the
// numbers as they are, each rounded to eight bits: an error of at most 0.4 % of the number itself.
//
//   numbers  | chunk 0: row 0, row 1, row 2 | chunk 1: row 0, row 1, row 2 | ...   512 bytes each
//
// Cost: 1 us for a row of 2,000 numbers. Memory: 1.9 bytes a number; 2 in bfloat16.
// Thread rule: Resize by one thread; Write of different rows may run concurrently.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/kernels/bfloat16.h"

namespace tenon::model {

enum class ActivationForm : uint8_t { kBytes, kBFloat16 };

class ActivationRows {
 public:
  static constexpr int kGroup = 32;
  static constexpr int kGroups = 8;  // of a chunk
  // The parts of a group that have a sum: the whole group, its first half, its second half.
  static constexpr int kParts = 3;
  // So many rows of bfloat16 may be read from any row on; numbers after the last row mean nothing.
  static constexpr int kRowsAtOnce = 16;

  // Makes room for `rows` rows; the contents are lost. REQUIRES: columns is a multiple of kGroup.
  void Resize(int rows, int columns, ActivationForm form = ActivationForm::kBytes);
  // Writes row `row` from `columns` floats.
  void Write(int row, const float* x);

  int rows() const { return rows_; }
  int columns() const { return columns_; }
  ActivationForm form() const { return form_; }

  // kBFloat16: [rows - row, kGroups, kGroup] The numbers of a chunk, from row `row` on; each group
  // begins at a multiple of 64 bytes.
  const BFloat16* numbers(int chunk, int row) const {
    return lines_.data()[At(chunk, row)].numbers;
  }

  // kBytes: the same in bytes.
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
  struct alignas(2 * kGroup) Line {
    BFloat16 numbers[kGroup];
  };

  void WriteBytes(int row, const float* x);
  void WriteNumbers(int row, const float* x);
  // The groups before a row's chunk.
  size_t At(int chunk, int row) const {
    return (static_cast<size_t>(chunk) * rows_ + row) * kGroups;
  }

  int rows_ = 0;
  int columns_ = 0;
  ActivationForm form_ = ActivationForm::kBytes;
  std::vector<int8_t> values_;
  std::vector<float> scales_;
  std::vector<int32_t> totals_;
  std::vector<float> sums_;
  std::vector<Line> lines_;
};

}  // namespace tenon::model
