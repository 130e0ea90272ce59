#include "server/syntax/syntax_middle.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "server/request/indentation.h"
#include "server/request/line_ends.h"
#include "server/request/lines.h"
#include "server/request/repetition.h"
#include "server/request/rest_of_word.h"
#include "server/request/words.h"
#include "server/syntax/added_errors.h"
#include "server/syntax/heads.h"

namespace tenon::server {
namespace {

// Beginnings to which closing brackets are tried.
constexpr int kMaxClosedBeginnings = 12;
// What may stand between two things, and twice only by mistake.
constexpr std::string_view kSeparators = ";,:";

std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

std::string_view LastLine(std::string_view text) { return text.substr(text.rfind('\n') + 1); }

std::string_view BlanksAtBegin(std::string_view line) {
  return line.substr(0, std::min(line.find_first_not_of(" \t"), line.size()));
}

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
      text +=
          before.find('\n') == std::string_view::npos ? indent : BlanksAtBegin(LastLine(before));
    }
    text += kClosingBrackets[kOpeningBrackets.find(middle[*at])];
  }
  return text;
}

// Does the error lie within [begin, end), which is not so of a token that is missing at an end?
bool Within(const SyntaxError& error, size_t begin, size_t end) {
  if (error.begin_bytes == error.end_bytes)
    return begin < error.begin_bytes && error.begin_bytes < end;
  return begin <= error.begin_bytes && error.end_bytes <= end;
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

SyntaxMiddle::SyntaxMiddle(const TSLanguage* language, SyntaxTree around, size_t offset_bytes,
                           bool several_lines)
    : language_(language),
      around_(std::move(around)),
      offset_bytes_(offset_bytes),
      several_lines_(several_lines),
      allowed_(around_.error_count()) {
  if (several_lines_) empty_block_ = EmptyBlockAt(left(), right(), allowed_ > 0);
}

SyntaxMiddle SyntaxMiddle::Fresh() const {
  return {language_, around_.Copy(), offset_bytes_, several_lines_};
}

std::string_view SyntaxMiddle::left() const {
  return std::string_view(around_.text()).substr(0, offset_bytes_);
}

std::string_view SyntaxMiddle::right() const {
  return std::string_view(around_.text()).substr(offset_bytes_);
}

bool SyntaxMiddle::BeginsInColumn() const {
  return IsIndentedLess(left()) && IsBlank(FirstLine(right()));
}

bool SyntaxMiddle::RepeatsRestOfLine(std::string_view middle) const {
  const std::string_view rest = Trimmed(FirstLine(right()));
  if (rest.empty()) return false;
  if (middle.back() == rest.front() && kSeparators.find(rest.front()) != std::string_view::npos)
    return true;
  return rest.size() > 1 && middle.ends_with(rest);
}

bool SyntaxMiddle::CutRestOfLine() {
  const std::string_view rest = Trimmed(FirstLine(right()));
  if (rest.empty() || best_size_ == 0) return false;
  if (Trimmed(std::string_view(written_).substr(best_size_), " \t\r") != rest) return false;
  written_.resize(best_size_);
  return true;
}

void SyntaxMiddle::CutRepeatedLine(const std::stop_token& stop) {
  if (!Trimmed(FirstLine(right())).empty()) return;
  const std::string_view line = WithoutBlanksAtEnd(FirstLineWithText(right()));
  const std::string_view written = WithoutBlanksAtEnd(written_);
  if (std::none_of(line.begin(), line.end(), IsWordByte) || Trimmed(LastLine(written)) != line)
    return;
  const std::string_view before = written.substr(0, written.rfind('\n') + 1);
  const auto columns = [](std::string_view text, size_t offset) {
    return IndentationColumns(LeadingBlanksAt(text, offset));
  };
  if (!before.empty() && columns(written, written.size()) !=
                             columns(right(), static_cast<size_t>(line.data() - right().data())))
    return;
  if (!IsBlank(before)) {
    const auto errors = ErrorsWith(WithoutBlanksAtEnd(before), stop);
    if (!errors || (unfinished_line_ > 0 && IsUnfinished(*errors, stop))) return;
  }
  written_.resize(before.size());
  over_ = true;
  if (best_size_ > written_.size()) best_size_ = 0;
}

bool SyntaxMiddle::CutAt(size_t size, const std::stop_token& stop) {
  if (size == std::string_view::npos) return false;
  const auto errors = ErrorsWith(std::string_view(written_).substr(0, size), stop);
  if (!errors) return false;
  written_.resize(size);
  best_size_ = size;
  best_errors_ = *errors;
  return true;
}

std::optional<size_t> SyntaxMiddle::ErrorsWith(std::string_view middle,
                                               const std::stop_token& stop) {
  if (IsBlank(middle) || RepeatsRestOfLine(middle)) return std::nullopt;
  std::string text;
  text.reserve(around_.text().size() + middle.size());
  text.append(left()).append(middle).append(right());
  auto tree = SyntaxTree::Parse(language_, text, last_ ? &*last_ : &around_, stop);
  if (!tree) return std::nullopt;
  last_ = *std::move(tree);
  const std::vector<SyntaxError> errors = last_->errors();
  if (errors.size() > allowed_) return std::nullopt;
  const size_t end = offset_bytes_ + middle.size();
  if (std::any_of(errors.begin(), errors.end(),
                  [&](const SyntaxError& error) { return Within(error, offset_bytes_, end); }))
    return std::nullopt;
  if (IsHeadAlone(*last_, offset_bytes_, end)) return std::nullopt;
  if (EndsHeadOfLine(*last_, offset_bytes_, end)) {
    if (written_.starts_with(middle)) head_size_ = middle.size();
    return std::nullopt;
  }
  return errors.size();
}

void SyntaxMiddle::JudgeBeginning(size_t size, const std::stop_token& stop) {
  if (size <= judged_) return;
  judged_ = size;
  if (LeavesQuoteOpen(size)) return;
  const auto errors = ErrorsWith(std::string_view(written_).substr(0, size), stop);
  if (!errors || (best_size_ > 0 && *errors > best_errors_)) return;
  best_size_ = size;
  best_errors_ = *errors;
}

bool SyntaxMiddle::LeavesQuoteOpen(size_t size) const {
  const std::string_view line = LastLine(left());
  if (EndsInQuotes(line)) return false;
  return EndsInQuotes(LastLine(std::string_view(written_).substr(0, size)));
}

bool SyntaxMiddle::Append(std::string_view piece, const std::stop_token& stop) {
  for (size_t i = 0; i < piece.size() && !over_; ++i) {
    const char c = piece[i];
    const std::string_view before = WithoutBlanksAtEnd(written_);
    if (c == '\n' && !before.empty()) {
      CutRepeatedLine(stop);
      if (over_) return false;
      if (in_closing_line_) {
        EndClosingLine(stop);
        return false;
      }
      const size_t size = before.size();
      const auto errors = ErrorsWith(before, stop);
      const bool open = !OpenBrackets(before).empty();
      // In the middle of a line only brackets lead to another one.
      const bool may_go_on = several_lines_ && (open || IsBlank(FirstLine(right())));
      bool fits = errors && (*errors == 0 || !open);
      if (fits && may_go_on && !empty_block_ && IsUnfinished(*errors, stop)) {
        fits = false;
        if (unfinished_line_ == 0) unfinished_line_ = size;
      }
      if (fits && empty_block_) {
        lines_ = size;
        over_ = CutAt(BytesBeforeRepetition(before).value_or(std::string_view::npos), stop);
        if (over_) return false;
      }
      over_ = !may_go_on || (fits && !empty_block_);
      if (over_) {
        written_.resize(size);
        return false;
      }
    }
    if (!in_closing_line_ && BeginsBehindBlock(c)) {
      in_closing_line_ = allowed_ > 0;
      over_ = !in_closing_line_ && CutAt(lines_, stop);
      if (over_) return false;
    }
    const bool inside_word = before.size() == written_.size() && !before.empty() &&
                             IsWordByte(before.back()) && IsWordByte(c);
    // Where a block follows it is not left out: `if (a)` would take the statement after it.
    if (!IsBlank(std::string_view(&c, 1)) && c != '{' && !inside_word && !before.empty())
      JudgeBeginning(before.size(), stop);
    written_ += c;
    over_ = CutRestOfLine() ||
            CutAt(FindRestOfWord(written_, FirstLine(right()), written_.size() - 1), stop);
  }
  if (!over_) CutStutter();
  return !over_;
}

void SyntaxMiddle::CutStutter() {
  const std::optional<size_t> size = BytesBeforeStutter(written_);
  if (!size) return;
  written_.resize(*size);
  over_ = true;
  if (best_size_ > *size) best_size_ = 0;
}

bool SyntaxMiddle::IsUnfinished(size_t errors, const std::stop_token& stop) {
  if (errors == 0) return false;
  if (!errors_without_line_) {
    const std::string_view text = around_.text();
    std::string without(text.substr(0, LineBeginAt(text, offset_bytes_)));
    without.append(right());
    const auto tree = SyntaxTree::Parse(language_, without, &around_, stop);
    errors_without_line_ = tree ? tree->error_count() : allowed_;
  }
  return errors > *errors_without_line_;
}

void SyntaxMiddle::EndClosingLine(const std::stop_token& stop) {
  const std::string_view whole = WithoutBlanksAtEnd(written_);
  const auto errors = ErrorsWith(whole, stop);
  const auto before = ErrorsWith(whole.substr(0, lines_), stop);
  if (errors && before && *errors < *before)
    written_.resize(whole.size());
  else
    CutAt(lines_, stop);
  over_ = true;
  in_closing_line_ = false;
}

bool SyntaxMiddle::BeginsBehindBlock(char c) const {
  const std::string_view line = LastLine(written_);
  if (!empty_block_ || lines_ == 0 || !IsBlank(line) || IsBlank(std::string_view(&c, 1)))
    return false;
  if (empty_block_->head_columns) return IndentationColumns(line) <= *empty_block_->head_columns;
  return kClosingBrackets.find(c) != std::string_view::npos && OpenBrackets(written_).empty();
}

bool SyntaxMiddle::FitsAnew(std::string_view middle, const std::stop_token& stop) const {
  // Line ends other than those that were written are judged here, too.
  if (allowed_ == 0 && middle.find('\r') == std::string_view::npos) return true;
  return Fits(middle, stop);
}

bool SyntaxMiddle::Fits(std::string_view middle, const std::stop_token& stop) const {
  return AddsErrors(language_, around_.text(), offset_bytes_, middle, stop) == false;
}

std::optional<FittingMiddle> SyntaxMiddle::End(bool word_ends, const std::stop_token& stop) {
  auto fitting = Choose(word_ends, stop);
  return fitting && FitsAnew(fitting->text, stop) ? fitting : std::nullopt;
}

std::optional<FittingMiddle> SyntaxMiddle::Choose(bool word_ends, const std::stop_token& stop) {
  CutRepeatedLine(stop);
  if (in_closing_line_ && !over_ && word_ends) EndClosingLine(stop);
  if (!word_ends && !over_ && lines_ > 0) over_ = CutAt(lines_, stop);
  if (unfinished_line_ > 0 && !over_) {
    const auto errors = ErrorsWith(WithoutBlanksAtEnd(written_), stop);
    if (!errors || IsUnfinished(*errors, stop)) over_ = CutAt(unfinished_line_, stop);
  }
  if (word_ends || over_) CutAt(FindRestOfWordAtEnd(written_, FirstLine(right())), stop);
  const bool was_cut = !word_ends && !over_;
  std::string_view whole = written_;
  if (was_cut) {
    while (!whole.empty() && IsWordByte(whole.back())) whole.remove_suffix(1);
  }
  whole = WithoutBlanksAtEnd(whole);
  const std::string_view line_end = LineEndOf(around_.text());
  const std::string_view indent = BlanksAtBegin(LastLine(left()));
  const auto offer = [&](std::string_view text, bool completed) {
    return FittingMiddle{WithLineEnds(text, line_end), completed};
  };
  const bool ends_in_quotes = was_cut && LeavesQuoteOpen(whole.size());
  if (!ends_in_quotes && ErrorsWith(whole, stop) && OpenBrackets(whole).empty())
    return offer(whole, false);
  int tries = 0;
  for (size_t size = whole.size(); size > 0 && size >= best_size_ && tries < kMaxClosedBeginnings;
       --size) {
    const std::string_view beginning = whole.substr(0, size);
    if (size < whole.size() && IsWordByte(whole[size]) && IsWordByte(whole[size - 1])) continue;
    if (IsBlank(beginning.substr(size - 1))) continue;
    const std::vector<size_t> open = OpenBrackets(beginning);
    if (open.empty()) continue;
    ++tries;
    const std::string closed = std::string(beginning) + ClosingText(beginning, open, indent);
    const auto errors = ErrorsWith(closed, stop);
    if (!errors || (size == best_size_ && *errors > best_errors_)) continue;
    if (IsToken(*last_, offset_bytes_ + closed.size() - 1)) return offer(closed, true);
  }
  const size_t size = std::max(best_size_, head_size_);
  if (size == 0) return std::nullopt;
  return offer(std::string_view(written_).substr(0, size), false);
}

}  // namespace tenon::server
