#include "server/decode/filled_block.h"

#include <algorithm>
#include <string>
#include <utility>

#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// The words of a line such as `for (x : xs)`, before a pair of brackets with which the line ends.
// Empty: it is none such.
std::string_view WordsBeforeBrackets(std::string_view line) {
  if (!line.ends_with(')')) return {};
  const std::vector<size_t> open = OpenBrackets(line.substr(0, line.size() - 1));
  if (open.size() != 1 || line[open[0]] != '(') return {};
  const std::string_view words = WithoutBlanksAtEnd(line.substr(0, open[0]));
  const bool no_sign = std::all_of(words.begin(), words.end(),
                                   [](char c) { return IsWordByte(c) || c == ' ' || c == '\t'; });
  return no_sign ? words : std::string_view();
}

}  // namespace

FilledBlock::FilledBlock(std::shared_ptr<const CursorText> cursor, std::shared_ptr<const Gap> begun)
    : cursor_(std::move(cursor)), begun_(std::move(begun)), block_(cursor_->empty_block) {
  const std::string_view left = cursor_->left_line, right = cursor_->right_line;
  between_brackets_ = !left.empty() && !right.empty() && IsPair(left.back(), right.front());
}

bool FilledBlock::IsFilledBy(std::string_view middle) const {
  if (block_) return true;
  const size_t first = middle.find_first_not_of(kBlanks);
  return between_brackets_ && first != std::string_view::npos &&
         (middle[first] == '\n' || middle[first] == '\r');
}

bool FilledBlock::IsOpenedBy(const Gap& line_end) const {
  if (block_ || !cursor_->right_line.empty()) return false;
  const std::string& middle = line_end.middle();
  const bool ends_with_colon = middle.ends_with(':');
  if (!MayEndMiddle(line_end, Goal::kJoin)) return ends_with_colon;
  if (cursor_->next_columns > ColumnsOfLastLine(middle)) return false;  // R has the block's lines
  return ends_with_colon || (!cursor_->next_text.starts_with('{') && IsHead(line_end));
}

bool FilledBlock::IsHead(const Gap& line_end) const {
  // Where an operator may follow, the words or the brackets are a value.
  if (!IsBlank(cursor_->left_line)) {
    const std::string line = cursor_->left_line + line_end.middle();
    return !WordsBeforeBrackets(Trimmed(line, " \t}")).empty() && !line_end.Check(" ==");
  }
  const std::string_view words = WordsBeforeBrackets(line_end.middle());
  if (words.empty()) return false;
  Gap call = *begun_;
  return call.Accept(words) && !call.Check(" +");
}

void FilledBlock::Open(std::string_view middle) {
  block_ = EmptyBlock{ColumnsOfLastLine(middle)};
  is_own_ = IsBlank(cursor_->left_line);
}

size_t FilledBlock::ColumnsOfLastLine(std::string_view middle) const {
  const std::string text = cursor_->left_line + std::string(middle);
  return IndentationColumnsAt(text, text.size());
}

std::vector<size_t> FilledBlock::EndsBefore(const NextPiece& piece,
                                            std::optional<size_t> last_line) const {
  std::vector<size_t> ends;
  if (!block_ || !block_->head_columns) return ends;
  const size_t written = piece.middle.size();
  const std::string text = piece.Text();
  for (size_t line = LineBeginAt(text, written); line < text.size();
       line = std::min(text.find('\n', line), text.size() - 1) + 1) {
    const std::string_view begun = std::string_view(text).substr(line);
    const size_t first = std::min(begun.find_first_not_of(kBlanks), begun.size());
    const bool begins = line > 0 && line + first >= written && !IsBlank(begun.substr(first, 1));
    if (!begins || IndentationColumns(begun) > *block_->head_columns) continue;
    if (GoesOnWith(begun.substr(first))) continue;
    if (line > written) {
      ends.push_back(text.find_first_of("\r\n", written));
      break;  // further lines would tell no other size
    }
    if (last_line) ends.push_back(*last_line);
  }
  return ends;
}

bool FilledBlock::GoesOnWith(std::string_view line) const {
  const auto end = std::find_if_not(line.begin(), line.end(), IsWordByte);
  if (!is_own_ || end == line.begin()) return false;
  Gap statement = *begun_;
  if (!statement.Accept(std::string_view(line.begin(), end))) return true;
  const std::vector<uint8_t> next = statement.LiveBytes();
  return std::all_of(next.begin(), next.end(),
                     [](uint8_t byte) { return IsWordByte(static_cast<char>(byte)); });
}

}  // namespace tenon::server
