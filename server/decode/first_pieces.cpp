#include "server/decode/first_pieces.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "server/decode/closing_signs.h"
#include "server/decode/right_text.h"
#include "server/request/comments.h"
#include "server/request/indentation.h"
#include "server/request/lines.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// May a line of code begin here? A comment or blanks may stand anywhere.
bool MayBeginLine(const Gap& gap) {
  const std::vector<uint8_t> next = gap.LiveBytes();
  return std::any_of(next.begin(), next.end(), [](uint8_t byte) {
    const char c = static_cast<char>(byte);
    return IsWordByte(c) || std::string_view("\"'`([{)]}<@").find(c) != std::string_view::npos;
  });
}

// Do closing brackets alone close the gap? Where a head is missing, one is opened as well.
bool LacksClosingBrackets(const Gap& gap) {
  const std::optional<std::string> closing = ClosingBracketsOf(gap);
  return closing && ClosesABracket(*closing);
}

// Would the piece end within the cursor's blanks, where no token before code does
// (CursorText::healed_stops)?
bool CutsIndentation(const WrittenMiddle& middle, std::string_view bytes) {
  const std::vector<size_t>& stops = middle.cursor()->healed_stops;
  const size_t left = middle.healed().size();
  if (stops.empty() || left < 2 || bytes.size() > left) return false;
  const size_t size = middle.cursor()->healed.size() - left + bytes.size();
  return std::find(stops.begin(), stops.end(), size) == stops.end();
}

// Does a writer of the piece begin a line further left than the cursor?
bool BeginsFurtherLeft(const WrittenMiddle& middle, std::string_view bytes) {
  return CutsIndentation(middle, bytes) && bytes.size() < middle.healed().size();
}

// Would the piece begin a blank middle with code whose first sign is no closing bracket?
bool BeginsWithoutBracket(const NextPiece& piece) {
  if (!IsBlank(piece.middle)) return false;
  const std::string_view text = FirstLineWithText(piece.fresh());
  return !text.empty() && !IsClosingBracket(text.front());
}

// Does the piece begin the middle with R's closing bracket, where no middle is needed?
bool ClosesRightsBracket(const WrittenMiddle& middle, const NextPiece& piece) {
  const std::string& next_line = middle.cursor()->next_text;
  if (middle.goal() != Goal::kJoin || next_line.empty() || !IsBlank(piece.middle)) return false;
  const std::string_view text = FirstLineWithText(piece.fresh());
  return !text.empty() && text.front() == next_line.front() && IsClosingBracket(text.front()) &&
         middle.gap().Member();
}

// Would the file begin with blank lines or a comment then, above the code of R?
bool BeginsFileWithoutCode(const WrittenMiddle& middle, const NextPiece& piece) {
  if (!middle.cursor()->begins_file || middle.goal() == Goal::kText) return false;
  const std::string text = piece.Text();
  return IsBlank(text) || BeginsAsComment(Trimmed(text));
}

// Does a writer whose first choice is the piece say that no middle is needed? The middle's end
// does, and R's text, or fewer blanks than the cursor's, where nothing is written yet.
bool SaysNothingIsMissing(const WrittenMiddle& middle, std::string_view bytes) {
  if (middle.goal() != Goal::kJoin || middle.cursor()->empty_block || !IsBlank(middle.healed()) ||
      !IsBlank(middle.text()))
    return false;
  if (BeginsFurtherLeft(middle, bytes)) return middle.gap().Member();
  const std::string_view text = FirstLineWithText(bytes), next_line = middle.cursor()->next_text;
  const bool is_right = !text.empty() && !next_line.empty() &&
                        (next_line.starts_with(text) || WritesInto(text, next_line));
  return (bytes.empty() || is_right) && middle.gap().Member();
}

}  // namespace

FirstPieces::FirstPieces(const WrittenMiddle& begun)
    : begins_in_column_(begun.goal() != Goal::kText &&
                        (begun.cursor()->indented_less || begun.cursor()->begins_file) &&
                        MayBeginLine(begun.gap())) {}

bool FirstPieces::Refuse(const WrittenMiddle& middle, const NextPiece& piece) const {
  const bool begins_deeper =
      begins_in_column_ && piece.middle.empty() && BeginsWithBlank(piece.fresh());
  return CutsIndentation(middle, piece.bytes) ||
         (begins_with_bracket_ && BeginsWithoutBracket(piece)) ||
         ClosesRightsBracket(middle, piece) || begins_deeper ||
         BeginsFileWithoutCode(middle, piece);
}

void FirstPieces::HearRefused(const WrittenMiddle& middle, std::string_view bytes) {
  unneeded_ = unneeded_ || SaysNothingIsMissing(middle, bytes);
  if (middle.goal() == Goal::kJoin && BeginsFurtherLeft(middle, bytes) && !middle.gap().Member())
    begins_with_bracket_ = LacksClosingBrackets(middle.gap());
}

}  // namespace tenon::server
