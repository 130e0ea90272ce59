#include "server/region/missing_brackets.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "server/region/outline_heads.h"
#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// Which cursor's lines show that a bracket above is half typed.
enum class Here {
  kStatement,  // one that begins with a word
  kAny,        // a blank one, too, where the line above may end a statement
};

// Is the bracket half typed? It is none of a block, text follows it on its line, and the cursor's
// line is no deeper than its statement.
bool IsHalfTyped(const OutlineLine& opening, size_t bracket, const OutlineLine& here, size_t cursor,
                 Here shown_by) {
  if (IndentationColumns(here.whole()) > ColumnsOfStatement(opening)) return false;
  if (opening.text[bracket] == '{' ||
      IsBlank(opening.text.substr(bracket + 1, opening.end - bracket - 1)))
    return false;
  if (here.blank())
    return shown_by == Here::kAny && MayEndStatement(here.text.substr(0, here.begin));
  const bool is_element = cursor < here.end && here.EndsWith(",");
  return here.first < cursor && IsWordByte(here.code().front()) && !is_element;
}

// A bracket above the cursor's line without a partner, and the line that shows it.
struct Unclosed {
  size_t bracket = 0;
  OutlineLine behind;
};

// The first line below the bracket that is no deeper than its statement and is no element of its
// list. Nothing where that line closes a bracket that none of the text opens: it may be this one.
// `closing`: the lines that begin with a closer of another bracket. The cursor's line shows it of a
// half-typed bracket alone.
std::optional<OutlineLine> LineBehind(std::string_view text, size_t bracket, size_t cursor,
                                      Here shown_by, const std::set<size_t>& closing) {
  const OutlineLine opening = LineAt(text, bracket);
  const OutlineLine here = LineAt(text, cursor);
  const size_t columns = ColumnsOfStatement(opening);
  auto line = opening.FilledBelow();
  // Labels may be as deep as the head of their block. Then one comes first.
  const bool has_labels =
      text[bracket] == '{' && line && line->columns == columns && line->EndsWith(":");
  for (; line && line->begin < here.begin; line = line->FilledBelow()) {
    const bool is_label = has_labels && line->EndsWith(":");
    if (line->columns > columns || line->IsComment() || is_label || closing.contains(line->begin))
      continue;
    // Elements of a list may stand as deep as its head.
    const bool is_element = text[bracket] != '{' && line->EndsWith(",");
    return line->Closes() || is_element ? std::nullopt : line;
  }
  return IsHalfTyped(opening, bracket, here, cursor, shown_by) ? std::optional(here) : std::nullopt;
}

// The bracket that is closed by the closer with which a line begins: the innermost one of its kind
// that is the last one opened, or whose line is as deep. The end of `open`: none is.
std::vector<size_t>::const_iterator PartnerOf(const OutlineLine& line,
                                              const std::vector<size_t>& open) {
  const auto found = std::find_if(open.rbegin(), open.rend(), [&](size_t bracket) {
    const std::string_view text = line.text;
    if (!IsPair(text[bracket], text[line.first])) return false;
    return bracket == open.back() || ColumnsOfStatement(LineAt(text, bracket)) == line.columns;
  });
  return found == open.rend() ? open.end() : found.base() - 1;
}

// Outermost first. A closer at a line's begin passes over the brackets that were opened after its
// partner. Example: the `}` of `f() {⏎  g(a;⏎}`.
std::vector<Unclosed> UnclosedAbove(std::string_view text, size_t cursor, Here shown_by) {
  std::vector<Unclosed> unclosed;
  std::vector<size_t> open;
  std::set<size_t> closing;
  const std::string_view above = text.substr(0, LineBeginAt(text, cursor));
  bool begins_line = true;  // only blanks stand before
  for (size_t i = 0; i < above.size(); ++i) {
    const bool is_first = begins_line;
    begins_line = above[i] == '\n' || (begins_line && IsBlank(above.substr(i, 1)));
    if (std::string_view("\"'`").find(above[i]) != std::string_view::npos)
      i = EndOfQuoted(above, i);
    if (kOpeningBrackets.find(above[i]) != std::string_view::npos) open.push_back(i);
    if (open.empty() || kClosingBrackets.find(above[i]) == std::string_view::npos) continue;
    if (!is_first) {
      if (IsPair(above[open.back()], above[i])) open.pop_back();
      continue;
    }
    const OutlineLine line = LineAt(text, i);
    const auto partner = PartnerOf(line, open);
    if (partner == open.end()) continue;
    for (auto passed = partner + 1; passed != open.end(); ++passed)
      unclosed.push_back({*passed, line});
    open.erase(partner, open.end());
    closing.insert(line.begin);
  }
  for (const size_t bracket : open) {
    if (const auto behind = LineBehind(text, bracket, cursor, shown_by, closing))
      unclosed.push_back({bracket, *behind});
  }
  std::sort(unclosed.begin(), unclosed.end(),
            [](const Unclosed& a, const Unclosed& b) { return a.bracket < b.bracket; });
  return unclosed;
}

// The sign at the end of the bracket's line before which its closer belongs: that of a statement's
// end, or of a block's begin. Examples: `;` of `f(a;`, `{` of `if (a {`. The `{` of `f(a, {` begins
// a value.
std::optional<size_t> SignBehind(std::string_view text, size_t bracket) {
  const OutlineLine line = LineAt(text, bracket);
  const size_t end = WithoutBlanksAtEnd(text.substr(0, line.end)).size();
  if (end < bracket + 2) return std::nullopt;
  const auto below = line.FilledBelow();
  const bool begins_block = below && below->columns > line.columns;
  const std::string_view before = WithoutBlanksAtEnd(text.substr(0, end - 1));
  const bool is_head =
      text[end - 1] == ':' ||
      (text[end - 1] == '{' && before.size() < end - 1 &&
       (IsWordByte(before.back()) || before.ends_with(')') || before.ends_with(']')));
  return text[end - 1] == ';' || (begins_block && is_head) ? std::optional(before.size())
                                                           : std::nullopt;
}

// Where the last line of code before `line` ends.
size_t EndOfCodeBefore(const OutlineLine& line) {
  auto above = line.FilledAbove();
  while (above && above->IsComment()) above = above->FilledAbove();
  return above ? WithoutBlanksAtEnd(line.text.substr(0, above->end)).size() : line.begin;
}

// Texts by the places at which they are missing.
using Missing = std::map<size_t, std::string>;

void AddClosers(std::string_view text, size_t cursor, Here shown_by, std::string_view terminator,
                Missing& missing) {
  std::map<size_t, std::string> closers;  // by the lines behind them
  for (const Unclosed& unclosed : UnclosedAbove(text, cursor, shown_by)) {
    const auto sign = SignBehind(text, unclosed.bracket);
    std::string& there = sign ? missing[*sign] : closers[unclosed.behind.begin];
    // What was opened last is closed first.
    there.insert(0, 1, ClosingBracketOf(text[unclosed.bracket]));
  }
  for (auto& [line, there] : closers) {
    const bool is_block = there.find('}') != std::string::npos;
    if (there.back() != '}') there.append(terminator);
    if (is_block) there.append(LineEndOf(text));
    missing[is_block ? line : EndOfCodeBefore(LineAt(text, line))] += there;
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
  const size_t here = LineBeginAt(text, cursor);
  const std::vector<Unclosed> unclosed = UnclosedAbove(text, cursor, Here::kStatement);
  return std::any_of(unclosed.begin(), unclosed.end(),
                     [here](const Unclosed& at) { return at.behind.begin == here; });
}

bool LacksBrackets(std::string_view text, size_t cursor) {
  Missing missing;
  AddClosers(text, cursor, Here::kStatement, "", missing);
  AddOpeners(LineAt(text, cursor), missing);
  return !missing.empty();
}

std::optional<MendedText> WithMissingBrackets(std::string_view text, size_t cursor,
                                              std::string_view terminator) {
  const OutlineLine here = LineAt(text, cursor);
  Missing missing;
  AddClosers(text, cursor, Here::kAny, terminator, missing);
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
