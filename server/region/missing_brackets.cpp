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

// A closer that begins a line passes over so many brackets at most.
constexpr ptrdiff_t kMaxPassedOver = 32;

// Does the cursor's line begin a statement: with a word, and with no comma at its end?
bool BeginsStatement(const OutlineLine& here, size_t cursor) {
  const bool is_element = cursor < here.end && here.EndsWith(",");
  return here.first < cursor && IsWordByte(here.code().front()) && !is_element;
}

// Is the bracket none of a block, with text after it on its line, and is `here` no deeper than its
// statement?
bool IsHalfTyped(const OutlineLine& opening, size_t bracket, const OutlineLine& here) {
  return opening.text[bracket] != '{' &&
         !IsBlank(opening.text.substr(bracket + 1, opening.end - bracket - 1)) &&
         here.columns <= ColumnsOfStatement(opening);
}

// A bracket above the cursor's line without a partner, and where the line begins that shows it.
struct Unclosed {
  size_t bracket = 0;
  size_t line_behind = 0;
};

// The brackets of a text.
struct Brackets {
  std::vector<size_t> open;           // without a partner, outermost first
  std::vector<Unclosed> passed_over;  // by a closer of an outer one
  std::set<size_t> closing;           // begins of the lines that begin with a partner
};

// The bracket that is closed by the closer with which a line begins: the innermost one of its kind
// that is the last one opened, or whose line is as deep. The end of `open`: none is.
std::vector<size_t>::const_iterator PartnerOf(const OutlineLine& line,
                                              const std::vector<size_t>& open) {
  const auto last = open.rbegin() + std::min(std::ssize(open), kMaxPassedOver + 1);
  const auto found = std::find_if(open.rbegin(), last, [&](size_t bracket) {
    const std::string_view text = line.text;
    if (!IsPair(text[bracket], text[line.first])) return false;
    return bracket == open.back() || ColumnsOfStatement(LineAt(text, bracket)) == line.columns;
  });
  return found == last ? open.end() : found.base() - 1;
}

// A closer at a line's begin passes over the brackets that were opened after its partner. Example:
// the `}` of `f() {⏎  g(a;⏎}`.
Brackets BracketsOf(std::string_view text) {
  Brackets brackets;
  std::vector<size_t>& open = brackets.open;
  bool begins_line = true;  // only blanks stand before
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_first = begins_line;
    begins_line = text[i] == '\n' || (begins_line && IsBlank(text.substr(i, 1)));
    if (std::string_view("\"'`").find(text[i]) != std::string_view::npos) i = EndOfQuoted(text, i);
    if (kOpeningBrackets.find(text[i]) != std::string_view::npos) open.push_back(i);
    if (open.empty() || kClosingBrackets.find(text[i]) == std::string_view::npos) continue;
    if (!is_first) {
      if (IsPair(text[open.back()], text[i])) open.pop_back();
      continue;
    }
    const OutlineLine line = LineAt(text, i);
    const auto partner = PartnerOf(line, open);
    if (partner == open.end()) continue;
    for (auto passed = partner + 1; passed != open.end(); ++passed)
      brackets.passed_over.push_back({*passed, line.begin});
    open.erase(partner, open.end());
    brackets.closing.insert(line.begin);
  }
  return brackets;
}

// Where the first line below an open bracket begins that is no deeper than its statement, up to the
// cursor's; nothing where an element of its list or an unknown closer comes first.
std::optional<size_t> LineBehind(const OutlineLine& opening, size_t bracket,
                                 const OutlineLine& here, const Brackets& brackets) {
  const size_t columns = ColumnsOfStatement(opening);
  const bool is_block = opening.text[bracket] == '{';
  auto line = opening.FilledBelow();
  // Labels may be as deep as the head of their block. Then one comes first.
  const bool has_labels = is_block && line && line->columns == columns && line->EndsWith(":");
  for (; line && line->begin < here.begin; line = line->FilledBelow()) {
    const bool is_label = has_labels && line->EndsWith(":");
    const bool closes_another = brackets.closing.contains(line->begin);
    if (line->columns > columns || line->IsComment() || is_label || closes_another) continue;
    // Elements of a list may stand as deep as its head.
    const bool is_element = !is_block && line->EndsWith(",");
    return line->Closes() || is_element ? std::nullopt : std::optional(line->begin);
  }
  return here.begin;
}

// Outermost first. `shown_by_here`: the cursor's line shows that a half-typed bracket has no
// partner.
std::vector<Unclosed> UnclosedAbove(std::string_view text, const OutlineLine& here,
                                    bool shown_by_here) {
  const Brackets brackets = BracketsOf(text.substr(0, here.begin));
  std::vector<Unclosed> unclosed = brackets.passed_over;
  for (const size_t bracket : brackets.open) {
    const OutlineLine opening = LineAt(text, bracket);
    const auto behind = LineBehind(opening, bracket, here, brackets);
    if (behind && (behind < here.begin || (shown_by_here && IsHalfTyped(opening, bracket, here))))
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

void AddClosers(std::string_view text, const std::vector<Unclosed>& all,
                std::string_view terminator, Missing& missing) {
  std::map<size_t, std::string> closers;  // by the lines behind them
  for (const Unclosed& unclosed : all) {
    const auto sign = SignBehind(text, unclosed.bracket);
    std::string& there = sign ? missing[*sign] : closers[unclosed.line_behind];
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
  const OutlineLine here = LineAt(text, cursor);
  if (!BeginsStatement(here, cursor)) return false;
  const Brackets brackets = BracketsOf(text.substr(0, here.begin));
  return std::any_of(brackets.open.begin(), brackets.open.end(), [&](size_t bracket) {
    const OutlineLine opening = LineAt(text, bracket);
    if (!IsHalfTyped(opening, bracket, here)) return false;
    return LineBehind(opening, bracket, here, brackets) == here.begin;
  });
}

bool LacksBrackets(std::string_view text, size_t cursor) {
  const OutlineLine here = LineAt(text, cursor);
  if (!UnclosedAbove(text, here, BeginsStatement(here, cursor)).empty()) return true;
  Missing missing;
  AddOpeners(here, missing);
  return !missing.empty();
}

std::optional<MendedText> WithMissingBrackets(std::string_view text, size_t cursor,
                                              std::string_view terminator) {
  const OutlineLine here = LineAt(text, cursor);
  const bool shown_by_here =
      here.blank() ? MayEndStatement(text.substr(0, here.begin)) : BeginsStatement(here, cursor);
  Missing missing;
  AddClosers(text, UnclosedAbove(text, here, shown_by_here), terminator, missing);
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
