#include "server/region/closers_above.h"

#include <map>
#include <vector>

#include "server/region/outline_heads.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// The line above the cursor's that shows that the bracket has no partner: the first below the
// bracket that is no deeper than its statement and closes nothing.
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
    return line->Closes() ? std::nullopt : line;
  }
  return std::nullopt;
}

}  // namespace

std::optional<TextWithClosers> WithClosersAbove(std::string_view text, size_t cursor,
                                                std::string_view terminator) {
  const size_t cursor_line = LineAt(text, cursor).begin;
  std::map<size_t, std::string> closers;  // by the lines behind them
  for (const size_t bracket : OpenBrackets(text.substr(0, cursor_line))) {
    const auto behind = LineBehind(text, bracket, cursor_line);
    // What was opened last is closed first.
    if (behind)
      closers[behind->begin].insert(0, 1, kClosingBrackets[kOpeningBrackets.find(text[bracket])]);
  }
  if (closers.empty()) return std::nullopt;
  TextWithClosers closed;
  size_t copied = 0;  // bytes of the text
  for (auto& [line, there] : closers) {
    const bool is_block = there.find('}') != std::string::npos;
    if (there.back() != '}') there.append(terminator);
    if (is_block) there.append(LineEndOf(text));
    const size_t at = is_block ? line : WithoutBlanksAtEnd(text.substr(0, line)).size();
    closed.text.append(text.substr(copied, at - copied)).append(there);
    copied = at;
  }
  closed.cursor = closed.text.size() + (cursor - copied);
  closed.text.append(text.substr(copied));
  return closed;
}

}  // namespace tenon::server
