// Begins and ends of regions by the text's indentation (outline_levels.h), where its syntax tree
// is one large error.
//
// Text that is cut off from its brackets often reads as other code. Example:
//
//   a = [
//       (1, 2),
//       |
//       (3, 4),
//   b = (          <- broken, as is the list, whose closing line is gone
//
// `]` would close the gap if the region held the whole statement: `(3, 4),` is a statement, too.
// So a bracket that a line above the cursor ends with has to be closed by a line of its own in
// the region, or the region lies inside the bracket and a stand-in closes it (region_search.h).
// The constructs around the region are those of a skeleton's tree.
//
// A bracket that the gap opens may be broken inside. The region then ends there, and the line
// that closes the bracket follows:
//
//   f(|            f(|
//     g();           g();
//     h = [1;      });
//   });
//
// Left is the file, right the text that is judged. So may the inside of a block that the cursor's
// line begins, where indentation alone makes blocks. The end is a stand-in's line then, and the
// text that closes the gap has to be a rest of the cursor's line:
//
//   def f(a|       def f(a|
//       g()            g()
//       h = [1;        0
//
// Where no stand-ins fit, the heads themselves come before the region: in Java a constructor has
// the name of its class. Or the region begins with a clause of a broken statement, in Python with
// `except A:`, and a statement such as `try: 0` stands in for the clauses before.
//
// Cost: a parse of each skeleton. Thread rule: one thread at a time.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>

#include "server/region/outline_levels.h"
#include "server/region/region_search.h"
#include "server/region/surroundings.h"

namespace tenon::server {

class OutlineProposals {
 public:
  // `rules`: one at least; they live longer.
  OutlineProposals(RegionSearch& search, const TSLanguage* language,
                   const std::vector<RegionRule>& rules);

  // Proposes them to the search, from the outermost level in.
  void Try();

 private:
  [[nodiscard]] std::vector<Container> ContainersOf(const OutlineSkeleton& skeleton) const;
  void TryLevel(const OutlineLevel& level, const OutlineSkeleton& skeleton, bool left_is_whole);
  void TryLevel(const OutlineLevel& level, const OutlineSkeleton& skeleton,
                const Surroundings& surroundings, bool left_is_whole);
  void TryBelowHeads(const OutlineLevel& level);
  void TryBegins(const std::string& before, const OutlineLevel& level,
                 const Surroundings& surroundings);
  void TryClause(const OutlineLevel& level);
  void TryFrom(const RegionBegin& begin, const OutlineLevel& level,
               const Surroundings& surroundings);
  void TryEnds(const RegionBegin& begin, const OutlineLevel& level,
               const Surroundings& surroundings);
  void TryInside(const RegionBegin& begin, const OutlineLevel& level,
                 const Surroundings& surroundings, std::string_view filler);
  void TryBlock(const RegionBegin& begin, const OutlineLevel& level,
                const Surroundings& surroundings);
  [[nodiscard]] std::vector<std::string_view> FillersInside(const GapBracket& bracket) const;
  [[nodiscard]] std::string AfterEnd(const OutlineLevel& level, const Surroundings& surroundings,
                                     size_t number) const;

  RegionSearch& search_;
  const TSLanguage* language_;
  const std::vector<RegionRule>& rules_;
  std::string line_end_;
};

}  // namespace tenon::server
