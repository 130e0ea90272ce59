#include "server/syntax/syntax_middle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/repetition.h"
#include "server/request/rest_of_word.h"
#include "server/request/words.h"

namespace tenon::server {
namespace {

// Beginnings to which closing brackets are tried.
constexpr int kMaxClosedBeginnings = 12;

// The text that closes `open`, brackets of `middle`: on a line of its own where a line ended with
// the bracket. `indent` is that of the line on which the middle begins.
std::string ClosingText(std::string_view middle, const std::vector<size_t>& open,
                        std::string_view indent) {
  std::string text;
  for (auto at = open.rbegin(); at != open.rend(); ++at) {
    const std::string_view rest = middle.substr(*at + 1);
    if (rest.find('\n') != std::string_view::npos && IsBlank(FirstLine(rest))) {
      const std::string_view before = middle.substr(0, *at);
      text += '\n';
      text += before.find('\n') == std::string_view::npos ? indent
                                                          : LeadingBlanksAt(before, before.size());
    }
    text += ClosingBracketOf(middle[*at]);
  }
  return text;
}

// Has the line an opening quote without its partner?
bool EndsInQuotes(std::string_view line) {
  for (size_t at = line.find('"'); at != std::string_view::npos; at = line.find('"', at)) {
    const size_t end = EndOfQuoted(line, at);
    if (end == at) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

SyntaxMiddle::SyntaxMiddle(MiddleJudge judge, bool several_lines)
    : judge_(std::move(judge)), several_lines_(several_lines) {
  if (several_lines_)
    empty_block_ = EmptyBlockAt(judge_.left(), judge_.right(), !judge_.is_whole());
}

bool SyntaxMiddle::BeginsInColumn() const {
  return IsIndentedLess(judge_.left()) && IsBlank(FirstLine(judge_.right()));
}

std::optional<size_t> SyntaxMiddle::ErrorsWith(std::string_view middle,
                                               const std::stop_token& stop) {
  const MiddleJudge::Verdict verdict = judge_.Judge(middle, stop);
  if (verdict.ends_head && written_.starts_with(middle)) head_size_ = middle.size();
  return verdict.errors;
}

void SyntaxMiddle::JudgeBeginning(size_t size, const std::stop_token& stop) {
  if (size <= judged_) return;
  judged_ = size;
  if (LeavesQuoteOpen(size)) return;
  const auto errors = ErrorsWith(std::string_view(written_).substr(0, size), stop);
  if (errors && (best_.size == 0 || *errors <= best_.errors)) best_ = {size, *errors};
}

bool SyntaxMiddle::LeavesQuoteOpen(size_t size) const {
  if (EndsInQuotes(LastLine(judge_.left()))) return false;
  return EndsInQuotes(LastLine(std::string_view(written_).substr(0, size)));
}

bool SyntaxMiddle::CutAt(size_t size, const std::stop_token& stop) {
  if (size == std::string_view::npos) return false;
  const auto errors = ErrorsWith(std::string_view(written_).substr(0, size), stop);
  if (!errors) return false;
  written_.resize(size);
  best_ = {size, *errors};
  return over_ = true;
}

bool SyntaxMiddle::CutRestOfLine() {
  const std::string_view rest = Trimmed(FirstLine(judge_.right()));
  if (rest.empty() || best_.size == 0) return false;
  if (Trimmed(std::string_view(written_).substr(best_.size), " \t\r") != rest) return false;
  written_.resize(best_.size);
  return over_ = true;
}

bool SyntaxMiddle::CutRepeatedLine(const std::stop_token& stop) {
  const std::string_view right = judge_.right();
  if (!IsBlank(FirstLine(right))) return false;
  const std::string_view line = WithoutBlanksAtEnd(FirstLineWithText(right));
  const std::string_view written = WithoutBlanksAtEnd(written_);
  const std::string_view before = written.substr(0, written.rfind('\n') + 1);
  if (std::none_of(line.begin(), line.end(), IsWordByte) ||
      (before.empty() ? Trimmed(written) != line : !IsNextLine(written)))
    return false;
  if (!IsBlank(before)) {
    const auto errors = ErrorsWith(WithoutBlanksAtEnd(before), stop);
    if (!errors || (unfinished_line_ > 0 && judge_.LeavesErrors(*errors, stop))) return false;
  }
  written_.resize(before.size());
  if (best_.size > written_.size()) best_ = {};
  return over_ = true;
}

bool SyntaxMiddle::CutStutter() {
  const std::optional<size_t> size = BytesBeforeStutter(written_);
  if (!size) return false;
  written_.resize(*size);
  if (best_.size > *size) best_ = {};
  return over_ = true;
}

bool SyntaxMiddle::Append(std::string_view piece, const std::stop_token& stop) {
  for (const char c : piece) {
    const std::string_view before = WithoutBlanksAtEnd(written_);
    if (c == '\n' && !before.empty() && EndLine(stop)) return false;
    if (!in_closing_line_ && BeginsAfterBlock(c)) {
      in_closing_line_ = !judge_.is_whole();
      if (!in_closing_line_ && CutAt(lines_, stop)) return false;
    }
    const bool inside_word =
        before.size() == written_.size() && EndsInWord(before) && IsWordByte(c);
    // Where a block follows it is not left out: `if (a)` would take the statement after it.
    if (!IsBlank(std::string_view(&c, 1)) && c != '{' && !inside_word && !before.empty())
      JudgeBeginning(before.size(), stop);
    written_ += c;
    const std::string_view rest = FirstLine(judge_.right());
    if (CutRestOfLine() || CutAt(FindRestOfWord(written_, rest, written_.size() - 1), stop))
      return false;
  }
  return !CutStutter();
}

bool SyntaxMiddle::EndLine(const std::stop_token& stop) {
  if (CutRepeatedLine(stop)) return true;
  if (in_closing_line_) {
    EndClosingLine(stop);
    return true;
  }
  const std::string_view whole = WithoutBlanksAtEnd(written_);
  const auto errors = ErrorsWith(whole, stop);
  const bool open = !OpenBrackets(whole).empty();
  bool fits = errors && (*errors == 0 || !open);
  // In the middle of a line only brackets lead to another one.
  const bool may_go_on = several_lines_ && (open || IsBlank(FirstLine(judge_.right())));
  if (fits && may_go_on && empty_block_) {
    lines_ = whole.size();
    return CutAt(BytesBeforeRepetition(whole).value_or(std::string_view::npos), stop);
  }
  if (fits && may_go_on && judge_.LeavesErrors(*errors, stop)) {
    fits = false;
    if (unfinished_line_ == 0) unfinished_line_ = whole.size();
  }
  if (may_go_on && !fits) return false;
  written_.resize(whole.size());
  return over_ = true;
}

bool SyntaxMiddle::BeginsAfterBlock(char c) const {
  const std::string_view line = LastLine(written_);
  if (!empty_block_ || lines_ == 0 || !IsBlank(line) || IsBlank(std::string_view(&c, 1)))
    return false;
  if (empty_block_->head_columns) return IndentationColumns(line) <= *empty_block_->head_columns;
  return IsClosingBracket(c) && OpenBrackets(written_).empty();
}

bool SyntaxMiddle::IsNextLine(std::string_view middle) const {
  const std::string_view right = judge_.right();
  const std::string_view next = FirstLineWithText(right);
  return Trimmed(LastLine(middle)) == WithoutBlanksAtEnd(next) &&
         IndentationColumnsAt(middle, middle.size()) ==
             IndentationColumnsAt(right, static_cast<size_t>(next.data() - right.data()));
}

void SyntaxMiddle::EndClosingLine(const std::stop_token& stop) {
  const std::string_view whole = WithoutBlanksAtEnd(written_);
  const auto errors = ErrorsWith(whole, stop);
  const auto before = ErrorsWith(whole.substr(0, lines_), stop);
  if (errors && before && *errors < *before && !IsNextLine(whole))
    written_.resize(whole.size());
  else
    CutAt(lines_, stop);
  over_ = true;
  in_closing_line_ = false;
}

std::optional<FittingMiddle> SyntaxMiddle::End(bool word_ends, const std::stop_token& stop) {
  auto fitting = Choose(word_ends, stop);
  if (!fitting) return std::nullopt;
  // Line ends other than those that were written are judged here, too.
  const bool is_judged = judge_.is_whole() && fitting->text.find('\r') == std::string_view::npos;
  return is_judged || Fits(fitting->text, stop) ? fitting : std::nullopt;
}

void SyntaxMiddle::CutUnfinished(bool word_ends, const std::stop_token& stop) {
  CutRepeatedLine(stop);
  if (in_closing_line_ && !over_ && word_ends) EndClosingLine(stop);
  if (!word_ends && !over_ && lines_ > 0) CutAt(lines_, stop);
  if (unfinished_line_ > 0 && !over_) {
    const auto errors = ErrorsWith(WithoutBlanksAtEnd(written_), stop);
    if (!errors || judge_.LeavesErrors(*errors, stop)) CutAt(unfinished_line_, stop);
  }
  if (word_ends || over_) CutAt(FindRestOfWordAtEnd(written_, FirstLine(judge_.right())), stop);
}

std::optional<FittingMiddle> SyntaxMiddle::Choose(bool word_ends, const std::stop_token& stop) {
  CutUnfinished(word_ends, stop);
  const bool cuts_word = !word_ends && !over_;
  const std::string_view whole =
      WithoutBlanksAtEnd(cuts_word ? WithoutWordAtEnd(written_) : std::string_view(written_));
  const bool ends_in_quotes = cuts_word && LeavesQuoteOpen(whole.size());
  if (!ends_in_quotes && ErrorsWith(whole, stop) && OpenBrackets(whole).empty())
    return FittingMiddle{std::string(whole), false};
  if (auto completed = Completed(whole, stop)) return completed;
  const size_t size = std::max(best_.size, head_size_);
  if (size == 0) return std::nullopt;
  return FittingMiddle{written_.substr(0, size), false};
}

std::optional<FittingMiddle> SyntaxMiddle::Completed(std::string_view whole,
                                                     const std::stop_token& stop) {
  const std::string_view indent = LeadingBlanksAt(judge_.left(), judge_.left().size());
  int tries = 0;
  for (size_t size = whole.size(); size > 0 && size >= best_.size && tries < kMaxClosedBeginnings;
       --size) {
    const std::string_view beginning = whole.substr(0, size);
    if (size < whole.size() && IsWordByte(whole[size]) && IsWordByte(whole[size - 1])) continue;
    if (IsBlank(beginning.substr(size - 1))) continue;
    const std::vector<size_t> open = OpenBrackets(beginning);
    if (open.empty()) continue;
    ++tries;
    const std::string closed = std::string(beginning) + ClosingText(beginning, open, indent);
    const auto errors = ErrorsWith(closed, stop);
    if (!errors || (size == best_.size && *errors > best_.errors)) continue;
    if (judge_.EndedWithToken()) return FittingMiddle{closed, true};
  }
  return std::nullopt;
}

}  // namespace tenon::server
