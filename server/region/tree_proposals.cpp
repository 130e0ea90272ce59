#include "server/region/tree_proposals.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "server/region/line_above.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// May a statement begin here? Where tree-sitter has lost its way, parts of one may look like
// statements.
bool MayBeginStatement(std::string_view text, size_t offset) {
  const size_t last = text.substr(0, offset).find_last_not_of(" \t\f");
  return last == std::string_view::npos ||
         std::string_view("\n\r;{}:").find(text[last]) != std::string_view::npos;
}

// Does an item that the tree finds at `offset` belong to the one of the cursor's line? Where the
// tree has an error, `(b)` of `references a (b), c` may look like an item.
bool IsWithinItem(std::string_view text, size_t cursor, size_t offset) {
  const std::string_view between = text.substr(cursor, offset - cursor);
  const size_t last = between.find_last_not_of(kBlanks);
  return last != std::string_view::npos &&
         std::string_view(",\r\n").find(between[last]) == std::string_view::npos;
}

// Is the next character one of `characters`, or is there none?
bool GoesOnWith(std::string_view text, size_t offset, std::string_view characters) {
  const size_t next = text.find_first_not_of(" \t\f\r\n", offset);
  return next == std::string_view::npos || characters.find(text[next]) != std::string_view::npos;
}

}  // namespace

TreeProposals::TreeProposals(RegionSearch& search, std::vector<Container> containers)
    : search_(search),
      surroundings_(search.text(), search.cursor(), std::move(containers),
                    std::string(LineEndOf(search.text()))),
      columns_of_first_part_(
          IndentationColumns(IndentationAt(search.text(), search.first_part()))) {}

void TreeProposals::Try() {
  if (search_.Fits(RegionBegin{})) TryFrom(RegionBegin{});
  for (size_t level = 0; level < containers().size() && !search_.over(); ++level) {
    if (!containers()[level].whole) break;
    const std::vector<size_t> begins = BeginsOf(level);
    const auto best =
        Largest(begins.size(), [&](size_t i) { return search_.Fits(BeginAt(level, begins[i])); });
    if (!best) continue;
    TryFrom(BeginAt(level, begins[*best]));
    if (*best > 0 && !search_.best()) TryFrom(BeginAt(level, begins[0]));
  }
}

// Regions from `begin` to the farthest end in each construct, from the outermost in.
void TreeProposals::TryFrom(const RegionBegin& begin) {
  if (begin.at > 0 || search_.is_cut_off()) search_.TryWholeRight(begin);
  for (size_t level = 0; level < containers().size() && !search_.over(); ++level) {
    if (!containers()[level].whole) break;
    TryEnds(begin, level);
  }
}

// The units of a container that a region may begin with, by number, nearest to the cursor first. In
// a list number i stands for a region that begins after unit i - 1: the comma stays.
std::vector<size_t> TreeProposals::BeginsOf(size_t level) const {
  const Container& container = containers()[level];
  size_t left = 0;  // units that begin before the cursor
  while (left < container.units.size() && container.units[left].begin < search_.cursor()) ++left;
  const bool is_list = !FillerPart(*container.rule).empty();
  std::vector<size_t> begins;
  LineFinder lines(search_.text());
  for (size_t i = left + (is_list ? 1 : 0); i-- > 0;)
    if (MayBeginWith(level, i, lines)) begins.push_back(i);
  return begins;
}

bool TreeProposals::MayBeginWith(size_t level, size_t unit, LineFinder& lines) const {
  const Container& container = containers()[level];
  if (!FillerPart(*container.rule).empty())
    return unit == 0 || container.units[unit - 1].end <= search_.cursor();
  const size_t begin = container.units[unit].begin;
  const bool is_of_construct = level > 0 || (unit > 0 && IsOutermost(lines.At(begin), begin));
  return is_of_construct && MayBeginStatement(search_.text(), begin);
}

// Has the part that begins at `offset` of a line no more indentation than the file's first part?
// Deeper ones are within a construct, which the tree may have lost.
bool TreeProposals::IsOutermost(const OutlineLine& line, size_t offset) const {
  const size_t first = line.is_marker ? line.begin : line.first;
  return line.columns + (offset > first ? 1 : 0) <= columns_of_first_part_;
}

RegionBegin TreeProposals::BeginAt(size_t level, size_t unit) const {
  const Container& container = containers()[level];
  const std::string_view text = search_.text();
  const std::string_view filler = FillerPart(*container.rule);
  if (!filler.empty()) {
    std::string before = surroundings_.Before(level, "", false);
    if (unit == 0) return {container.begin, before};
    return {container.units[unit - 1].end, before.append(filler)};
  }
  const size_t at = container.units[unit].begin;
  const size_t begin = WithBlanks(text, at);
  const bool first_in_line = begin < at || begin == 0 || text[begin - 1] == '\n';
  return {begin, surroundings_.Before(level, IndentationAt(text, at), first_in_line)};
}

// Is the container of a level an item of a list, as `"a": 0` is?
bool TreeProposals::IsItem(size_t level) const {
  const RegionRule& rule = *containers()[level].rule;
  return level > 0 && rule.after.empty() && rule.filler.empty() &&
         !FillerPart(*containers()[level - 1].rule).empty();
}

// A list whose bracket is missing, and an item without a comma, may go on.
bool TreeProposals::IsFollowedByItsEnd(size_t level) const {
  const Container& container = containers()[level];
  if (IsItem(level)) return GoesOnWith(search_.text(), container.end, ",)]}");
  return FillerPart(*container.rule).empty() || GoesOnWith(search_.text(), container.end, ")]}>/");
}

// May a region end before this part of the container of a level?
bool TreeProposals::MayEndBefore(size_t level, const Unit& unit, LineFinder& lines) const {
  const RegionRule& rule = *containers()[level].rule;
  const std::string_view text = search_.text();
  if (!FillerPart(rule).empty()) return !IsWithinItem(text, search_.cursor(), unit.begin);
  if (IsItem(level)) return false;
  if (level > 0 || FillerLine(rule).empty())
    return MayEndIn(rule, text, search_.cursor(), unit.begin, lines);
  // The tree knows where a statement ends, but in an error.
  return MayBeginStatement(text, unit.begin) &&
         (!unit.is_error || MayEndIn(rule, text, search_.cursor(), unit.begin, lines));
}

// Regions from `begin` to the farthest end in the container of a level.
void TreeProposals::TryEnds(const RegionBegin& begin, size_t level) {
  const Container& container = containers()[level];
  const auto end_at = [&](size_t at, std::string_view part) -> RegionEnd {
    // Before the file's first part its beginning has not been yet: `package p`.
    if (at <= search_.first_part()) part = containers().front().rule->before;
    return {at, std::string(part) + surroundings_.After(level, search_.text(), at),
            container.begin};
  };
  auto right =  // the first unit after the cursor
      std::find_if(container.units.begin(), container.units.end(),
                   [&](const Unit& unit) { return unit.begin >= search_.cursor(); });
  if (right != container.units.end() && GoesOnWithBrace(search_.text(), right->begin)) ++right;
  std::vector<Unit> ends;  // that a region may end before
  LineFinder lines(search_.text());
  std::copy_if(right, container.units.end(), std::back_inserter(ends),
               [&](const Unit& unit) { return MayEndBefore(level, unit, lines); });
  const bool all = level > 0 && container.end >= search_.cursor() && IsFollowedByItsEnd(level);
  search_.Try(begin, ends.size() + (all ? 1 : 0), [&](size_t i) -> RegionEnd {
    if (i == ends.size()) return end_at(container.end, "");
    const size_t at = ends[i].begin;
    const size_t line = WithBlanks(search_.text(), at);
    const bool whole_lines = !FillerLine(*container.rule).empty() && line >= search_.cursor();
    return end_at(whole_lines ? line : at, FillerPart(*container.rule));
  });
}

}  // namespace tenon::server
