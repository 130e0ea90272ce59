#include "server/region/region_search.h"

#include <string>
#include <utility>
#include <vector>

#include "server/region/file_around.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// A region in an inner construct is better than one in an outer construct where the text that
// closes its gap is shorter by so many bytes: the outer one lacks brackets or holds too many.
constexpr uint32_t kWorthAnInnerLevel = 8;

// What closes the brackets that a text opens, in a line of its own.
std::string ClosersBelow(std::string_view text, std::string_view line_end) {
  const std::string closers = ClosersOf(text);
  return closers.empty() ? closers : std::string(line_end) + closers;
}

// How many bytes before its end the string or comment begins that a part of a line leaves open;
// 0: none does.
size_t OpenQuoteOf(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    const bool is_comment = line.substr(i).starts_with("/*");
    if (!is_comment && std::string_view("\"'`").find(line[i]) == std::string_view::npos) continue;
    const size_t end = is_comment ? line.find("*/", i + 2) : EndOfQuoted(line, i);
    if (end == std::string_view::npos || end == i) return line.size() - i;
    i = is_comment ? end + 1 : end;
  }
  return 0;
}

// Do only words go on in the construct before the cursor, and no brackets? Example: `except a: 0`
// below `try: 0`.
bool IsOfWords(std::string_view text, size_t cursor, std::string_view closing) {
  const std::string_view words = Trimmed(closing);
  if (words.empty() || !IsWordByte(words.front())) return false;
  const LoneBrackets lone = LoneBracketsAt(text, cursor, closing);
  return lone.opening.empty() && lone.closing.empty();
}

}  // namespace

RegionSearch::RegionSearch(std::string_view text, size_t cursor, const Unit& kept,
                           size_t first_part, const RegionFinder::Judge& judge,
                           const WantedRegions& wanted, const std::stop_token& stop)
    : text_(text),
      cursor_(cursor),
      first_part_(first_part),
      judge_(judge),
      reads_on_(wanted.reads_on),
      stop_(stop),
      rules_(text, cursor, kept, first_part, wanted.in_line, text.size()),
      closers_(ClosersBelow(text.substr(kept.end), LineEndOf(text))),
      kept_(kept) {}

bool RegionSearch::over() const {
  return judgements_left_ <= 0 || (best_ && best_cost_ < kWorthAnInnerLevel) ||
         stop_.stop_requested();
}

bool RegionSearch::Fits(const RegionBegin& begin) {
  if (over() || !rules_.Allow(begin)) return false;
  const auto left_at = [&](size_t offset) {
    return Region{begin.at, offset, begin.before, ""}.Left(text_, offset);
  };
  --judgements_left_;
  if (!judge_.left(left_at(cursor_))) return false;
  // A region that begins inside a string takes strings for code and code for strings.
  if (begin.at == 0 || kept_.begin < kept_.end) return true;
  --judgements_left_;
  const size_t line = LineBeginAt(text_, cursor_);
  const size_t quoted = cursor_ - OpenQuoteOf(text_.substr(line, cursor_ - line));
  return !EndsInToken(left_at(begin.at <= quoted ? quoted : cursor_), judge_);
}

std::optional<uint32_t> RegionSearch::Cost(const RegionBegin& begin, const RegionEnd& end) {
  if (over() || !rules_.Allow(end)) return std::nullopt;
  --judgements_left_;
  const RegionProposal proposal{begin, end};
  const Region region = proposal.region();
  const auto closing = judge_.gap(region.Left(text_, cursor_), region.Right(text_, cursor_));
  if (!closing || !MayBeClosedBy(proposal, text_, cursor_, closing->text)) return std::nullopt;
  if (!LetsFileRead(judge_.bytes_up_to_error, text_, cursor_, closing->text, judge_.reads))
    return std::nullopt;
  if (reads_on_ && !LetsReadAWord(region, text_, cursor_, closing->text, judge_.reads_region))
    return std::nullopt;
  // No text is missing, however long the closing one is: in an inner construct statements could
  // come in the place of its words.
  if (IsOfWords(text_, cursor_, closing->text)) return 0;
  return closing->bytes;
}

// The end as proposed. Where the file is cut off, also its end with brackets that close what its
// last lines open, or with brackets that close all that the region leaves open.
std::optional<RegionSearch::JudgedEnd> RegionSearch::Judged(const RegionBegin& begin,
                                                            const RegionEnd& end) {
  if (const auto cost = Cost(begin, end)) return JudgedEnd{end, *cost};
  if (end.at < text_.size()) return std::nullopt;
  if (!closers_.empty()) {
    RegionEnd closed = end;
    closed.after.insert(0, closers_);
    if (const auto cost = Cost(begin, closed)) return JudgedEnd{std::move(closed), *cost};
  }
  const std::optional<OpenHead> unclosed = rules_.InnermostUnclosedHead();
  if (!unclosed || !end.after.empty()) return std::nullopt;
  const size_t inside = unclosed->begin + 1;  // of that head and of all around it
  const RegionEnd cut_off{end.at, ClosersBelow(text_.substr(begin.at), LineEndOf(text_)), inside};
  if (const auto cost = Cost(begin, cut_off)) return JudgedEnd{cut_off, *cost};
  return std::nullopt;
}

void RegionSearch::Try(const RegionBegin& begin, size_t count,
                       const std::function<RegionEnd(size_t)>& end_at) {
  std::optional<JudgedEnd> farthest;
  (void)Largest(count, [&](size_t i) {
    auto found = Judged(begin, end_at(i));
    const bool holds = found.has_value();
    if (holds) farthest = std::move(found);
    return holds;
  });
  if (!farthest || (best_ && farthest->cost + kWorthAnInnerLevel > best_cost_)) return;
  best_ = RegionProposal{begin, std::move(farthest->end)};
  best_cost_ = farthest->cost;
}

void RegionSearch::TryWholeRight(const RegionBegin& begin) {
  Try(begin, 1, [this](size_t) { return RegionEnd{text_.size(), "", 0}; });
}

bool EndsInToken(std::string_view left, const RegionFinder::Judge& judge) {
  return judge.left(std::string(left) + " \n({]");
}

}  // namespace tenon::server
