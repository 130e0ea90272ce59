#include "server/region/outline_heads.h"

#include <algorithm>

#include "server/region/open_tags.h"
#include "server/request/indentation.h"

namespace tenon::server {
namespace {

constexpr size_t kMaxHeads = 24;
constexpr size_t kMaxHeadLines = 10;

// The bracket that closes `opening`, which is one or `<`.
char ClosingOf(char opening) {
  const size_t kind = kOpeningBrackets.find(opening);
  return kind == std::string_view::npos ? '>' : kClosingBrackets[kind];
}

// The bracket that closes the one at the end of `head` (OpenHead::closer): first in a line with the
// head's indentation, below `here`, the cursor's line. The beginning of `here` where no line of the
// head's inside follows, but for one that closes a bracket further out, or where the closing line
// has another bracket: the gap closes that of the head.
std::optional<size_t> CloserOf(const OutlineLine& head, const OutlineLine& here) {
  if (here.Closes() && here.columns == head.columns) return here.first;
  const auto is_inside = [&](const OutlineLine& below) {
    return below.columns > head.columns ||
           (below.columns == head.columns && below.EndsWith(":") && !below.Closes());  // a label
  };
  auto below = here.FilledBelow();
  if (!below) return std::nullopt;  // the file is cut off
  if (!is_inside(*below) && (!below->Closes() || below->columns < head.columns)) return here.begin;
  while (below && is_inside(*below)) below = below->FilledBelow();
  if (!below || below->columns != head.columns || !below->Closes()) return std::nullopt;
  return below->text[below->first] == ClosingOf(head.last()) ? below->first : here.begin;
}

// Is `line`, above `head` and with the same indentation, a construct that `head` is a label of?
// Example: `switch a {` and `case 1:`.
bool IsOfLabel(const OutlineLine& line, const OutlineLine& head, const OutlineLine& here) {
  if (line.columns != head.columns || !head.EndsWith(":") || !line.EndsWithBracket() ||
      CloserOf(line, here).value_or(0) <= here.end)
    return false;
  const std::vector<size_t> open =
      OpenBrackets(line.text.substr(line.begin, head.begin - line.begin));
  return !open.empty() && line.begin + open.back() < line.end;
}

// `head` with the lines below it up to the one that opens its block, which ends before `below`.
//
//   class A extends B
//       implements C {
OutlineLine WithLinesBelow(OutlineLine head, size_t below) {
  auto line = std::optional(head);
  for (size_t lines = 0; lines < kMaxHeadLines; ++lines) {
    if (line->EndsWithBracket() || line->EndsWith(":")) {
      head.end = line->end;
      return head;
    }
    if (line->EndsStatement()) return head;
    if (line->EndsWith(">") && LeavesElementOpen(*line)) return head;
    line = line->FilledBelow();
    if (!line || line->begin >= below) return head;
    const bool is_bracket = line->columns == head.columns && line->code().starts_with('{');
    if (line->columns <= head.columns && !is_bracket) return head;
  }
  return head;
}

// `head`, which is an opening bracket in a line of its own, with the lines that it belongs to.
OutlineLine WithLinesAbove(OutlineLine head) {
  if (head.code().find_first_not_of("{ \t") != std::string_view::npos) return head;
  auto line = head.FilledAbove();
  for (size_t lines = 0; line && lines < kMaxHeadLines; ++lines) {
    if (line->columns < head.columns || line->EndsStatement()) return head;
    if (line->columns == head.columns) {
      head.begin = line->begin;
      head.first = line->first;
      return head;
    }
    line = line->FilledAbove();
  }
  return head;
}

// The lines between `last` and the line at `closer_line` before which a part of them may end: those
// that begin a statement or item, and markers, up to the first bracket without a partner. Empty
// where a line has less indentation than the first one: it closes a second bracket.
std::vector<size_t> EndsInside(const OutlineLine& last, size_t closer_line) {
  std::vector<size_t> ends;
  std::optional<size_t> columns;
  bool is_balanced = true;
  size_t begin = last.end;  // of what may be unbalanced
  for (auto line = last.Below(); line && line->begin < closer_line; line = line->Below()) {
    if (line->blank() && !line->is_marker) continue;
    if (!line->is_marker) {
      if (!columns) columns = line->columns;
      if (line->columns < *columns) return {};
      if (line->columns > *columns || line->Closes()) continue;  // no part begins with it
    }
    if (!is_balanced || ends.size() == kMaxEnds) continue;  // no further line is an end
    const LoneBrackets lone = LoneBracketsOf(last.text.substr(begin, line->begin - begin));
    const bool is_whole = lone.opening.empty() && lone.closing.empty();
    if (is_whole) {
      begin = line->begin;
      ends.push_back(line->begin);
    } else if (!line->is_marker) {
      is_balanced = false;
    }
  }
  return ends;
}

}  // namespace

size_t ColumnsOfStatement(const OutlineLine& last) {
  size_t columns = last.columns;
  auto line = last.FilledAbove();
  for (size_t lines = 0; line && lines < kMaxHeadLines; ++lines) {
    if (line->EndsStatement() || line->EndsWithBracket()) break;
    columns = std::min(columns, line->columns);
    line = line->FilledAbove();
  }
  return columns;
}

std::vector<OutlineLine> HeadsAround(const OutlineLine& here) {
  std::vector<OutlineLine> heads;
  auto line = here.FilledAbove();
  size_t inside = here.StatementColumns() + (here.Closes() ? 1 : 0);
  if (here.blank() && line && line->EndsWithBracket()) inside = std::max(inside, line->columns + 1);
  bool is_label = false;  // the last head may be one
  for (; line && (inside > 0 || is_label) && heads.size() < kMaxHeads; line = line->FilledAbove()) {
    if (line->IsComment() && !line->EndsStatement() && !line->EndsWithBracket()) continue;
    const bool is_of_label = is_label && IsOfLabel(*line, heads.back(), here);
    if (line->columns >= inside && !is_of_label) {
      is_label = is_label && (line->columns > inside || line->EndsWith(":"));
      continue;
    }
    const size_t below = heads.empty() ? here.begin : heads.back().begin;
    heads.push_back(WithLinesBelow(WithLinesAbove(*line), below));
    line = heads.back();
    inside = line->columns + (line->Closes() ? 1 : 0);
    is_label = line->EndsWith(":");
  }
  std::reverse(heads.begin(), heads.end());
  return heads;
}

bool LeavesElementOpen(const OutlineLine& head) {
  const std::vector<OpenPart> open = OpenPartsOf(head.whole());
  return std::any_of(open.begin(), open.end(),
                     [](const OpenPart& part) { return part.closer.ends_with('>'); });
}

std::vector<OpenHead> OpenHeads(std::string_view text, size_t begin, size_t end) {
  const OutlineLine last = LineAt(text, end);
  const std::vector<OutlineLine> heads = HeadsAround(LineAt(text, begin));
  std::vector<OpenHead> open;
  for (size_t i = 0; i < heads.size(); ++i) {
    const bool is_closed =
        i + 1 < heads.size() && heads[i + 1].Closes() && heads[i + 1].columns == heads[i].columns;
    if (!is_closed && heads[i].EndsWithBracket())
      open.push_back({heads[i].begin, heads[i].last(), CloserOf(heads[i], last)});
  }
  return open;
}

std::optional<GapBracket> BracketOfGap(std::string_view text, size_t begin, size_t end) {
  const OutlineLine here = LineAt(text, begin);
  const OutlineLine last = LineAt(text, end);
  const size_t columns = here.StatementColumns();
  bool is_deeper = false;
  auto below = last.FilledBelow();
  for (; below && below->columns > columns; below = below->FilledBelow()) is_deeper = true;
  if (!below || below->columns < columns || !below->Closes()) return std::nullopt;
  GapBracket bracket{below->first, below->begin, last.EndsWithBracket(), {}};
  if (is_deeper) {
    bracket.ends = EndsInside(last, below->begin);
    return bracket;
  }
  const std::vector<OutlineLine> heads = HeadsAround(here);
  if (heads.empty() || !heads.back().EndsWithBracket()) return std::nullopt;
  const auto closer_of_head = CloserOf(heads.back(), last);
  const auto next = below->FilledBelow();
  const bool goes_on = next && next->columns == columns && heads.back().columns < columns;
  return goes_on || closer_of_head.value_or(0) > below->first ? std::optional(bracket)
                                                              : std::nullopt;
}

std::vector<size_t> EndsInBlockOfGap(std::string_view text, size_t begin, size_t end) {
  const size_t columns = LineAt(text, begin).StatementColumns();
  const OutlineLine last = LineAt(text, end);
  auto below = last.FilledBelow();
  while (below && below->columns > columns) below = below->FilledBelow();
  if (below && below->columns == columns && below->Closes()) return {};
  const size_t block_end = below ? below->begin : text.size();
  const std::string_view block = text.substr(last.end, block_end - last.end);
  return LoneBracketsOf(block).closing.empty() ? EndsInside(last, block_end)
                                               : std::vector<size_t>();
}

size_t FirstHollowLine(std::string_view text, size_t end, size_t until) {
  auto line = LineAt(text, end).FilledBelow();
  for (size_t lines = 0; line && line->begin < until && lines < kMaxOutlineLines; ++lines) {
    const auto below = line->FilledBelow();
    const bool is_filled =
        below && (below->columns > line->columns || below->Closes() || below->EndsWith(":"));
    if (!is_filled && line->EndsWith(kOpeningBrackets) &&
        (!below || below->columns <= ColumnsOfStatement(*line)))
      return line->begin;
    line = below;
  }
  return text.size();
}

}  // namespace tenon::server
