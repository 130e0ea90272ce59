#include "server/region/outline_levels.h"

#include <algorithm>
#include <optional>

#include "server/region/open_tags.h"
#include "server/request/indentation.h"

namespace tenon::server {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr size_t kMaxLevels = 24;
constexpr size_t kMaxBegins = 12;
constexpr size_t kMaxEnds = 400;
constexpr size_t kMaxLines = 20'000;  // that are looked at for ends
constexpr size_t kMaxSiblings = 4;
constexpr size_t kMaxHeadLines = 10;

struct Line {
  size_t begin = 0, end = 0;  // bytes; the end without the line's end
  size_t first = 0;           // the first character that is no blank; = end where there is none
  size_t columns = 0;         // the indentation
  bool is_marker = false;     // of a conflict between two versions; blank for all that asks

  [[nodiscard]] bool blank() const { return first == end; }
};

Line LineAt(std::string_view text, size_t offset) {
  Line line;
  const size_t newline = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  line.begin = newline == std::string_view::npos ? 0 : newline + 1;
  line.end = std::min(text.find_first_of("\r\n", line.begin), text.size());
  line.first = std::min(text.find_first_not_of(" \t\f", line.begin), line.end);
  line.columns = IndentationColumns(text.substr(line.begin, line.first - line.begin));
  line.is_marker = IsConflictMarker(text.substr(line.begin, line.end - line.begin));
  if (line.is_marker) line.first = line.end;
  return line;
}

std::optional<Line> Above(std::string_view text, const Line& line) {
  if (line.begin == 0) return std::nullopt;
  return LineAt(text, line.begin - 1);
}

std::optional<Line> Below(std::string_view text, const Line& line) {
  const size_t newline = text.find('\n', line.end);
  if (newline == std::string_view::npos) return std::nullopt;
  return LineAt(text, newline + 1);
}

std::optional<Line> NextFilled(std::string_view text, Line line,
                               std::optional<Line> (*step)(std::string_view, const Line&)) {
  for (;;) {
    const auto next = step(text, line);
    if (!next || !next->blank()) return next;
    line = *next;
  }
}

bool Closes(std::string_view text, const Line& line) {
  if (line.blank()) return false;
  return text[line.first] == '>' || kClosingBrackets.find(text[line.first]) != kNone;
}

// The last character that is no blank; 0 of a blank line.
char LastOf(std::string_view text, const Line& line) {
  const size_t last = text.substr(line.begin, line.end - line.begin).find_last_not_of(" \t\f");
  return last == std::string_view::npos ? char{0} : text[line.begin + last];
}

bool EndsWith(std::string_view text, const Line& line, std::string_view characters) {
  const char last = LastOf(text, line);
  return last != 0 && characters.find(last) != std::string_view::npos;
}

bool EndsWithBracket(std::string_view text, const Line& line) {
  return EndsWith(text, line, "([{<") && !text.substr(0, line.end).ends_with("<<");
}

// The bracket that closes `opening`, which is one or `<`.
char ClosingOf(char opening) {
  const size_t kind = kOpeningBrackets.find(opening);
  return kind == kNone ? '>' : kClosingBrackets[kind];
}

// The indentation that a blank line of the cursor stands for.
size_t ColumnsOfBlank(std::string_view text, const Line& line) {
  if (line.columns > 0) return line.columns;
  const auto above = NextFilled(text, line, &Above);
  const auto below = NextFilled(text, line, &Below);
  // What the line above ends, deeper lines below are no part of: the gap opens their construct.
  const bool ends = above && (EndsWith(text, *above, ";}") ||
                              (Closes(text, *above) && EndsWith(text, *above, ")]")));
  if (ends && below && above->columns < below->columns) return above->columns;
  const size_t over = above ? above->columns + (EndsWith(text, *above, "([{:") ? 1 : 0) : 0;
  return std::max(over, below && !Closes(text, *below) ? below->columns : 0);
}

// The heads before a head that may belong to the same construct, first one first.
std::vector<Line> SiblingsOf(std::string_view text, const Line& head) {
  std::vector<Line> siblings;
  Line line = head;
  bool deeper = true;  // the line below has a deeper indentation
  while (siblings.size() < kMaxSiblings) {
    const auto above = NextFilled(text, line, &Above);
    if (!above || above->columns < head.columns) break;
    line = *above;
    if (line.columns == head.columns && deeper) {
      const std::string_view whole = text.substr(line.begin, line.end - line.begin);
      if (OpenBrackets(whole).empty()) siblings.push_back(line);
    }
    deeper = line.columns > head.columns;
    if (line.columns == head.columns && siblings.empty()) break;
  }
  std::reverse(siblings.begin(), siblings.end());
  return siblings;
}

// The heads around a level and a word in place of its statements. `with_siblings`: before each
// head the heads that may belong to its construct, with a word as their blocks: `else:` needs `if
// x:`. `with_elements`: elements are closed, too.
OutlineSkeleton SkeletonOf(std::string_view text, const std::vector<Line>& heads,
                           const std::string& indentation, std::string_view word,
                           bool with_siblings, bool with_elements = false) {
  OutlineSkeleton skeleton;
  skeleton.has_heads = !heads.empty();
  const auto add = [&](const Line& line) {
    const std::string_view whole = text.substr(line.begin, line.end - line.begin);
    skeleton.text.append(whole) += '\n';
    return whole.substr(0, line.first - line.begin);
  };
  const auto add_word = [&](const std::string& blanks) {
    skeleton.hole = skeleton.text.size() + blanks.size() + 1;
    skeleton.text.append(blanks).append(word) += '\n';
  };
  for (const Line& head : heads) {
    if (with_siblings) {
      for (const Line& sibling : SiblingsOf(text, head))
        add_word(std::string(add(sibling)) + "    ");
    }
    add(head);
  }
  add_word(indentation);
  if (with_elements) {
    const std::vector<OpenPart> open = OpenPartsOf(skeleton.text);
    for (size_t i = open.size(); i-- > 0;) skeleton.text += open[i].closer;
    return skeleton;
  }
  const std::vector<size_t> open = OpenBrackets(skeleton.text);
  for (size_t i = open.size(); i-- > 0;)
    skeleton.text += kClosingBrackets[kOpeningBrackets.find(skeleton.text[open[i]])];
  return skeleton;
}

// `opened`: the level's first line opens a bracket, around the cursor or at it. Neither its
// closing line nor that of a later line of the level is an end.
void SetEnds(std::string_view text, Line line, size_t columns, bool opened, OutlineLevel& level) {
  for (size_t lines = 0; lines < kMaxLines; ++lines) {
    const auto below = Below(text, line);
    if (!below) {
      level.ends.push_back(text.size());
      return;
    }
    line = *below;
    if (line.is_marker && level.ends.size() + 1 < kMaxEnds) level.ends.push_back(line.begin);
    if (line.blank() || line.columns > columns) continue;
    const bool closes = line.columns == columns && Closes(text, line);
    if ((!closes || !opened) && !GoesOnWithBrace(text, line.first))
      level.ends.push_back(line.begin);
    if (line.columns < columns || (closes && !opened)) return;
    opened = EndsWithBracket(text, line);
    if (level.ends.size() == kMaxEnds) return;
  }
}

// Do deeper lines above belong to a bracket that a line of `columns` opened? Then a blank line of
// the cursor is where the bracket will be closed, and no statement begins there.
bool InBracketOf(std::string_view text, const Line& line, size_t columns) {
  auto above = NextFilled(text, line, &Above);
  if (!above || above->columns <= columns) return false;
  while (above && above->columns > columns) above = NextFilled(text, *above, &Above);
  return above && above->columns == columns && !Closes(text, *above) &&
         EndsWithBracket(text, *above);
}

void SetBegins(std::string_view text, Line line, size_t columns, OutlineLevel& level) {
  if (!Closes(text, line) && !(line.blank() && InBracketOf(text, line, columns)))
    level.begins.push_back(line.begin);
  while (level.begins.size() < kMaxBegins) {
    const auto above = NextFilled(text, line, &Above);
    if (!above || above->columns < columns) return;
    line = *above;
    if (line.columns == columns && !Closes(text, line)) level.begins.push_back(line.begin);
  }
}

size_t ColumnsAt(std::string_view text, const Line& line) {
  return line.blank() ? ColumnsOfBlank(text, line) : line.columns;
}

// The bracket that closes the one at the end of a head, where people put it: first in a line with
// the head's indentation. `line`: of the cursor, where the bracket is still to be closed if no
// line of its content follows.
std::optional<size_t> CloserOf(std::string_view text, const Line& head, const Line& line) {
  if (Closes(text, line) && line.columns == head.columns) return line.first;
  const auto is_inside = [&](const Line& below) {
    return below.columns > head.columns ||
           (below.columns == head.columns && EndsWith(text, below, ":") &&
            !Closes(text, below));  // a label
  };
  auto below = NextFilled(text, line, &Below);
  if (!below) return std::nullopt;  // the file is cut off
  if (!is_inside(*below) && !Closes(text, *below)) return line.begin;
  while (below && is_inside(*below)) below = NextFilled(text, *below, &Below);
  if (!below || below->columns != head.columns || !Closes(text, *below)) return std::nullopt;
  return text[below->first] == ClosingOf(LastOf(text, head)) ? below->first : line.begin;
}

// Is `line`, above `head` and with the same indentation, a construct that `head` is a label of?
// Example: `switch a {` and `case 1:`.
bool IsOfLabel(std::string_view text, const Line& line, const Line& head, const Line& here) {
  if (line.columns != head.columns || !EndsWith(text, head, ":") || !EndsWithBracket(text, line) ||
      CloserOf(text, line, here).value_or(0) <= here.end)
    return false;
  const std::vector<size_t> open = OpenBrackets(text.substr(line.begin, head.begin - line.begin));
  return !open.empty() && line.begin + open.back() < line.end;
}

// Does a statement end with the line, or a bracket or block begin behind it?
bool EndsStatement(std::string_view text, const Line& line) { return EndsWith(text, line, ";{}:"); }

// Does the line hold the tag of an element that goes on below?
bool LeavesElementOpen(std::string_view text, const Line& head) {
  const std::vector<OpenPart> open = OpenPartsOf(text.substr(head.begin, head.end - head.begin));
  return std::any_of(open.begin(), open.end(),
                     [](const OpenPart& part) { return part.closer.ends_with('>'); });
}

// `head` with the lines below it up to the one that opens its block, which ends before `below`.
//
//   class A extends B
//       implements C {
Line WithLinesBelow(std::string_view text, Line head, size_t below) {
  auto line = std::optional(head);
  for (size_t lines = 0; lines < kMaxHeadLines; ++lines) {
    if (EndsWithBracket(text, *line) || EndsWith(text, *line, ":")) {
      head.end = line->end;
      return head;
    }
    if (EndsStatement(text, *line)) return head;
    if (EndsWith(text, *line, ">") && LeavesElementOpen(text, *line)) return head;
    line = NextFilled(text, *line, &Below);
    if (!line || line->begin >= below) return head;
    const bool is_bracket = line->columns == head.columns && text[line->first] == '{';
    if (line->columns <= head.columns && !is_bracket) return head;
  }
  return head;
}

// `head`, which is an opening bracket in a line of its own, with the lines that it belongs to.
Line WithLinesAbove(std::string_view text, Line head) {
  if (text.substr(head.first, head.end - head.first).find_first_not_of("{ \t") !=
      std::string_view::npos)
    return head;
  auto line = NextFilled(text, head, &Above);
  for (size_t lines = 0; line && lines < kMaxHeadLines; ++lines) {
    if (line->columns < head.columns || EndsStatement(text, *line)) return head;
    if (line->columns == head.columns) {
      head.begin = line->begin;
      head.first = line->first;
      return head;
    }
    line = NextFilled(text, *line, &Above);
  }
  return head;
}

// The indentation of the first line of the statement that a line is the last one of.
size_t ColumnsOfStatement(std::string_view text, const Line& last) {
  size_t columns = last.columns;
  auto line = NextFilled(text, last, &Above);
  for (size_t lines = 0; line && lines < kMaxHeadLines; ++lines) {
    if (EndsStatement(text, *line) || EndsWithBracket(text, *line)) break;
    columns = std::min(columns, line->columns);
    line = NextFilled(text, *line, &Above);
  }
  return columns;
}

// The heads around the cursor's line, outermost first.
std::vector<Line> HeadsOf(std::string_view text, const Line& here) {
  std::vector<Line> heads;
  auto line = NextFilled(text, here, &Above);
  size_t inside = ColumnsAt(text, here) + (Closes(text, here) ? 1 : 0);
  if (here.blank() && line && EndsWithBracket(text, *line))
    inside = std::max(inside, line->columns + 1);
  bool is_label = false;  // the last head may be one
  for (; line && (inside > 0 || is_label) && heads.size() < kMaxLevels;
       line = NextFilled(text, *line, &Above)) {
    const bool is_of_label = is_label && IsOfLabel(text, *line, heads.back(), here);
    if (line->columns >= inside && !is_of_label) {
      is_label = is_label && (line->columns > inside || EndsWith(text, *line, ":"));
      continue;
    }
    const size_t below = heads.empty() ? here.begin : heads.back().begin;
    heads.push_back(WithLinesBelow(text, WithLinesAbove(text, *line), below));
    line = heads.back();
    inside = line->columns + (Closes(text, *line) ? 1 : 0);
    is_label = EndsWith(text, *line, ":");
  }
  std::reverse(heads.begin(), heads.end());
  return heads;
}

// The lines between `last` and the line at `closer_line` before which a part of them may end: those
// that begin a statement or item, and markers, up to the first bracket without a partner. Empty
// where a line has less indentation than the first one: it closes a second bracket.
std::vector<size_t> EndsInside(std::string_view text, const Line& last, size_t closer_line) {
  std::vector<size_t> ends;
  std::optional<size_t> columns;
  bool is_balanced = true;
  size_t begin = last.end;  // of what may be unbalanced
  for (auto line = Below(text, last); line && line->begin < closer_line;
       line = Below(text, *line)) {
    if (line->blank() && !line->is_marker) continue;
    if (!line->is_marker && !columns) columns = line->columns;
    if (!line->is_marker && line->columns < *columns) return {};
    if (!line->is_marker && (line->columns > *columns || Closes(text, *line))) continue;
    const LoneBrackets lone = LoneBracketsOf(text.substr(begin, line->begin - begin));
    const bool is_whole = lone.opening.empty() && lone.closing.empty();
    if (is_whole) begin = line->begin;
    if (!is_whole && !line->is_marker) is_balanced = false;
    if (is_whole && is_balanced && ends.size() < kMaxEnds) ends.push_back(line->begin);
  }
  return ends;
}

// Does what follows lie in a bracket that the head opens? `def f(a:` lacks one.
bool LeavesBracketOpen(std::string_view text, const Line& head) {
  return !EndsWith(text, head, ":") &&
         (EndsWithBracket(text, head) ||
          !OpenBrackets(text.substr(head.begin, head.end - head.begin)).empty());
}

// Does it look like a line of a comment, in whatever language?
bool IsComment(std::string_view text, const Line& line) {
  const std::string_view code = text.substr(line.first, line.end - line.first);
  return code.starts_with("//") || code.starts_with("/*") || code.starts_with('*') ||
         code.starts_with('#') || code.starts_with("--") || code.ends_with("*/");
}

}  // namespace

bool IsConflictMarker(std::string_view line) {
  constexpr size_t kMarkerBytes = 7;
  if (line.size() < kMarkerBytes ||
      std::string_view("<=>|").find(line[0]) == std::string_view::npos)
    return false;
  const std::string_view rest = line.substr(kMarkerBytes);
  return line.substr(0, kMarkerBytes) == std::string(kMarkerBytes, line[0]) &&
         (rest.empty() || rest[0] == ' ' || rest[0] == '\r');
}

bool GoesOnWithBrace(std::string_view text, size_t offset) {
  if (offset >= text.size() || text[offset] != '{') return false;
  const auto above = NextFilled(text, LineAt(text, offset), &Above);
  return above &&
         text.substr(above->end, offset - above->end).find_first_not_of(" \t\r\n") ==
             std::string_view::npos &&
         !EndsStatement(text, *above) && !EndsWith(text, *above, ",([");
}

bool ComesAfterAnnotation(std::string_view text, size_t offset) {
  const auto above = NextFilled(text, LineAt(text, offset), &Above);
  return above && text[above->first] == '@' && !EndsStatement(text, *above);
}

bool LineAboveGoesOn(std::string_view text, size_t offset) {
  const auto above = Above(text, LineAt(text, offset));
  return above && !above->blank() && !IsComment(text, *above) && !EndsStatement(text, *above);
}

bool StatementEndsAbove(std::string_view text, size_t cursor, size_t offset) {
  const Line here = LineAt(text, offset);
  if (offset > here.first) {
    const size_t last = text.substr(0, offset).find_last_not_of(" \t\f");
    return text[last] == ';';
  }
  const auto above = Above(text, here);
  if (!above || here.is_marker || IsComment(text, here)) return true;
  const bool has_cursor = above->begin <= cursor && cursor <= above->end;
  return (!has_cursor && (above->blank() || IsComment(text, *above))) ||
         (above->end > cursor && EndsWith(text, *above, ";"));
}

std::optional<char> BracketLeftOpenAbove(std::string_view text, size_t offset) {
  const Line here = LineAt(text, offset);
  const auto above = NextFilled(text, here, &Above);
  if (!above || offset > here.first || EndsWithBracket(text, *above) ||
      EndsWith(text, *above, ":") || IsComment(text, *above))
    return std::nullopt;
  const std::string_view line = text.substr(above->first, above->end - above->first);
  const std::vector<size_t> open = OpenBrackets(line);
  return open.empty() ? std::nullopt : std::optional(line[open.back()]);
}

std::vector<OpenHead> OpenHeads(std::string_view text, size_t begin, size_t end) {
  const Line last = LineAt(text, end);
  const std::vector<Line> heads = HeadsOf(text, LineAt(text, begin));
  std::vector<OpenHead> open;
  for (size_t i = 0; i < heads.size(); ++i) {
    const bool is_closed = i + 1 < heads.size() && Closes(text, heads[i + 1]) &&
                           heads[i + 1].columns == heads[i].columns;
    if (!is_closed && EndsWithBracket(text, heads[i]))
      open.push_back({heads[i].begin, LastOf(text, heads[i]), CloserOf(text, heads[i], last)});
  }
  return open;
}

std::optional<GapBracket> BracketOfGap(std::string_view text, size_t begin, size_t end) {
  const Line here = LineAt(text, begin);
  const Line last = LineAt(text, end);
  const size_t columns = ColumnsAt(text, here);
  bool is_deeper = false;
  auto below = NextFilled(text, last, &Below);
  for (; below && below->columns > columns; below = NextFilled(text, *below, &Below))
    is_deeper = true;
  if (!below || below->columns < columns || !Closes(text, *below)) return std::nullopt;
  GapBracket bracket{below->first, below->begin, EndsWithBracket(text, last), {}};
  if (is_deeper) {
    bracket.ends = EndsInside(text, last, below->begin);
    return bracket;
  }
  const std::vector<Line> heads = HeadsOf(text, here);
  if (heads.empty() || !EndsWithBracket(text, heads.back())) return std::nullopt;
  const auto closer_of_head = CloserOf(text, heads.back(), last);
  const auto next = NextFilled(text, *below, &Below);
  const bool goes_on = next && next->columns == columns && heads.back().columns < columns;
  return goes_on || closer_of_head.value_or(0) > below->first ? std::optional(bracket)
                                                              : std::nullopt;
}

size_t FirstHollowLine(std::string_view text, size_t end, size_t until) {
  auto line = NextFilled(text, LineAt(text, end), &Below);
  for (size_t lines = 0; line && line->begin < until && lines < kMaxLines; ++lines) {
    const auto below = NextFilled(text, *line, &Below);
    const bool is_filled = below && (below->columns > line->columns || Closes(text, *below) ||
                                     EndsWith(text, *below, ":"));
    if (!is_filled && EndsWith(text, *line, kOpeningBrackets) &&
        (!below || below->columns <= ColumnsOfStatement(text, *line)))
      return line->begin;
    line = below;
  }
  return text.size();
}

std::vector<OutlineLevel> OutlineLevels(std::string_view text, size_t begin, size_t end,
                                        std::string_view word) {
  const Line here = LineAt(text, begin);
  const Line last = LineAt(text, end);
  const size_t columns = ColumnsAt(text, here);
  const std::vector<Line> heads = HeadsOf(text, here);
  const std::optional<GapBracket> opened = BracketOfGap(text, begin, end);
  std::vector<OutlineLevel> levels;
  for (size_t i = 0; i <= heads.size(); ++i) {
    const bool is_head = i < heads.size();
    const Line& first = is_head ? heads[i] : here;
    if (is_head && Closes(text, first)) continue;
    OutlineLevel level;
    level.first = first.begin;
    const size_t at = is_head ? first.columns : columns;
    SetBegins(text, first, at, level);
    // A label's statement closes no bracket; any other head's may, though the gap opens it.
    const bool is_open = is_head ? !EndsWith(text, first, ":") : opened.has_value();
    SetEnds(text, last, at, is_open, level);
    if (!is_head) level.opened = opened;
    const std::string indentation =
        first.blank() ? std::string(at, ' ')
                      : std::string(text.substr(first.begin, first.first - first.begin));
    std::vector<Line> around(heads.begin(), heads.begin() + static_cast<ptrdiff_t>(i));
    for (const bool with_siblings : {false, true})
      level.skeletons.push_back(SkeletonOf(text, around, indentation, word, with_siblings));
    if (std::any_of(around.begin(), around.end(),
                    [&](const Line& head) { return LeavesElementOpen(text, head); }))
      level.skeletons.push_back(SkeletonOf(text, around, indentation, word, false, true));
    if (!around.empty() && !LeavesBracketOpen(text, around.back())) {
      around.pop_back();
      level.skeletons.push_back(SkeletonOf(text, around, indentation, word, false));
    }
    levels.push_back(std::move(level));
  }
  return levels;
}

}  // namespace tenon::server
