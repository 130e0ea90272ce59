#include "server/region/region.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "server/region/missing_brackets.h"
#include "server/region/open_tags.h"
#include "server/region/outline_heads.h"
#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

constexpr int kMaxLinesUpToHead = 40;

// Is a bracket of the middle still open at the region's end?
bool LeavesBracketsOpen(const Region& region, std::string_view text, size_t cursor,
                        std::string_view middle) {
  // The middle may begin inside a string of the cursor's line.
  const size_t line = LineBeginAt(text, cursor);
  std::string code(text.substr(line, cursor - line));
  const size_t begin = code.size(), end = begin + middle.size();
  code += middle;
  code += text.substr(cursor, region.end - cursor);
  code += std::string_view(region.after).substr(0, region.tail_bytes);
  const std::vector<size_t> open = OpenBrackets(code);
  return std::any_of(open.begin(), open.end(),
                     [&](size_t offset) { return begin <= offset && offset < end; });
}

// Does the middle close a bracket of the stand-ins before the region, and open one?
bool ExchangesBrackets(const Region& region, std::string_view text, size_t cursor,
                       std::string_view middle) {
  const std::string left = region.Left(text, cursor);
  const std::vector<size_t> before = OpenBrackets(left);
  const std::vector<size_t> after = OpenBrackets(left + std::string(middle));
  if (after.empty() || after.back() < left.size()) return false;
  return std::any_of(before.begin(), before.end(), [&](size_t offset) {
    return offset < region.before.size() &&
           std::find(after.begin(), after.end(), offset) == after.end();
  });
}

// Do the stand-ins have an element or tag? Without one `<T>` is a type parameter.
bool HoldElements(const Region& region) {
  const std::vector<OpenPart> open = OpenPartsOf(region.before);
  return region.after.find("</") != std::string::npos ||
         region.after.find("/>") != std::string::npos ||
         std::any_of(open.begin(), open.end(),
                     [](const OpenPart& part) { return part.closer.ends_with('>'); });
}

// Does the middle close an element of the stand-ins, or leave one to them?
bool MovesElements(const Region& region, std::string_view text, size_t cursor,
                   std::string_view middle) {
  const std::string left = region.Left(text, cursor);
  if (ClosesElementBefore(left, middle, region.before.size())) return true;
  std::string code = left + std::string(middle);
  const size_t end = code.size();
  code += text.substr(cursor, region.end - cursor);
  code += std::string_view(region.after).substr(0, region.tail_bytes);
  const std::vector<OpenPart> open = OpenPartsOf(code);
  return std::any_of(open.begin(), open.end(), [&](const OpenPart& part) {
    return left.size() <= part.offset && part.offset < end && part.closer.ends_with('>');
  });
}

bool ClosesBlock(std::string_view text, const LoneBrackets& lone) {
  return std::any_of(lone.closing.begin(), lone.closing.end(),
                     [text](size_t at) { return text[at] == '}'; });
}

// Are the brackets that the text opens partners of those that it closes, in one statement, as in
// `} else {`? Or does a block follow parameters that end with a bracket, as in `}) => {`?
bool IsExchange(std::string_view text, const LoneBrackets& lone) {
  const std::string_view between =
      text.substr(lone.closing.back(), lone.opening.front() - lone.closing.back());
  if (between.find_first_of(";\r\n") != std::string_view::npos) return false;
  const bool is_body = lone.opening.size() == 1 && text[lone.opening.front()] == '{';
  if (is_body && text[lone.closing.back()] == ')') return true;
  return std::equal(
      lone.closing.begin(), lone.closing.end(), lone.opening.rbegin(), lone.opening.rend(),
      [text](size_t closing, size_t opening) { return IsPair(text[opening], text[closing]); });
}

// The cursor's, or that of the comment around it, which the closing text ends first: a comment's
// lines are indented in their own way. Code below a `/*` whose end is missing is no comment.
size_t PlaceOfBlock(std::string_view text, size_t cursor, std::string_view closing) {
  const size_t comment =
      closing.starts_with("*/") ? text.substr(0, cursor).rfind("/*") : std::string_view::npos;
  if (comment == std::string_view::npos) return cursor;
  auto line = std::optional(LineAt(text, cursor));
  for (; line && line->begin > comment; line = line->FilledAbove())
    if (!line->blank() && !line->IsComment()) return cursor;
  return comment;
}

// The indentation of the head that goes on at `place`: of the statement of its line, or of the line
// above where that ends none. A line that closes a bracket belongs to the one that opens it.
size_t ColumnsOfHeadAt(std::string_view text, size_t place) {
  const OutlineLine here = LineAt(text, place);
  auto line = here.FilledAbove();
  if (!line || line->EndsStatement()) return here.columns;
  OutlineLine head = *line;
  for (int lines = 0; line && lines < kMaxLinesUpToHead; ++lines, line = line->FilledAbove()) {
    head = *line;
    if (LoneBracketsOf(text.substr(head.begin, place - head.begin)).closing.empty()) break;
  }
  return std::min(here.columns, ColumnsOfStatement(head));
}

// Does the text open one bracket, in the statement that it begins in?
bool GoesOnToBracket(std::string_view text, const LoneBrackets& lone) {
  return lone.closing.empty() && lone.opening.size() == 1 &&
         text.substr(0, lone.opening.front()).find_first_of(";\r\n") == std::string_view::npos;
}

// Does the region hold at most one line with content after the cursor, or begin with a quote there
// that its stand-ins end?
bool MayBeginWithRest(const Region& region, std::string_view text, size_t cursor) {
  const size_t first = text.find_first_not_of(kBlanksAndLineEnds, cursor);
  if (first == std::string_view::npos) return false;
  for (const std::string_view quote : {"\"\"\"", "'''", "`"})
    if (region.after.starts_with(quote) && text.substr(first).starts_with(quote)) return true;
  const size_t next = text.find_first_not_of(kBlanksAndLineEnds, text.find('\n', first));
  return next != std::string_view::npos && region.end <= next;
}

bool MayLackCommentMark(const Region& region, std::string_view text, size_t cursor) {
  const OutlineLine here = LineAt(text, cursor);
  const size_t end = WithoutBlanksAtEnd(text.substr(0, here.end)).size();
  if (here.blank() || here.first < cursor || region.end >= end) return false;
  const auto above = here.Above(), below = here.Below();
  return (above && above->IsComment()) || (below && below->IsComment());
}

}  // namespace

std::vector<Seam> SeamsBefore(const Region& region, std::string_view text, size_t cursor) {
  std::vector<Seam> seams;
  if (MayBeginWithRest(region, text, cursor)) seams.push_back(Seam::kRest);
  if (MayLackCommentMark(region, text, cursor)) seams.push_back(Seam::kOpen);
  return seams;
}

bool MovesBrackets(const Region& region, std::string_view text, size_t cursor,
                   std::string_view middle) {
  return LeavesBracketsOpen(region, text, cursor, middle) ||
         ExchangesBrackets(region, text, cursor, middle) ||
         (HoldElements(region) && MovesElements(region, text, cursor, middle));
}

bool IsRegionFirst(std::string_view text, size_t cursor, std::string_view closing) {
  if (MovesBlocks(text, cursor, text.size(), closing)) return true;
  return ClosesBracketsAbove(text, cursor, closing) && LacksBrackets(text, cursor);
}

bool MovesBlocks(std::string_view text, size_t cursor, size_t end, std::string_view closing) {
  const LoneBrackets own = LoneBracketsAt(text, cursor, closing);
  if (own.opening.empty()) return false;
  if (!own.closing.empty()) return ClosesBlock(closing, own) && !IsExchange(closing, own);
  const size_t place = PlaceOfBlock(text, cursor, closing);
  const size_t columns = GoesOnToBracket(closing, own) ? ColumnsOfHeadAt(text, place)
                                                       : IndentationColumnsAt(text, place);
  auto opening = own.opening.rbegin();
  for (const size_t at : LoneBracketsOf(text.substr(cursor, end - cursor)).closing) {
    const size_t closer = cursor + at, line = LineBeginAt(text, closer);
    if (opening == own.opening.rend() || !IsPair(closing[*opening++], text[closer])) return false;
    if (ClosesABracket(text.substr(line, closer + 1 - line)) &&
        IndentationColumnsAt(text, line) < columns)
      return true;
  }
  return false;
}

}  // namespace tenon::server
