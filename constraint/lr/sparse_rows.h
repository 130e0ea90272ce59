// A table of which most cells are empty, such as an LR table: of TypeScript's 3 % hold something.
//
// A row is cut into pages of 8 columns. Pages that are equal are kept once, and so are rows; the
// empty page is among them. Example, with pages of 4 columns and two pages kept:
//
//   row 0   . . . .  5 . 7 .     pages A B        A  . . . .
//   row 1   5 . 7 .  . . . .     pages B A        B  5 . 7 .
//
// Source: The Unicode Standard, 5.1, "Multistage Tables". Cost: an access is three look-ups in
// memory that the processor's caches hold, and takes as long as one in a full table; 4 bytes a page
// of a row that no other equals, 16 a page. Building is linear in rows times pages.
// Thread rule: immutable after Of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tenon::constraint {

class SparseRows {
 public:
  using Row = std::vector<std::pair<uint16_t, uint16_t>>;  // (column, value), columns ascending

  // `empty`: what cells without a value give. REQUIRES: each row's columns are below `columns`.
  static SparseRows Of(const std::vector<Row>& rows, size_t columns, uint16_t empty);

  // REQUIRES: there are such a row and such a column.
  uint16_t At(size_t row, uint16_t column) const {
    return values_[pages_[begins_[row] + column / kPage] + column % kPage];
  }
  size_t row_count() const { return begins_.size(); }
  // Those of all rows, of empty cells too.
  std::span<const uint16_t> values() const { return values_; }
  // May At be called with each of the columns, in each row? For rows that were read from a file.
  bool HasColumns(size_t columns) const;

 private:
  template <typename>
  friend struct CacheFields;  // constraint/cache/archive.h
  static constexpr size_t kPage = 8;
  static size_t PagesFor(size_t columns) { return (columns + kPage - 1) / kPage; }

  std::vector<uint32_t> begins_;  // [row] its first page, in pages_
  std::vector<uint32_t> pages_;   // where each begins in values_
  std::vector<uint16_t> values_;
};

}  // namespace tenon::constraint
