// The order in which a gap is opened that no text of tenon's own closes in the whole file, at the
// closed seam (docs/design/seams.md).
//
// Example: in `{"a": |b"}` the right side can only be the end of a string. The line seam comes
// first, and the middle may begin a string. A region would leave `b"` in the code.
//
// Cost: as many gaps are opened as fail before the first that closes. Thread rule: none of its own.
#pragma once

#include <optional>
#include <vector>

#include "tenon/gap.h"

namespace tenon::server {

// Three ways, which give nothing where they close no gap: `over_seam(Seam)` opens the whole file,
// `in_region()` a region. `seams_before(made)`: the seams that come before the region (region.h).
template <typename Made, typename OverSeam, typename InRegion, typename BeforeRegion>
[[nodiscard]] std::optional<Made> FirstAfterClosedSeam(const OverSeam& over_seam,
                                                       const InRegion& in_region,
                                                       const BeforeRegion& seams_before) {
  // A string that ends in the cursor's line is better known from the whole file than from a region,
  // which leaves its rest out of account; a comment might hide a later error.
  if (std::optional<Made> made = over_seam(Seam::kLine)) return made;
  std::optional<Made> region = in_region();
  for (const Seam seam : region ? seams_before(*region) : std::vector{Seam::kRest}) {
    if (std::optional<Made> made = over_seam(seam)) return made;
  }
  if (region) return region;
  return over_seam(Seam::kOpen);
}

}  // namespace tenon::server
