#include "constraint/lr/sparse_rows.h"

#include <algorithm>
#include <array>
#include <map>

#include <boost/unordered/unordered_flat_map.hpp>

namespace tenon::constraint {

SparseRows SparseRows::Of(const std::vector<Row>& rows, size_t columns, uint16_t empty) {
  SparseRows sparse;
  std::map<Row, uint32_t> begins;
  boost::unordered_flat_map<std::array<uint16_t, kPage>, uint32_t> known_pages;
  for (const Row& row : rows) {
    const auto [known, fresh] =
        begins.try_emplace(row, static_cast<uint32_t>(sparse.pages_.size()));
    sparse.begins_.push_back(known->second);
    if (!fresh) continue;
    auto next = row.begin();
    for (size_t first = 0; first < columns; first += kPage) {
      std::array<uint16_t, kPage> page;
      page.fill(empty);
      for (; next != row.end() && next->first < first + kPage; ++next)
        page[next->first - first] = next->second;
      const auto [at, is_new] =
          known_pages.try_emplace(page, static_cast<uint32_t>(sparse.values_.size()));
      if (is_new) sparse.values_.insert(sparse.values_.end(), page.begin(), page.end());
      sparse.pages_.push_back(at->second);
    }
  }
  return sparse;
}

bool SparseRows::HasColumns(size_t columns) const {
  const size_t pages = PagesFor(columns);
  return std::all_of(begins_.begin(), begins_.end(),
                     [&](uint32_t begin) { return begin + pages <= pages_.size(); }) &&
         std::all_of(pages_.begin(), pages_.end(),
                     [&](uint32_t page) { return page + kPage <= values_.size(); });
}

}  // namespace tenon::constraint
