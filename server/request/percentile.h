// A percentile by nearest rank: the smallest of the values that at least this share of them do not
// exceed.
//
// Example: of 1, 2, 3 and 10 the share 0.5 gives 2, and 0.95 gives 10.
// Source: the nearest-rank method. Cost: constant. Thread rule: a pure function.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace tenon::server {

// REQUIRES: the values ascend, and there is one. `share`: from 0 to 1.
[[nodiscard]] inline double PercentileOf(const std::vector<double>& ascending, double share) {
  const double rank = std::ceil(share * static_cast<double>(ascending.size()));
  return ascending[static_cast<size_t>(std::max(rank, 1.0)) - 1];
}

}  // namespace tenon::server
