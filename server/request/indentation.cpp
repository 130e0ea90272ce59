#include "server/request/indentation.h"

#include <algorithm>
#include <utility>

#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

constexpr size_t kTabWidth = 8;

// Does the line open a block, whose lines come next?
bool OpensLines(std::string_view line) {
  return !line.empty() &&
         (line.back() == ':' || kOpeningBrackets.find(line.back()) != std::string_view::npos);
}

}  // namespace

size_t IndentationColumns(std::string_view line) {
  size_t columns = 0;
  for (const char c : line) {
    if (c == '\t')
      columns = columns / kTabWidth * kTabWidth + kTabWidth;
    else if (c == ' ' || c == '\f')
      ++columns;
    else
      break;
  }
  return columns;
}

std::string_view LeadingBlanksAt(std::string_view text, size_t offset) {
  const std::string_view line = text.substr(LineBeginAt(text, offset));
  return line.substr(0, std::min(line.find_first_not_of(kBlanks), line.size()));
}

size_t IndentationColumnsAt(std::string_view text, size_t offset) {
  return IndentationColumns(LeadingBlanksAt(text, offset));
}

bool ClosesABracket(std::string_view line) {
  const size_t first = line.find_first_not_of(" \t\r\n\f");
  return first != std::string_view::npos && IsClosingBracket(line[first]);
}

std::string IndentationUnit(std::string_view text) {
  size_t by_tabs = 0, by_blanks = 0, fewest = 0;
  for (size_t begin = 0; begin < text.size();) {
    const size_t first = std::min(text.find_first_not_of(' ', begin), text.size());
    const size_t blanks = first - begin;
    const bool is_empty = first == text.size() || text[first] == '\n' || text[first] == '\r';
    if (!is_empty && text[begin] == '\t') {
      ++by_tabs;
    } else if (!is_empty && blanks >= 2) {
      ++by_blanks;
      fewest = fewest == 0 ? blanks : std::min(fewest, blanks);
    }
    const size_t line_end = text.find('\n', first);
    begin = line_end == std::string_view::npos ? text.size() : line_end + 1;
  }
  return by_tabs > by_blanks ? "\t" : std::string(fewest, ' ');
}

std::string IndentationUnitAt(std::string_view text, std::string_view blanks) {
  if (blanks.starts_with('\t')) return "\t";
  std::string unit = IndentationUnit(text);
  if (!blanks.empty() && unit == "\t") unit.clear();
  return unit;
}

std::string WithIndentation(std::string_view text, std::string_view unit) {
  constexpr size_t kBlanksATab = 4;
  std::string out;
  bool at_begin = false;  // in the blanks at a line's beginning
  size_t blanks = 0;      // of those that are not written yet
  for (const char c : text) {
    if (at_begin && c == ' ' && unit == "\t") {
      if (++blanks < kBlanksATab) continue;
      out += '\t';
      blanks = 0;
      continue;
    }
    out.append(blanks, ' ');
    blanks = 0;
    if (at_begin && c == '\t' && unit.starts_with(' '))
      out += unit;
    else
      out += c;
    at_begin = c == '\n' || c == '\r' || (at_begin && (c == ' ' || c == '\t'));
  }
  return out.append(blanks, ' ');
}

size_t BlockStep(std::string_view text, size_t cursor) {
  size_t step = 0, columns_above = 0;
  bool opened = false;
  for (const std::string_view line : LinesIn(text)) {
    const auto begin = static_cast<size_t>(line.data() - text.data());
    const std::string_view shown = WithoutBlanksAtEnd(line);
    const size_t end = begin + line.size();
    const bool has_cursor = begin <= cursor && (cursor < end || end == text.size());
    if (shown.empty() && !has_cursor) continue;
    const size_t columns = IndentationColumns(line);
    if (opened && columns > columns_above) {
      if (step != 0 && columns - columns_above != step) return 0;
      step = columns - columns_above;
    }
    columns_above = columns;
    opened = OpensLines(shown);
  }
  return step;
}

std::string WithBlockStep(std::string_view text, size_t from, size_t to) {
  // The columns of the blocks around a line, and those that they are given.
  std::vector<std::pair<size_t, size_t>> blocks;
  std::string out;
  bool opened = false;
  for (const std::string_view line : LinesIn(text)) {
    const std::string_view shown = WithoutBlanksAtEnd(line);
    const size_t columns = IndentationColumns(line), blanks = LeadingBlanksAt(line, 0).size();
    if (shown.empty() || blanks != columns) {
      out += line;
      continue;
    }
    while (blocks.size() > 1 && columns < blocks.back().first) blocks.pop_back();
    if (blocks.empty())
      blocks.emplace_back(columns, columns);
    else if (opened && columns == blocks.back().first + from)
      blocks.emplace_back(columns, blocks.back().second + to);
    const auto [theirs, ours] = blocks.back();
    out.append(columns < theirs ? columns : columns - theirs + ours, ' ');
    out += line.substr(blanks);
    opened = OpensLines(shown);
  }
  return out;
}

LoneBrackets LoneBracketsOf(std::string_view text) {
  LoneBrackets lone;
  QuoteScanner quotes(text);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"' || text[i] == '\'' || text[i] == '`') i = quotes.EndAt(i);
    if (kOpeningBrackets.find(text[i]) != std::string_view::npos) lone.opening.push_back(i);
    if (!IsClosingBracket(text[i])) continue;
    if (lone.opening.empty())
      lone.closing.push_back(i);
    else if (IsPair(text[lone.opening.back()], text[i]))
      lone.opening.pop_back();
  }
  return lone;
}

LoneBrackets LoneBracketsAt(std::string_view text, size_t cursor, std::string_view middle) {
  const size_t line = LineBeginAt(text, cursor), before = cursor - line;
  LoneBrackets lone = LoneBracketsOf(std::string(text.substr(line, before)).append(middle));
  for (std::vector<size_t>* offsets : {&lone.opening, &lone.closing}) {
    std::erase_if(*offsets, [before](size_t at) { return at < before; });
    for (size_t& at : *offsets) at -= before;
  }
  return lone;
}

std::vector<size_t> OpenBrackets(std::string_view text) { return LoneBracketsOf(text).opening; }

std::string ClosersOf(std::string_view text) {
  std::string closers;
  const std::vector<size_t> open = OpenBrackets(text);
  for (auto at = open.rbegin(); at != open.rend(); ++at) closers += ClosingBracketOf(text[*at]);
  return closers;
}

bool IsPair(char opening, char closing) {
  const size_t kind = kOpeningBrackets.find(opening);
  return kind != std::string_view::npos && kClosingBrackets[kind] == closing;
}

size_t EndOfQuoted(std::string_view text, size_t at) { return QuoteScanner(text).EndAt(at); }

// A quote after an open one of its kind, on the same line, is escaped: else it would be the end. So
// both are followed by the same text, and neither has an end.
size_t QuoteScanner::EndAt(size_t at) {
  const char quote = text_[at];
  size_t& open_up_to = open_up_to_[kQuotes.find(quote)];
  if (at < open_up_to) return at;
  size_t i = at + 1;
  for (; i < text_.size() && text_[i] != '\n'; ++i) {
    if (text_[i] == '\\')
      ++i;
    else if (text_[i] == quote)
      return i;
  }
  open_up_to = i;
  return at;
}

}  // namespace tenon::server
