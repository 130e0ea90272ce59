#include "server/decode/written_middle.h"

#include <algorithm>
#include <utility>

#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// The cursor's text with the line of R that a middle may write: the next one where R's bracket ends
// the cursor's block, and none where the line is blank or the goal asks for no R.
std::shared_ptr<const CursorText> ForGoal(CursorText cursor, Goal goal) {
  if (goal != Goal::kJoin) cursor.empty_block = std::nullopt;
  if (goal != Goal::kJoin || IsBlank(cursor.right_line)) cursor.right_line.clear();
  if (cursor.empty_block && !cursor.empty_block->head_columns) cursor.right_line = cursor.next_text;
  return std::make_shared<const CursorText>(std::move(cursor));
}

}  // namespace

WrittenMiddle::WrittenMiddle(Budget budget, Goal goal, CursorText cursor)
    : budget_(std::move(budget)),
      goal_(goal),
      healed_(cursor.healed),
      cursor_(ForGoal(std::move(cursor), goal)),
      begun_(std::make_shared<const Gap>(gap())) {}

std::optional<NextPiece> WrittenMiddle::Next(std::string_view bytes) const {
  const size_t known = std::min(bytes.size(), healed_.size());
  if (bytes.substr(0, known) != std::string_view(healed_).substr(0, known)) return std::nullopt;
  return NextPiece{text(), bytes, known};
}

std::optional<Gap> WrittenMiddle::After(const NextPiece& piece) const {
  Gap next = gap();
  const std::string_view fresh = piece.fresh();
  if (!fresh.empty() && !next.Accept(fresh)) return std::nullopt;
  return next;
}

bool WrittenMiddle::Accept(std::string_view bytes) {
  const auto piece = Next(bytes);
  if (!piece || !budget_.Accept(piece->fresh())) return false;
  healed_.erase(0, piece->healed);
  return true;
}

bool WrittenMiddle::AcceptForced(std::string_view bytes, uint32_t tokens) {
  return budget_.Accept(bytes, tokens);
}

std::optional<Gap> WrittenMiddle::EndAt(std::string_view text, size_t size) const {
  const size_t written = gap().middle().size();
  Gap end = size < written ? *begun_ : gap();
  const std::string_view rest = text.substr(end.middle().size(), size - end.middle().size());
  if (!rest.empty() && !end.Accept(rest)) return std::nullopt;
  if (!MayEndAt(end)) return std::nullopt;
  if (size > written && end.CountTokens(rest) > budget_.left()) return std::nullopt;
  return end;
}

std::optional<Gap> WrittenMiddle::FirstEndAt(const NextPiece& piece,
                                             const std::vector<size_t>& sizes) const {
  if (sizes.empty()) return std::nullopt;
  const std::string with_piece = piece.Text();
  for (const size_t size : sizes) {
    if (auto end = EndAt(with_piece, size)) return end;
  }
  return std::nullopt;
}

bool WrittenMiddle::EndsInWord() const {
  if (!healed_.empty()) return false;
  return server::EndsInWord(text().empty() ? cursor_->left_line : text());
}

bool WrittenMiddle::GoesOnInWord(std::string_view bytes) const {
  return !bytes.empty() && IsWordByte(bytes.front()) && EndsInWord();
}

bool WrittenMiddle::BeginsLastWord(std::string_view bytes) const {
  if (!server::EndsInWord(bytes)) return false;
  return !EndsInWord() || !std::all_of(bytes.begin(), bytes.end(), IsWordByte);
}

bool WrittenMiddle::EndsLineWithColon() const {
  return healed_.empty() && cursor_->right_line.empty() && text().ends_with(':') &&
         OpenBrackets(text()).empty();
}

}  // namespace tenon::server
