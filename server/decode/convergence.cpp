#include "server/decode/convergence.h"

#include <string_view>

#include "server/decode/closing_signs.h"
#include "server/request/blocks.h"
#include "server/request/indentation.h"
#include "server/request/words.h"

namespace tenon::server {

namespace {

// Does the middle, at the end of a line, go on in a list that nothing but a bracket ends? A list
// that R leaves open goes on for ever.
bool IsInOpenList(const WrittenMiddle& middle, const Gap& line_end) {
  return !ClosesABracket(middle.cursor()->next_text) && line_end.middle().ends_with(',') &&
         ClosingBracketsOf(line_end);
}

}  // namespace

bool Convergence::BeginWhereDue(WrittenMiddle& middle, const Seen& seen) {
  if (middle.goal() != Goal::kJoin || has_begun()) return true;
  const std::optional<Gap>& line_end = seen.line_end;
  bool due = seen.end_refused;
  if (!OpenBlocks(middle.text()).empty() || seen.fills_block) {
    if (line_end) middle.KeepBlockLine(*line_end);
  } else if (!middle.cursor()->right_line.empty() || IsBlank(middle.text())) {
    due = due || middle.budget().drawn() >= kMaxFreeTokens || line_end;
  } else if (line_end) {
    // Of a block that R leaves open, or of a list.
    middle.KeepBlockLine(*line_end);
    due = due || IsInOpenList(middle, *line_end);
  }
  return !due || Begin(middle);
}

bool Convergence::Begin(const WrittenMiddle& middle) {
  const auto cost = middle.budget().ClosingBytes();
  if (!cost) return false;
  // The brackets of open blocks stand in lines of their own.
  const std::string_view text = middle.text();
  const size_t indentation = LeadingBlanksAt(text, text.size()).size();
  const size_t line_bytes = OpenBlocks(text).size() * (1 + indentation);
  max_bytes_ = text.size() + *cost + line_bytes + kMaxSlackBytes;
  too_long_ = 0;
  return true;
}

bool Convergence::Fits(WrittenMiddle& middle, const NextPiece& piece) {
  if (!max_bytes_ || piece.fresh().empty()) return middle.Check(piece);
  if (too_long_ >= kMaxTooLong) return false;
  const auto next = middle.After(piece);
  if (!next) return false;
  const auto cost = middle.budget().ClosingBytes(*next);
  if (cost && next->middle().size() + *cost <= *max_bytes_ && middle.Check(piece)) return true;
  ++too_long_;
  return false;
}

bool Convergence::LacksRoom(WrittenMiddle& middle, const NextPiece& piece) {
  const auto next = middle.After(piece);
  if (!next || Fits(middle, piece)) return false;
  // With any number of tokens a piece is refused for whose text no closing text is known. A token
  // has a byte at least.
  const auto cost = middle.budget().ClosingBytes(*next);
  if (!cost || (middle.budget().left() > *cost &&
                next->middle().size() + *cost <= max_bytes_.value_or(SIZE_MAX)))
    return false;
  if (middle.GoesOnInWord(piece.bytes)) return true;
  return !has_begun() && (!middle.block_lines().empty() || !ClosingSigns(middle.gap()));
}

}  // namespace tenon::server
