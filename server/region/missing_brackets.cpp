#include "server/region/missing_brackets.h"

#include <map>
#include <vector>

#include "server/region/outline_heads.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// The line above the cursor's that shows that the bracket has no partner: the first below the
// bracket that is no deeper than its statement, closes nothing and is no element of its list.
std::optional<OutlineLine> LineBehind(std::string_view text, size_t bracket, size_t cursor_line) {
  const OutlineLine opening = LineAt(text, bracket);
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
  return std::nullopt;
}

// Texts by the places at which they are missing.
using Missing = std::map<size_t, std::string>;

void AddClosers(std::string_view text, size_t cursor_line, std::string_view terminator,
                Missing& missing) {
  Missing closers;  // by the lines behind them
  for (const size_t bracket : OpenBrackets(text.substr(0, cursor_line))) {
    const auto behind = LineBehind(text, bracket, cursor_line);
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

std::optional<MendedText> WithMissingBrackets(std::string_view text, size_t cursor,
                                              std::string_view terminator) {
  const OutlineLine here = LineAt(text, cursor);
  Missing missing;
  AddClosers(text, here.begin, terminator, missing);
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
