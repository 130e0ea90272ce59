// Rows cut into shared pages give back what a full table holds, at every place.
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "constraint/lr/sparse_rows.h"

namespace tenon::constraint {
namespace {

constexpr uint16_t kEmpty = 7777;

// Random rows: some alike, some empty, some full.
std::vector<SparseRows::Row> RandomRows(std::mt19937& rng, size_t count, uint16_t columns) {
  std::vector<SparseRows::Row> rows;
  for (size_t r = 0; r < count; ++r) {
    if (r > 0 && rng() % 4 == 0) {
      rows.push_back(rows[rng() % r]);
      continue;
    }
    const uint32_t of_ten = rng() % 11;
    SparseRows::Row& row = rows.emplace_back();
    for (uint16_t c = 0; c < columns; ++c) {
      if (rng() % 10 < of_ten * of_ten / 10) row.emplace_back(c, static_cast<uint16_t>(rng() % 5));
    }
  }
  return rows;
}

TEST(SparseRows, HoldWhatTheyWereMadeOf) {
  std::mt19937 rng(11);
  for (const uint16_t columns : {1, 2, 7, 8, 9, 200}) {
    const auto rows = RandomRows(rng, 120, columns);
    const SparseRows sparse = SparseRows::Of(rows, columns, kEmpty);
    ASSERT_EQ(sparse.row_count(), rows.size());
    EXPECT_TRUE(sparse.HasColumns(columns));
    for (size_t r = 0; r < rows.size(); ++r) {
      std::vector<uint16_t> full(columns, kEmpty);
      for (const auto& [column, value] : rows[r]) full[column] = value;
      for (uint16_t c = 0; c < columns; ++c)
        ASSERT_EQ(sparse.At(r, c), full[c]) << "row " << r << ", column " << c;
    }
  }
}

TEST(SparseRows, KeepEqualRowsAndEqualPagesOnce) {
  // Three pages: one with a value in its second column, one with a value in its last, the empty
  // one.
  const SparseRows::Row row{{1, 7}, {15, 5}};
  EXPECT_EQ(SparseRows::Of({row, {{1, 7}}, row, {{9, 7}}}, 16, kEmpty).values().size(), 24U);
}

TEST(SparseRows, SayWhereColumnsAreMissing) {
  EXPECT_TRUE(SparseRows::Of({{}, {{7, 1}}}, 8, kEmpty).HasColumns(8));
  EXPECT_FALSE(SparseRows::Of({{{0, 1}}}, 8, kEmpty).HasColumns(9));
}

}  // namespace
}  // namespace tenon::constraint
