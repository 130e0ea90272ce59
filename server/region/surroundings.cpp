#include "server/region/surroundings.h"

#include <algorithm>
#include <utility>

#include "server/region/line_above.h"
#include "server/request/indentation.h"

namespace tenon::server {
namespace {

bool AtLineBegin(std::string_view text, size_t offset) {
  return offset == 0 || text[offset - 1] == '\n';
}

// The indentation inside each container but the last: that of its part with the cursor.
std::vector<std::string> IndentationsOf(std::string_view text, size_t cursor,
                                        const std::vector<Container>& containers) {
  std::vector<std::string> indentations;
  for (const Container& container : containers) {
    const auto around =
        std::find_if(container.units.begin(), container.units.end(),
                     [&](const Unit& unit) { return unit.begin < cursor && cursor < unit.end; });
    indentations.push_back(
        IndentationAt(text, around != container.units.end() ? around->begin : cursor));
  }
  return indentations;
}

// The indentation of the parts of each container that begin a line; nothing where none does.
std::vector<std::optional<size_t>> ColumnsOf(std::string_view text, size_t cursor,
                                             const std::vector<Container>& containers) {
  std::vector<std::optional<size_t>> columns;
  for (const Container& container : containers) {
    columns.emplace_back();
    for (const Unit& unit : container.units) {
      if (columns.size() == 1 && columns.back()) break;  // the file's: that of its first part
      const size_t line = WithBlanks(text, unit.begin);
      if (line > 0 && text[line - 1] != '\n') continue;
      if (columns.back() && unit.begin >= cursor) break;
      columns.back() = IndentationColumns(text.substr(line, unit.begin - line));
    }
  }
  return columns;
}

// The blanks of the first line with code at `end` or after it; nothing where there is none, and
// where `end` lies within its text.
std::optional<std::string_view> BlanksBelow(std::string_view text, size_t end) {
  size_t first = text.find_first_not_of(" \t\f\r\n", end);
  for (;;) {
    if (first == std::string_view::npos) return std::nullopt;
    const size_t line = WithBlanks(text, first);
    if (line < end || !AtLineBegin(text, line)) return std::nullopt;
    const size_t line_end = std::min(text.find('\n', first), text.size());
    if (!IsConflictMarker(text.substr(line, line_end - line)))
      return text.substr(line, first - line);
    first = text.find_first_not_of(" \t\f\r\n", line_end);
  }
}

}  // namespace

std::string_view FillerLine(const RegionRule& rule) {
  const std::string_view filler = rule.filler;
  return filler.ends_with('\n') ? filler.substr(0, filler.size() - 1) : std::string_view();
}

std::string_view FillerPart(const RegionRule& rule) {
  return rule.filler.ends_with('\n') ? std::string_view() : rule.filler;
}

bool MayEndIn(const RegionRule& rule, std::string_view text, size_t cursor, size_t end,
              LineFinder& lines) {
  if (end == text.size() || !FillerPart(rule).empty()) return true;
  const size_t last = text.substr(0, end).find_last_not_of(" \t\f\r\n");
  if (last != std::string_view::npos && last >= cursor && text[last] == ',') return false;
  return !FillerLine(rule).ends_with(';') || StatementEndsAbove(lines.At(end), cursor, end);
}

Surroundings::Surroundings(std::string_view text, size_t cursor, std::vector<Container> containers,
                           std::string line_end)
    : containers_(std::move(containers)),
      indentations_(IndentationsOf(text, cursor, containers_)),
      columns_(ColumnsOf(text, cursor, containers_)),
      line_end_(std::move(line_end)) {}

StandIns Surroundings::Compose(size_t level, const std::string& indentation) const {
  StandIns stand_ins(line_end_);
  for (size_t i = 0; i < level; ++i) stand_ins.Add(*containers_[i].rule, indentations_[i]);
  stand_ins.Add(*containers_[level].rule, indentation);
  return stand_ins;
}

std::string Surroundings::Before(size_t level, const std::string& indentation,
                                 bool first_in_line) const {
  const std::string_view line =
      first_in_line ? FillerLine(*containers_[level].rule) : std::string_view();
  return Compose(level, indentation).Before(first_in_line, line);
}

std::string Surroundings::After(size_t level, std::string_view text, size_t end) const {
  StandIns stand_ins = Compose(level, indentations_[level]);
  if (const auto blanks = BlanksBelow(text, end)) {
    for (size_t i = level + 1; i-- > 0;) {
      // The file's own parts may be those of a construct whose head is left out.
      if (i > 0 && (!columns_[i] || *columns_[i] > IndentationColumns(*blanks))) continue;
      const std::string_view line = FillerLine(*containers_[i].rule);
      if (!line.empty()) stand_ins.AddLineBelow(i, *blanks, line);
      break;
    }
  }
  return stand_ins.After(AtLineBegin(text, end));
}

}  // namespace tenon::server
