#include "server/region/missing_brackets.h"

#include <algorithm>
#include <map>
#include <vector>

#include "server/region/outline_heads.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// Is the bracket half typed, and does the cursor's line begin a statement of its own? It does where
// it is no deeper than that of the bracket, and begins with a word.
bool EndsHalfTyped(const OutlineLine& opening, size_t bracket, const OutlineLine& here,
                   size_t cursor) {
  if (here.columns > ColumnsOfStatement(opening) || here.first >= cursor) return false;
  if (opening.text[bracket] == '{' ||
      IsBlank(opening.text.substr(bracket + 1, opening.end - bracket - 1)))
    return false;
  return IsWordByte(here.code().front()) && !here.EndsWith(",");
}

// The line that shows that the bracket has no partner: the first below the bracket that is no
// deeper than its statement, closes nothing and is no element of its list. The cursor's line shows
// it of a half-typed bracket alone.
std::optional<OutlineLine> LineBehind(std::string_view text, size_t bracket, size_t cursor) {
  const OutlineLine opening = LineAt(text, bracket);
  const size_t cursor_line = LineAt(text, cursor).begin;
  const size_t columns = ColumnsOfStatement(opening);
  auto line = opening.FilledBelow();
  // Labels may be as deep as the head of their block. Then one comes first.
  const bool has_labels =
      text[bracket] == '{' && line && line->columns == columns && line->EndsWith(":");
  for (; line && line->begin < cursor_line; line = line->FilledBelow()) {
    const bool is_label = has_labels && line->EndsWith(":");
    if (line->columns > columns || line->IsComment() || is_label) continue;
    // Elements of a list may stand as deep as its head.
    const bool is_element = text[bracket] != '{' && line->EndsWith(",");
    return line->Closes() || is_element ? std::nullopt : line;
  }
  const bool is_here = line && line->begin == cursor_line;
  return is_here && EndsHalfTyped(opening, bracket, *line, cursor) ? line : std::nullopt;
}

// Texts by the places at which they are missing.
using Missing = std::map<size_t, std::string>;

void AddClosers(std::string_view text, size_t cursor, std::string_view terminator,
                Missing& missing) {
  Missing closers;  // by the lines behind them
  for (const size_t bracket : OpenBrackets(text.substr(0, LineBeginAt(text, cursor)))) {
    const auto behind = LineBehind(text, bracket, cursor);
    // What was opened last is closed first.
    if (behind)
      closers[behind->begin].insert(0, 1, kClosingBrackets[kOpeningBrackets.find(text[bracket])]);
  }
  for (auto& [line, there] : closers) {
    const bool is_block = there.find('}') != std::string::npos;
    if (there.back() != '}') there.append(terminator);
    if (is_block) there.append(LineEndOf(text));
    missing[is_block ? line : WithoutBlanksAtEnd(text.substr(0, line)).size()] += there;
  }
}

// Does a `}` with the head's indentation end the lines below it?
bool IsClosedBelow(const OutlineLine& head, OutlineLine line) {
  while (line.blank() || line.columns > head.columns) {
    const auto below = line.FilledBelow();
    if (!below) return false;
    line = *below;
  }
  return line.columns == head.columns && line.code().starts_with('}');
}

void AddOpeners(const OutlineLine& here, Missing& missing) {
  for (const OutlineLine& head : HeadsAround(here)) {
    const std::string_view whole = WithoutBlanksAtEnd(head.whole());
    const bool opens_block = head.EndsWith(":") || !OpenBrackets(whole).empty();
    if (!opens_block && IsClosedBelow(head, here)) missing[head.begin + whole.size()] += " {";
  }
}

}  // namespace

bool ComesAfterHalfTyped(std::string_view text, size_t cursor) {
  const OutlineLine here = LineAt(text, cursor);
  const std::vector<size_t> open = OpenBrackets(text.substr(0, here.begin));
  return std::any_of(open.begin(), open.end(), [&](size_t bracket) {
    const auto behind = LineBehind(text, bracket, cursor);
    return behind && behind->begin == here.begin;
  });
}

std::optional<MendedText> WithMissingBrackets(std::string_view text, size_t cursor,
                                              std::string_view terminator) {
  const OutlineLine here = LineAt(text, cursor);
  Missing missing;
  AddClosers(text, cursor, terminator, missing);
  AddOpeners(here, missing);
  if (missing.empty()) return std::nullopt;
  MendedText mended;
  size_t copied = 0;  // bytes of the text
  for (const auto& [at, there] : missing) {
    mended.text.append(text.substr(copied, at - copied)).append(there);
    copied = at;
  }
  mended.cursor = mended.text.size() + (cursor - copied);
  mended.text.append(text.substr(copied));
  return mended;
}

}  // namespace tenon::server
