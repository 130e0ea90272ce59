#include "server/region/region_rules.h"

#include <algorithm>
#include <string>

#include "server/region/line_above.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

bool HasBrace(std::string_view text, const std::vector<size_t>& offsets, size_t least) {
  return std::any_of(offsets.begin(), offsets.end(), [&](size_t offset) {
    return offset >= least && (text[offset] == '{' || text[offset] == '}');
  });
}

// Do the brackets that `after` closes and does not open hold a partner for each of `opening`,
// innermost first? A `<` needs none: nobody knows whether a `>` is a bracket.
bool ClosesInOrder(std::string_view after, std::string_view opening) {
  const std::vector<size_t> closing = LoneBracketsOf(after).closing;
  auto next = closing.begin();
  return std::all_of(opening.begin(), opening.end(), [&](char bracket) {
    const size_t kind = kOpeningBrackets.find(bracket);
    next = std::find_if(next, closing.end(), [&](size_t offset) {
      return kind == std::string_view::npos || after[offset] == kClosingBrackets[kind];
    });
    if (next == closing.end()) return false;
    ++next;
    return true;
  });
}

}  // namespace

bool MayBeClosedBy(const RegionProposal& proposal, std::string_view text, size_t cursor,
                   std::string_view closing) {
  if (proposal.end.in_block_of_line && closing.find('\n') != std::string_view::npos) return false;
  return !MovesBrackets(proposal.region(), text, cursor, closing) &&
         !MovesBlocks(text, cursor, proposal.end.at, closing);
}

RegionRules::RegionRules(std::string_view text, size_t cursor, const Unit& kept, size_t first_part,
                         bool in_line, size_t farthest_end)
    : text_(text),
      cursor_(cursor),
      kept_(kept),
      first_part_(first_part),
      in_line_(in_line),
      open_heads_(OpenHeads(text, kept.begin, kept.end)),
      bracket_of_gap_(BracketOfGap(text, kept.begin, kept.end)),
      hollow_line_(FirstHollowLine(text, kept.end, farthest_end)) {}

bool RegionRules::Allow(const RegionBegin& begin) const {
  if (begin.at > kept_.begin || (in_line_ && begin.at < LineBeginAt(text_, cursor_))) return false;
  if (!OpensHeads(begin)) return false;
  if (!begin.before.empty() && begin.at <= first_part_) return false;  // nothing is left out
  if (begin.at == 0) return true;
  if (ComesWithinStatement(begin)) return false;
  // A brace that the text before the cursor only closes would close one of the stand-ins.
  const std::string_view left = text_.substr(begin.at, kept_.begin - begin.at);
  return !ComesAfterAnnotation(text_, begin.at) && !HasBrace(left, LoneBracketsOf(left).closing, 0);
}

bool RegionRules::Allow(const RegionEnd& end) const {
  if (end.at < kept_.end || end.at > hollow_line_ || !ClosesHeads(end) || !ClosesBraces(end))
    return false;
  return !bracket_of_gap_ || end.at > bracket_of_gap_->closer || !end.tail.empty();
}

std::optional<OpenHead> RegionRules::InnermostUnclosedHead() const {
  const auto found = std::find_if(open_heads_.rbegin(), open_heads_.rend(),
                                  [](const OpenHead& head) { return !head.closer; });
  return found == open_heads_.rend() ? std::nullopt : std::optional(*found);
}

// Where statements end with `;`: does a region begin at a line that is blank up to the cursor, and
// the line above ends no statement? The cursor may be in one of several lines then.
bool RegionRules::ComesWithinStatement(const RegionBegin& begin) const {
  const size_t last = begin.before.find_last_not_of("\r\n");
  if (last >= begin.before.size() || begin.before[last] != ';') return false;
  const size_t first = text_.find_first_not_of(kBlanks, begin.at);
  return first >= cursor_ && LineAboveGoesOn(text_, begin.at);
}

// Do the stand-ins open a bracket for each that a line before the region ends with?
bool RegionRules::OpensHeads(const RegionBegin& begin) const {
  // A half-typed line has no bracket that goes on in the cursor's.
  const bool is_begin = begin.at == 0 || in_line_;
  if (const auto bracket = is_begin ? std::nullopt : BracketLeftOpenAbove(text_, begin.at)) {
    const std::vector<size_t> open = OpenBrackets(begin.before);
    if (open.empty() || begin.before[open.back()] != *bracket) return false;
  }
  const auto cut_off = std::count_if(open_heads_.begin(), open_heads_.end(),
                                     [&](const OpenHead& head) { return head.begin < begin.at; });
  return cut_off == 0 || static_cast<size_t>(cut_off) <= OpenBrackets(begin.before).size();
}

// Are the brackets that lines above the cursor end with closed? Each by its line in the region,
// or, where the region ends inside it, by one of the stand-ins'.
bool RegionRules::ClosesHeads(const RegionEnd& end) const {
  std::string around;  // brackets of heads, outermost first
  const size_t next = text_.find_first_not_of(kBlanksAndLineEnds, end.at);
  const bool closes = next < text_.size() && text_[next] == '}';
  std::optional<size_t> closer;  // of the innermost bracket around the region
  for (const OpenHead& head : open_heads_) {
    const bool is_closed = head.closer && *head.closer < end.at;
    const bool is_around = head.begin < end.inside;
    if (is_closed == is_around) return false;
    if (!is_around) continue;
    around += head.bracket;
    closer = head.closer;
  }
  if (closes && closer.value_or(0) > next) return false;  // the brace is that of a part
  std::reverse(around.begin(), around.end());
  return ClosesInOrder(end.after, around);
}

// Does the text between the cursor and the end close the braces that it opens? Otherwise a
// stand-in would close them, and the gap what the stand-in is for. A file may be cut off.
bool RegionRules::ClosesBraces(const RegionEnd& end) const {
  if (end.at == text_.size() || !end.tail.empty()) return true;
  const size_t line = LineBeginAt(text_, cursor_);
  const std::string_view right = text_.substr(line, end.at - line);
  return !HasBrace(right, OpenBrackets(right), cursor_ - line);
}

}  // namespace tenon::server
