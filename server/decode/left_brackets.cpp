#include "server/decode/left_brackets.h"

#include <algorithm>
#include <vector>

#include "server/request/indentation.h"

namespace tenon::server {

LeftBrackets::LeftBrackets(const CursorText& cursor, const Gap& gap, Goal goal)
    : most_(cursor.most_closing) {
  if (const size_t closed = LoneBracketsOf(cursor.right_line).closing.size(); closed > 0) {
    most_in_lines_ = std::max(OpenBrackets(cursor.left_line).size(), closed) - closed;
    in_line_ = true;
    return;
  }
  if (goal != Goal::kJoin) return;
  const bool is_whole = gap.Member();
  const bool in_bracket_of_right = cursor.right_line.empty() && ClosesABracket(cursor.next_text) &&
                                   cursor.next_columns < IndentationColumns(cursor.left_line);
  if (in_bracket_of_right) most_in_lines_ = OpenBrackets(cursor.left_line).size();
  if (is_whole) most_in_lines_ = 0;
  if (is_whole && cursor.right_line.empty() && !cursor.next_text.empty())
    rights_ = cursor.next_text[0];
}

bool LeftBrackets::Exceeds(std::string_view middle) const {
  const std::vector<size_t> closing = LoneBracketsOf(middle).closing;
  if (most_ && closing.size() > *most_) return true;
  if (!most_in_lines_ || closing.size() <= *most_in_lines_) return false;
  return middle[closing.back()] == rights_ || middle.find('\n') < closing.back();
}

bool LeftBrackets::AreExceededBy(const NextPiece& piece) const {
  return limited() && piece.bytes.find_first_of(kClosingBrackets) != std::string_view::npos &&
         Exceeds(piece.Text());
}

std::optional<size_t> LeftBrackets::EndBeforeRights(std::string_view middle) const {
  if (!in_line_) return std::nullopt;
  const std::vector<size_t> closing = LoneBracketsOf(middle).closing;
  if (closing.size() <= *most_in_lines_) return std::nullopt;
  return WithoutBlanksAtEnd(middle.substr(0, closing[*most_in_lines_])).size();
}

}  // namespace tenon::server
