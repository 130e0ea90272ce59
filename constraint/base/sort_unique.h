// A list as a set: ascending, each element once. {3, 1, 3} becomes {1, 3}.
//
// Cost: that of sorting. Thread rule: that of the list.
#pragma once

#include <algorithm>

namespace tenon::constraint {

// `list`: anything with random access and erase, such as a std::vector.
template <typename List>
void SortUnique(List& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

}  // namespace tenon::constraint
