#include "server/region/outline_lines.h"

#include <algorithm>
#include <string>

#include "server/request/comments.h"
#include "server/request/indentation.h"

namespace tenon::server {
namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr std::string_view kBlanksInLine = " \t\f";

std::optional<OutlineLine> NextFilled(OutlineLine line,
                                      std::optional<OutlineLine> (OutlineLine::*step)() const) {
  for (;;) {
    const auto next = (line.*step)();
    if (!next || !next->blank()) return next;
    line = *next;
  }
}

}  // namespace

OutlineLine LineAt(std::string_view text, size_t offset) {
  OutlineLine line;
  line.text = text;
  const size_t newline = offset == 0 ? kNone : text.rfind('\n', offset - 1);
  line.begin = newline == kNone ? 0 : newline + 1;
  line.end = std::min(text.find_first_of("\r\n", line.begin), text.size());
  line.first = std::min(text.find_first_not_of(kBlanksInLine, line.begin), line.end);
  line.columns = IndentationColumns(line.blanks());
  line.is_marker = IsConflictMarker(line.whole());
  if (line.is_marker) line.first = line.end;
  return line;
}

std::optional<OutlineLine> OutlineLine::Above() const {
  if (begin == 0) return std::nullopt;
  return LineAt(text, begin - 1);
}

std::optional<OutlineLine> OutlineLine::Below() const {
  const size_t newline = text.find('\n', end);
  if (newline == kNone) return std::nullopt;
  return LineAt(text, newline + 1);
}

std::optional<OutlineLine> OutlineLine::FilledAbove() const {
  return NextFilled(*this, &OutlineLine::Above);
}

std::optional<OutlineLine> OutlineLine::FilledBelow() const {
  return NextFilled(*this, &OutlineLine::Below);
}

char OutlineLine::last() const {
  const size_t at = whole().find_last_not_of(kBlanksInLine);
  return at == kNone ? char{0} : text[begin + at];
}

bool OutlineLine::EndsWithBracket() const {
  return EndsWith("([{<") && !text.substr(0, end).ends_with("<<");
}

bool OutlineLine::Closes() const {
  return !blank() && (text[first] == '>' || IsClosingBracket(text[first]));
}

bool OutlineLine::IsComment() const {
  // `*p = a` is no line of a comment.
  const bool has_star = code() == "*" || code().starts_with("* ") || code().starts_with("*/");
  return BeginsAsComment(code()) || has_star || code().ends_with("*/");
}

size_t OutlineLine::StatementColumns() const {
  if (!blank() || columns > 0) return columns;
  const auto above = FilledAbove();
  const auto below = FilledBelow();
  // Where the line above ends a construct, deeper lines below are no part of it: the gap opens
  // their construct.
  const bool ends = above && (above->EndsWith(";}") || (above->Closes() && above->EndsWith(")]")));
  if (ends && below && above->columns < below->columns) return above->columns;
  const size_t over = above ? above->columns + (above->EndsWith("([{:") ? 1 : 0) : 0;
  return std::max(over, below && !below->Closes() ? below->columns : 0);
}

bool IsConflictMarker(std::string_view line) {
  constexpr size_t kMarkerBytes = 7;
  if (line.size() < kMarkerBytes || std::string_view("<=>|").find(line[0]) == kNone) return false;
  const std::string_view rest = line.substr(kMarkerBytes);
  return line.substr(0, kMarkerBytes) == std::string(kMarkerBytes, line[0]) &&
         (rest.empty() || rest[0] == ' ' || rest[0] == '\r');
}

}  // namespace tenon::server
