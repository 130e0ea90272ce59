// How far apart two texts are: the fewest characters that are inserted, removed or replaced to
// make one of the other.
//
// Example: two replacements and one insertion make `sitting` of `kitten`: their distance is 3.
//
// Source: V. I. Levenshtein, Binary codes capable of correcting deletions, insertions, and
// reversals, 1966; the table of Wagner and Fischer, The String-to-String Correction Problem, 1974.
// Cost: the product of the lengths; memory of the shorter text. Thread rule: a pure function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon::server {

// `Char`: a byte, or a code point.
template <typename Char>
[[nodiscard]] size_t EditDistance(std::basic_string_view<Char> a, std::basic_string_view<Char> b) {
  if (a.size() < b.size()) std::swap(a, b);
  // Between the part of `a` read so far and each beginning of `b`.
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = std::exchange(row[j + 1], std::min({replaced, row[j] + 1, row[j + 1] + 1}));
    }
  }
  return row.back();
}

}  // namespace tenon::server
