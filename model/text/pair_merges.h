// The merges of byte-pair encoding: which neighbours become one token, and in which order.
//
// Of all adjacent pairs that the list holds, the pair that stands first in the list is merged, the
// leftmost of equal pairs, until no pair is left. Example: `then` with the merges "t h", "th e".
//
//   t|h|e|n      the pair t h has rank 0
//   th|e|n       the pair th e has rank 1
//   the|n        no merge for `the n`: two tokens
//
// Source: Sennrich et al. 2016, "Neural Machine Translation of Rare Words with Subword Units".
// Where we differ from a textbook: a heap of candidate pairs, so that n units cost O(n log n)
// instead of O(n^2) (a line of a megabyte must not hang the server).
// Inside the room only. Thread rule: immutable, used from any thread.
#pragma once

#include <boost/unordered/unordered_flat_map.hpp>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "model/text/tokens_by_name.h"
#include "tenon/token_id.h"

namespace tenon::model {

class PairMerges {
 public:
  // lines: [rank] "left right", names of `ids`; no name has a space but perhaps at its beginning.
  // Error: a sentence about the first merge that is none.
  static tl::expected<PairMerges, std::string> Read(std::span<const std::string_view> lines,
                                                    const TokensByName& ids);

  // Merges `units` and appends the tokens that are left.
  void Apply(std::span<const TokenId> units, std::vector<TokenId>& out) const;

 private:
  struct Merge {
    int32_t rank;
    TokenId merged;
  };
  // Left and right token -> the merge.
  boost::unordered_flat_map<uint64_t, Merge> merges_;
};

}  // namespace tenon::model
