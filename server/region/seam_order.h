// The order in which a gap is opened that no text of tenon's own closes in the whole file, at the
// closed seam (docs/design/seams.md).
//
// Example: in `{"a": |b"}` the right side can only be the end of a string. The line seam comes
// first, and the middle may begin a string. A region would leave `b"` in the code.
//
// Cost: as many gaps are opened as fail before the first that closes. Thread rule: none of its own.
#pragma once

#include <optional>
#include <utility>

#include "tenon/gap.h"

namespace tenon::server {

// Three ways, which give nothing where they close no gap: `over_seam(Seam)` opens the whole file,
// `in_region()` a region. `leaves_right_out(made)`: does the region leave lines behind the cursor
// out of account (region.h)?
template <typename Made, typename OverSeam, typename InRegion, typename LeavesRightOut>
[[nodiscard]] std::optional<Made> FirstBehindClosedSeam(const OverSeam& over_seam,
                                                        const InRegion& in_region,
                                                        const LeavesRightOut& leaves_right_out) {
  // A string that ends in the cursor's line is better known from the whole file than from a region,
  // which leaves its rest out of account; a comment might hide a later error.
  if (std::optional<Made> made = over_seam(Seam::kLine)) return made;
  std::optional<Made> region = in_region();
  if (!region || leaves_right_out(*region)) {
    if (std::optional<Made> made = over_seam(Seam::kRest)) return made;
  }
  if (region) return region;
  return over_seam(Seam::kOpen);
}

}  // namespace tenon::server
