// Rules against regions that would read text as something that it is not.
//
// The engine judges the text that it is shown: a region between its stand-ins. These rules look
// at the file's lines, and refuse a begin or an end before the engine is asked. Example, with the
// cursor as `|`:
//
//   {
//     "a": {
//       "b": 1,
//       |
//     "c": 2
//
// The gap itself has to close the bracket of `"a": {`. A region that ends before `"c"` with a
// stand-in for that bracket, `{"": {` and `}}` around it, would let the gap close the stand-in's
// bracket and open another one for it. So a stand-in closes a bracket only where the region ends
// before the bracket's own closing line.
//
// Cost: linear in the lines from the cursor to the farthest end, once; then in the heads above it
// and in the text between the cursor and a region's begin or end. Thread rule: immutable.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/region/containers.h"
#include "server/region/outline_heads.h"
#include "server/region/region.h"

namespace tenon::server {

struct RegionBegin {
  size_t at = 0;
  std::string before;  // stand-ins
};

struct RegionEnd {
  size_t at = 0;
  std::string after;  // stand-ins
  // The heads that begin before this byte are around the end: `after` closes their brackets.
  size_t inside = 0;
  // Lines of the file that come before `after`. They close a bracket that the gap opens, where the
  // region ends inside that bracket.
  std::string tail = {};
  // The region ends in a block that the cursor's line begins. A text that closes the gap is the
  // rest of that line: with a line end in it another line would begin the block.
  bool in_block_of_line = false;
};

struct RegionProposal {
  RegionBegin begin;
  RegionEnd end;

  [[nodiscard]] Region region() const {
    return {.begin = begin.at,
            .end = end.at,
            .before = begin.before,
            .after = end.tail + end.after,
            .tail_bytes = end.tail.size()};
  }
};

// May such a text close the gap at `cursor`? It trades no brackets with the stand-ins, moves no
// blocks of the file (region.h), and writes no lines where it is to be the rest of the cursor's.
[[nodiscard]] bool MayBeClosedBy(const RegionProposal& proposal, std::string_view text,
                                 size_t cursor, std::string_view closing);

class RegionRules {
 public:
  // `kept`: a stretch around the cursor that is not cut. Every region has all of it.
  // `first_part`: where the first part of the file begins.
  // `in_line`: regions begin in the cursor's line.
  // `farthest_end`: of the ends that may be asked about; lines after it are not looked at.
  // REQUIRES: the text lives longer.
  RegionRules(std::string_view text, size_t cursor, const Unit& kept, size_t first_part,
              bool in_line, size_t farthest_end);

  [[nodiscard]] bool Allow(const RegionBegin& begin) const;
  [[nodiscard]] bool Allow(const RegionEnd& end) const;
  // The innermost head around the cursor whose bracket no line of the file closes. Example: in the
  // file `f(() => {\n  g(|` it is the first line. Nothing: each head has its closing line.
  [[nodiscard]] std::optional<OpenHead> InnermostUnclosedHead() const;

 private:
  [[nodiscard]] bool ComesWithinStatement(const RegionBegin& begin) const;
  [[nodiscard]] bool OpensHeads(const RegionBegin& begin) const;
  [[nodiscard]] bool ClosesHeads(const RegionEnd& end) const;
  [[nodiscard]] bool ClosesBraces(const RegionEnd& end) const;

  std::string_view text_;
  size_t cursor_;
  Unit kept_;
  size_t first_part_;
  bool in_line_;
  std::vector<OpenHead> open_heads_;
  std::optional<GapBracket> bracket_of_gap_;
  size_t hollow_line_;  // no region goes on after it: the gap might close its bracket
};

}  // namespace tenon::server
