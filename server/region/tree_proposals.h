// Begins and ends of regions by the syntax tree of the whole text.
//
// For each construct around the cursor, from the outermost in, the longest run of its parts is
// looked for that the engine can read: first up to the cursor, then after it. Both ends are
// found by binary search, since what can be read stays readable when parts at its far end are
// left out.
//
// A part that is left out of a list is replaced by the filler of its rule: in `[BROKEN, a, |]`
// the comma before `a` stays, and needs something before it.
//
// Cost: proposals are composed when they are asked for: a list may have a hundred thousand items,
// of which a search looks at twenty. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <vector>

#include "server/region/region_search.h"
#include "server/region/surroundings.h"

namespace tenon::server {

class TreeProposals {
 public:
  TreeProposals(RegionSearch& search, std::vector<Container> containers);

  // Proposes them to the search.
  void Try();

 private:
  void TryFrom(const RegionBegin& begin);
  [[nodiscard]] bool IsItem(size_t level) const;
  [[nodiscard]] bool IsFollowedByItsEnd(size_t level) const;
  [[nodiscard]] bool MayEndBefore(size_t level, const Unit& unit, LineFinder& lines) const;
  void TryEnds(const RegionBegin& begin, size_t level);
  [[nodiscard]] std::vector<size_t> BeginsOf(size_t level) const;
  [[nodiscard]] bool MayBeginWith(size_t level, size_t unit, LineFinder& lines) const;
  [[nodiscard]] RegionBegin BeginAt(size_t level, size_t unit) const;
  [[nodiscard]] bool IsOutermost(const OutlineLine& line, size_t offset) const;
  [[nodiscard]] const std::vector<Container>& containers() const {
    return surroundings_.containers();
  }

  RegionSearch& search_;
  Surroundings surroundings_;
  size_t columns_of_first_part_;  // the file's
};

}  // namespace tenon::server
