// One search for a region: which proposals the rules allow (region_rules.h), what the judge says
// of them, and the best.
//
// Example, with the cursor as `|`:
//
//   def f(:                <- broken
//   def g(x):
//       return x + |
//   def h(:                <- broken
//
// The begins are tried from the farthest on: the file's, which the judge refuses, then `def g`.
// From there the ends are: the file's, which the judge refuses, then `def h`.
//
// Cost: kMaxJudgements questions at most. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/region/containers.h"
#include "server/region/region_finder.h"
#include "server/region/region_rules.h"

namespace tenon::server {

// Which regions a search is for.
struct WantedRegions {
  // After them the file's first word can be read with the text that closes the gap
  // (file_around.h).
  bool reads_on = false;
  // They begin in the cursor's line: the statement above is half typed (missing_brackets.h).
  bool in_line = false;
};

class RegionSearch {
 public:
  // `kept`: a stretch around the cursor that is not cut. Every region has all of it.
  // `first_part`: where the first part of the file begins. `wanted`: regions of these kinds alone.
  RegionSearch(std::string_view text, size_t cursor, const Unit& kept, size_t first_part,
               const RegionFinder::Judge& judge, const WantedRegions& wanted,
               const std::stop_token& stop);

  // Nothing better can be found, the questions are used up, or the search is to stop.
  [[nodiscard]] bool over() const;
  // May a region begin so? Asks the rules, then the judge.
  [[nodiscard]] bool Fits(const RegionBegin& begin);
  // Searches the farthest of `count` ends, nearest first, with which a region from `begin` fits. It
  // becomes the best region if there is none, or if clearly fewer bytes close its gap.
  void Try(const RegionBegin& begin, size_t count, const std::function<RegionEnd(size_t)>& end_at);
  void TryWholeRight(const RegionBegin& begin);

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] size_t cursor() const { return cursor_; }
  [[nodiscard]] const Unit& kept() const { return kept_; }
  // Does the text after the cursor leave brackets open that it opens?
  [[nodiscard]] bool is_cut_off() const { return !closers_.empty(); }
  [[nodiscard]] size_t first_part() const { return first_part_; }
  [[nodiscard]] const std::optional<RegionProposal>& best() const { return best_; }

 private:
  struct JudgedEnd {
    RegionEnd end;
    uint32_t cost = 0;
  };
  [[nodiscard]] std::optional<JudgedEnd> Judged(const RegionBegin& begin, const RegionEnd& end);
  [[nodiscard]] std::optional<uint32_t> Cost(const RegionBegin& begin, const RegionEnd& end);

  std::string_view text_;
  size_t cursor_;
  size_t first_part_;
  const RegionFinder::Judge& judge_;
  bool reads_on_;
  const std::stop_token& stop_;
  RegionRules rules_;
  std::string closers_;  // of the brackets that the text after the cursor opens and leaves open
  Unit kept_;
  int judgements_left_ = RegionFinder::kMaxJudgements;
  std::optional<RegionProposal> best_;
  uint32_t best_cost_ = 0;
};

// The largest of 0 .. count-1 for which `holds`, by binary search: if `holds(i)`, then `holds(j)`
// for each j < i. The last call of `holds` that was true was about the number returned.
template <typename Holds>
std::optional<size_t> Largest(size_t count, Holds holds) {
  if (count == 0) return std::nullopt;
  if (holds(count - 1)) return count - 1;
  if (count == 1 || !holds(size_t{0})) return std::nullopt;
  size_t low = 0;
  size_t high = count - 1;  // does not hold
  while (low + 1 < high) {
    const size_t middle = low + (high - low) / 2;
    (holds(middle) ? low : high) = middle;
  }
  return low;
}

// Does `left` end inside a string or comment that may have several lines? The judge is asked about
// `left` with ` \n({]` after it: a string may go on so, and no code of any language.
[[nodiscard]] bool EndsInToken(std::string_view left, const RegionFinder::Judge& judge);

}  // namespace tenon::server
