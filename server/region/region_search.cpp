#include "server/region/region_search.h"

#include <algorithm>

#include "server/request/indentation.h"

namespace tenon::server {
namespace {

// A region in an inner construct is better than one in an outer construct where the text that
// closes its gap is shorter by so many bytes: the outer one lacks brackets or holds too many.
constexpr uint32_t kWorthAnInnerLevel = 8;

Region RegionOf(const RegionBegin& begin, const RegionEnd& end) {
  return {begin.at, end.at, begin.before, end.tail + end.after};
}

}  // namespace

RegionSearch::RegionSearch(std::string_view text, size_t cursor, const Unit& kept,
                           size_t first_part, const RegionFinder::Judge& judge,
                           const std::stop_token& stop)
    : text_(text),
      cursor_(cursor),
      first_part_(first_part),
      judge_(judge),
      stop_(stop),
      open_heads_(OpenHeads(text, kept.begin, kept.end)),
      bracket_of_gap_(BracketOfGap(text, kept.begin, kept.end)),
      hollow_line_(FirstHollowLine(text, kept.end)),
      kept_(kept) {}

bool RegionSearch::over() const {
  return judgements_left_ <= 0 || (best_ && best_cost_ < kWorthAnInnerLevel) ||
         stop_.stop_requested();
}

bool RegionSearch::Fits(const RegionBegin& begin) {
  if (over() || begin.at > kept_.begin || !OpensHeads(begin)) return false;
  if (!begin.before.empty() && begin.at <= first_part_) return false;  // nothing is left out
  --judgements_left_;
  const std::string left = RegionOf(begin, {cursor_, "", 0}).Left(text_, cursor_);
  if (!judge_.left(left)) return false;
  // A region that begins inside a string takes strings for code and code for strings.
  if (begin.at == 0 || kept_.begin < kept_.end) return true;
  --judgements_left_;
  return !EndsInToken(left, judge_);
}

std::optional<uint32_t> RegionSearch::Cost(const RegionBegin& begin, const RegionEnd& end) {
  if (over() || end.at < kept_.end || end.at > hollow_line_ || !ClosesHeads(end))
    return std::nullopt;
  if (bracket_of_gap_ && end.at <= bracket_of_gap_->closer && end.tail.empty()) return std::nullopt;
  --judgements_left_;
  const Region region = RegionOf(begin, end);
  return judge_.gap(region.Left(text_, cursor_), region.Right(text_, cursor_));
}

void RegionSearch::Try(const RegionBegin& begin, size_t count,
                       const std::function<RegionEnd(size_t)>& end_at) {
  std::optional<uint32_t> cost;
  const auto farthest = Largest(count, [&](size_t i) {
    const auto found = Cost(begin, end_at(i));
    if (found) cost = found;
    return found.has_value();
  });
  if (!farthest) return;
  if (best_ && *cost + kWorthAnInnerLevel > best_cost_) return;
  best_ = RegionOf(begin, end_at(*farthest));
  best_cost_ = *cost;
}

void RegionSearch::TryWholeRight(const RegionBegin& begin) {
  Try(begin, 1, [this](size_t) { return RegionEnd{text_.size(), "", 0}; });
}

// Do the stand-ins open a bracket for each that a line before the region ends with?
bool RegionSearch::OpensHeads(const RegionBegin& begin) const {
  const auto cut_off = std::count_if(open_heads_.begin(), open_heads_.end(),
                                     [&](const OpenHead& head) { return head.begin < begin.at; });
  return cut_off == 0 || static_cast<size_t>(cut_off) <= OpenBrackets(begin.before).size();
}

// Are the brackets that lines above the cursor end with closed? Each by its line in the region,
// or, where the region ends inside it, by one of the stand-ins'.
bool RegionSearch::ClosesHeads(const RegionEnd& end) const {
  size_t around = 0;
  for (const OpenHead& head : open_heads_) {
    const bool is_closed = head.closer && *head.closer < end.at;
    const bool is_around = head.begin < end.inside;
    if (is_closed == is_around) return false;
    if (is_around) ++around;
  }
  return around == 0 || around <= LoneBracketsOf(end.after).closing.size();
}

bool EndsInToken(std::string_view left, const RegionFinder::Judge& judge) {
  return judge.left(std::string(left) + " \n({]");
}

}  // namespace tenon::server
