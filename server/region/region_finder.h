// Finds the region of a broken file around a cursor (region.h): the largest for which a gap is
// viable, as the caller judges.
//
// Two proposers, one judge. The engine judges; nobody is trusted but it.
//
// 1. The syntax tree of the whole file. For each construct around the cursor, from the outermost
//    in, the longest run of its parts is looked for that the engine can read: first up to the
//    cursor, then behind it. Both ends are found by binary search, since what can be read stays
//    readable when parts at its far end are left out.
// 2. The file's indentation (outline_levels.h), where the tree is one large error.
//
// Text that is cut off from its brackets often reads as other code. Example:
//
//   a = [
//       (1, 2),
//       |
//       (3, 4),
//   b = (          <- broken, as is the list, whose closing line is gone
//
// `]` would close the gap if the region held the whole statement: `(3, 4),` is a statement, too. So
// a bracket that a line above the cursor ends with has to be closed by a line of its own in the
// region, or the region lies inside the bracket and a stand-in closes it. Likewise a stand-in opens
// each bracket that the region leaves out before it.
//
// A part that is left out of a list is replaced by the `filler` of its rule: in `[BROKEN, a, |]`
// the comma before `a` stays, and needs something before it. A filler that is a line stands in for
// the lines above and below a region, with their indentation: a block goes on there.
//
// Source: the idea of completing in the largest valid part is tenon's; tree-sitter's recovery,
// which proposes: Wagner, Graham, 1998 (syntax_tree.h).
// Cost: a parse of the file, and kMaxJudgements questions at most, each linear in the text that is
// judged. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>
#include <vector>

#include <tree_sitter/api.h>

#include "server/region/region.h"
#include "server/syntax/syntax_tree.h"
#include "tenon/language.h"

namespace tenon::server {

class RegionFinder {
 public:
  struct Judge {
    // May some text follow `left`?
    std::function<bool(std::string_view left)> left;
    // About how many bytes the shortest text has that closes the gap; nothing: it is not viable.
    std::function<std::optional<uint32_t>(std::string_view left, std::string_view right)> gap;
  };
  static constexpr int kMaxJudgements = 200;

  RegionFinder(const TSLanguage* language, std::vector<RegionRule> rules)
      : language_(language), rules_(std::move(rules)) {}

  // Nothing: no region was found, or `stop` was requested.
  [[nodiscard]] std::optional<Region> Find(std::string_view text, size_t cursor, const Judge& judge,
                                           const std::stop_token& stop = {});

 private:
  const TSLanguage* language_;
  std::vector<RegionRule> rules_;
  std::optional<SyntaxTree> tree_;  // of the last text: the next parse is quicker
};

}  // namespace tenon::server
