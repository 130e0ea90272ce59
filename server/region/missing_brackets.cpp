#include "server/region/missing_brackets.h"

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "server/region/outline_heads.h"
#include "server/request/blocks.h"
#include "server/request/comments.h"
#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// A closer that begins a line passes over so many brackets at most.
constexpr ptrdiff_t kMaxPassedOver = 32;
constexpr int kMaxLinesOfHead = 10;
// A longer regular expression is taken for none.
constexpr size_t kMaxPatternBytes = 1000;

// Does the cursor's line begin a statement: with a word, with no comma at its end, and with no
// closer of a line above?
bool BeginsStatement(const OutlineLine& here, size_t cursor) {
  if (cursor <= here.first || !IsWordByte(here.code().front())) return false;
  const bool is_element = cursor < here.end && here.EndsWith(",");
  return !is_element &&
         LoneBracketsOf(here.text.substr(here.first, cursor - here.first)).closing.empty();
}

// A bracket above the cursor's line without a partner, and where the line begins that shows it.
struct Unclosed {
  size_t bracket = 0;
  size_t line_after = 0;
};

// From one bracket to its partner.
struct Pair {
  size_t opening = 0, closing = 0;
};

// Does some line begin with this mark?
bool HasLineWith(std::string_view text, std::string_view mark) {
  for (size_t line = 0; line < text.size();
       line = std::min(text.find('\n', line), text.size() - 1) + 1)
    if (WithoutBlanksAtBegin(text.substr(line)).starts_with(mark)) return true;
  return false;
}

// What is no code of a text: comments, and strings of several lines.
class Prose {
 public:
  // `//` divides in Python, where lines begin with `#` alone.
  explicit Prose(std::string_view text)
      : text_(text), slashes_divide_(HasLineWith(text, "#") && !HasLineWith(text, "//")) {}

  // Where the prose ends that begins at `at`; `at`: none does.
  [[nodiscard]] size_t EndAt(size_t at) const {
    if (!slashes_divide_ || !text_.substr(at).starts_with("//")) {
      if (const size_t end = EndOfCommentAt(text_, at); end > at) return end;
    }
    if (text_[at] == '`') {
      const size_t end = text_.find('`', at + 1);
      return end == std::string_view::npos ? at : end + 1;
    }
    if (text_[at] != '"' && text_[at] != '\'') return at;
    const std::string_view quote = text_.substr(at, 3);
    if (quote != "\"\"\"" && quote != "'''") return at;
    const size_t end = text_.find(quote, at + 3);
    return end == std::string_view::npos ? text_.size() : end + 3;
  }

 private:
  std::string_view text_;
  bool slashes_divide_;
};

// Where the regular expression ends that begins at `at`, on its line; `at` where none does. A `/`
// after a value divides; one between `[` and `]` does not end it.
size_t EndOfPattern(std::string_view text, size_t at) {
  const std::string_view before = WithoutBlanksAtEnd(text.substr(0, at), kBlanks);
  if (!before.empty() && !before.ends_with("return") &&
      std::string_view("=(,:[!&|?{};\n").find(before.back()) == std::string_view::npos)
    return at;
  bool in_class = false;
  const size_t most = std::min(text.size(), at + kMaxPatternBytes);
  for (size_t i = at + 1; i < most && text[i] != '\n'; ++i) {
    if (text[i] == '/' && !in_class) return i;
    in_class = text[i] == '[' || (in_class && text[i] != ']');
    if (text[i] == '\\') ++i;
  }
  return at;
}

// The brackets of a text.
struct Brackets {
  std::vector<size_t> open;           // without a partner, outermost first
  std::vector<Unclosed> passed_over;  // by a closer of an outer one
  std::set<size_t> closing;           // begins of the lines that begin with a partner
  // `(` and `[` with partners in other lines, outermost ones, and texts of several lines that are
  // no code.
  std::vector<Pair> enclosing;

  // The pair of these between which the byte lies; null: none.
  [[nodiscard]] const Pair* Around(size_t at) const {
    const auto next = std::partition_point(enclosing.begin(), enclosing.end(),
                                           [at](const Pair& pair) { return pair.closing < at; });
    return next != enclosing.end() && next->opening < at ? &*next : nullptr;
  }
  // The indentation of the statement that a line belongs to.
  [[nodiscard]] size_t ColumnsOfStatement(const OutlineLine& of) const {
    auto line = std::optional(of);
    size_t columns = line->columns;
    for (int lines = 0; lines < kMaxLinesOfHead; ++lines) {
      if (const Pair* around = Around(line->begin)) line = LineAt(of.text, around->opening);
      columns = std::min(columns, line->columns);
      line = line->FilledAbove();
      if (!line || line->EndsStatement() || line->EndsWith(kOpeningBrackets)) break;
    }
    return columns;
  }
  // `line`: where the closer's line begins.
  void Close(std::string_view text, size_t opening, size_t closing, size_t line) {
    if (text[opening] == '{' || line <= opening) return;
    while (!enclosing.empty() && enclosing.back().opening > opening) enclosing.pop_back();
    enclosing.push_back({opening, closing});
  }
};

// The bracket that is closed by the closer with which a line begins: the innermost one of its kind
// that is the last one opened, or whose line is as deep. The end of `open`: none is. `lines`: those
// of the brackets.
std::vector<size_t>::const_iterator PartnerOf(const OutlineLine& line, const Brackets& brackets,
                                              LineFinder& lines) {
  const std::vector<size_t>& open = brackets.open;
  const auto last = open.rbegin() + std::min(std::ssize(open), kMaxPassedOver + 1);
  const auto found = std::find_if(open.rbegin(), last, [&](size_t bracket) {
    const std::string_view text = line.text;
    if (!IsPair(text[bracket], text[line.first])) return false;
    return bracket == open.back() || brackets.ColumnsOfStatement(lines.At(bracket)) == line.columns;
  });
  return found == last ? open.end() : found.base() - 1;
}

// A closer at a line's begin passes over the brackets that were opened after its partner. Example:
// the `}` of `f() {⏎  g(a;⏎}`.
Brackets BracketsOf(std::string_view text) {
  Brackets brackets;
  std::vector<size_t>& open = brackets.open;
  const Prose prose(text);
  QuoteScanner quotes(text);
  LineFinder lines(text);   // of brackets
  bool begins_line = true;  // only blanks stand before
  size_t line_begin = 0;    // kept, since a file may be one long line
  for (size_t i = 0; i < text.size(); ++i) {
    const bool is_first = begins_line;
    begins_line = text[i] == '\n' || (begins_line && IsBlank(text.substr(i, 1)));
    if (text[i] == '\n') line_begin = i + 1;
    if (const size_t end = prose.EndAt(i); end > i) {
      if (const size_t last = text.substr(i, end - i).rfind('\n'); last != std::string_view::npos) {
        brackets.enclosing.push_back({i, end - 1});
        line_begin = i + last + 1;
      }
      i = end - 1;
      continue;
    }
    if (text[i] == '"' || text[i] == '\'') i = quotes.EndAt(i);
    if (text[i] == '/') i = EndOfPattern(text, i);
    if (kOpeningBrackets.find(text[i]) != std::string_view::npos) open.push_back(i);
    if (open.empty() || !IsClosingBracket(text[i])) continue;
    if (!is_first) {
      if (!IsPair(text[open.back()], text[i])) continue;
      brackets.Close(text, open.back(), i, line_begin);
      open.pop_back();
      continue;
    }
    const OutlineLine line = LineAt(text, i);
    const auto partner = PartnerOf(line, brackets, lines);
    if (partner == open.end()) continue;
    for (auto passed = partner + 1; passed != open.end(); ++passed)
      brackets.passed_over.push_back({*passed, line.begin});
    brackets.Close(text, *partner, i, line_begin);
    open.erase(partner, open.end());
    brackets.closing.insert(line.begin);
  }
  return brackets;
}

// What the lines from an open bracket to the cursor's show of it. A line may be long and open many
// brackets: what is known of one of them is kept for the next.
class OpenBracketLines {
 public:
  // REQUIRES: both live longer.
  OpenBracketLines(const Brackets& brackets, const OutlineLine& here)
      : brackets_(brackets), here_(here) {}

  // The indentation of the statement in which the bracket is opened.
  [[nodiscard]] size_t ColumnsOfStatement(size_t bracket) {
    GoTo(bracket);
    return columns_;
  }

  // Is the bracket none of a block, with text after it on its line, and is the cursor's line no
  // deeper than its statement?
  [[nodiscard]] bool IsHalfTyped(size_t bracket) {
    GoTo(bracket);
    const std::string_view text = here_.text;
    return text[bracket] != '{' && here_.columns <= columns_ &&
           !IsBlank(text.substr(bracket + 1, line_->end - bracket - 1));
  }

  // Where the first line below the bracket begins that is no deeper than its statement, up to the
  // cursor's; nothing where an element of its list or an unknown closer comes first.
  [[nodiscard]] std::optional<size_t> LineAfter(size_t bracket) {
    GoTo(bracket);
    const bool is_block = here_.text[bracket] == '{';
    std::optional<std::optional<size_t>>& known = is_block ? after_block_ : after_list_;
    if (!known) known = FindLineAfter(is_block);
    return *known;
  }

 private:
  void GoTo(size_t bracket) {
    if (line_ && line_->begin <= bracket && bracket < line_->end) return;
    line_ = LineAt(here_.text, bracket);
    columns_ = brackets_.ColumnsOfStatement(*line_);
    after_block_.reset();
    after_list_.reset();
  }

  [[nodiscard]] std::optional<size_t> FindLineAfter(bool is_block) const {
    auto line = line_->FilledBelow();
    // Labels may be as deep as the head of their block. Then one comes first.
    while (line && line->IsComment()) line = line->FilledBelow();
    const bool has_labels = is_block && line && line->columns == columns_ && line->EndsWith(":");
    for (; line && line->begin < here_.begin; line = line->FilledBelow()) {
      const bool is_label = has_labels && line->EndsWith(":");
      const bool closes_another = brackets_.closing.contains(line->begin);
      if (line->columns > columns_ || line->IsComment() || is_label || closes_another ||
          brackets_.Around(line->begin) != nullptr)
        continue;
      // Elements of a list may stand as deep as its head.
      const bool is_element = !is_block && line->EndsWith(",");
      return line->Closes() || is_element ? std::nullopt : std::optional(line->begin);
    }
    return here_.begin;
  }

  const Brackets& brackets_;
  const OutlineLine& here_;          // the cursor's
  std::optional<OutlineLine> line_;  // of the last bracket
  size_t columns_ = 0;               // of that line's statement
  // LineAfter of the brackets of that line, once it was asked.
  std::optional<std::optional<size_t>> after_block_, after_list_;
};

// A closing bracket, and the indentation of its line.
struct FlatCloser {
  size_t at = 0;
  size_t columns = 0;
};

// The closers below the cursor's line, without a partner there, of flat brackets: at the begin of a
// line, or after others there, and below a line that is no deeper. Innermost first.
std::vector<FlatCloser> FlatClosersBelow(const OutlineLine& here) {
  std::vector<FlatCloser> flat;
  auto line = here.FilledBelow();
  size_t columns = SIZE_MAX;  // the least of the lines between
  LineFinder lines(here.text);
  for (const size_t offset : LoneBracketsOf(here.text.substr(here.end)).closing) {
    const OutlineLine& closing = lines.At(here.end + offset);
    for (; line && line->begin < closing.begin; line = line->FilledBelow())
      if (!line->IsComment()) columns = std::min(columns, line->columns);
    if (closing.Closes() && columns <= closing.columns)
      flat.push_back({here.end + offset, closing.columns});
  }
  return flat;
}

// Leaves out the brackets of which a flat closer below is the partner: lines no deeper than a
// bracket's own are no sign there that it has none. `unclosed`: outermost first.
void LeaveFlatOut(const OutlineLine& here, OpenBracketLines& lines,
                  std::vector<Unclosed>& unclosed) {
  if (unclosed.empty()) return;
  std::vector<FlatCloser> closers = FlatClosersBelow(here);
  std::erase_if(unclosed, [&](const Unclosed& one) {
    const std::string_view text = here.text;
    if (closers.empty() || !IsPair(text[one.bracket], text[closers.back().at]) ||
        lines.ColumnsOfStatement(one.bracket) != closers.back().columns)
      return false;
    closers.pop_back();
    return true;
  });
}

// Outermost first. `shown_by_here`: the cursor's line shows that a half-typed bracket has no
// partner.
std::vector<Unclosed> UnclosedAbove(const Brackets& brackets, const OutlineLine& here,
                                    bool shown_by_here) {
  std::vector<Unclosed> unclosed;
  OpenBracketLines lines(brackets, here);
  for (const size_t bracket : brackets.open) {
    const auto after = lines.LineAfter(bracket);
    if (after && (*after < here.begin || (shown_by_here && lines.IsHalfTyped(bracket))))
      unclosed.push_back({bracket, *after});
  }
  LeaveFlatOut(here, lines, unclosed);
  unclosed.insert(unclosed.end(), brackets.passed_over.begin(), brackets.passed_over.end());
  std::sort(unclosed.begin(), unclosed.end(),
            [](const Unclosed& a, const Unclosed& b) { return a.bracket < b.bracket; });
  return unclosed;
}

// The sign at the end of the bracket's line before which its closer belongs: that of a statement's
// end, or of a block's begin. Examples: `;` of `f(a;`, `{` of `if (a {`. The `{` of `f(a, {` begins
// a value.
std::optional<size_t> SignAfter(const OutlineLine& line, size_t bracket) {
  const std::string_view text = line.text;
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
  std::map<size_t, std::string> closers;  // by the lines after them
  LineFinder lines(text);
  // What was opened last is closed first.
  for (auto unclosed = all.rbegin(); unclosed != all.rend(); ++unclosed) {
    const auto sign = SignAfter(lines.At(unclosed->bracket), unclosed->bracket);
    std::string& there = sign ? missing[*sign] : closers[unclosed->line_after];
    there += ClosingBracketOf(text[unclosed->bracket]);
  }
  for (auto& [next, there] : closers) {
    const bool is_block = there.find('}') != std::string::npos;
    if (there.back() != '}') there.append(terminator);
    if (is_block) there.append(LineEndOf(text));
    missing[is_block ? next : EndOfCodeBefore(LineAt(text, next))] += there;
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

void AddOpeners(const OutlineLine& here, const Brackets& brackets, Missing& missing) {
  for (const OutlineLine& head : HeadsAround(here)) {
    if (head.IsComment() || brackets.Around(head.begin) != nullptr) continue;
    const std::string_view whole = WithoutBlanksAtEnd(head.whole());
    const bool opens_block =
        head.EndsWith(":") || head.EndsWithBracket() || !OpenBrackets(whole).empty();
    if (!opens_block && IsClosedBelow(head, here)) missing[head.begin + whole.size()] += " {";
  }
}

}  // namespace

bool ComesAfterHalfTyped(std::string_view text, size_t cursor) {
  const OutlineLine here = LineAt(text, cursor);
  if (!BeginsStatement(here, cursor)) return false;
  const Brackets brackets = BracketsOf(text.substr(0, here.begin));
  OpenBracketLines lines(brackets, here);
  return std::any_of(brackets.open.begin(), brackets.open.end(), [&](size_t bracket) {
    return lines.IsHalfTyped(bracket) && lines.LineAfter(bracket) == here.begin;
  });
}

bool LacksBrackets(std::string_view text, size_t cursor) {
  const OutlineLine here = LineAt(text, cursor);
  const Brackets brackets = BracketsOf(text.substr(0, here.begin));
  if (!UnclosedAbove(brackets, here, BeginsStatement(here, cursor)).empty()) return true;
  Missing missing;
  AddOpeners(here, brackets, missing);
  return !missing.empty();
}

std::optional<MendedText> WithMissingBrackets(std::string_view text, size_t cursor,
                                              std::string_view terminator) {
  const OutlineLine here = LineAt(text, cursor);
  const bool shown_by_here =
      here.blank() ? MayEndStatement(text.substr(0, here.begin)) : BeginsStatement(here, cursor);
  const Brackets brackets = BracketsOf(text.substr(0, here.begin));
  Missing missing;
  AddClosers(text, UnclosedAbove(brackets, here, shown_by_here), terminator, missing);
  AddOpeners(here, brackets, missing);
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
