// The pieces with which a middle may begin, though the gap might take others, and a writer's word
// that no middle is needed.
//
// Which pieces may not come first, with the cursor as `|`:
//
//   [|]                 `]`: nothing is missing, says the writer. But a text is asked for, and none
//                       that opens the bracket again. So it is where R's bracket stands in a later
//                       line.
//   return x            *The cursor's column.* The cursor's blank line is indented less than the
//   |                   one above (IsIndentedLess, server/request/blocks.h). It asks for `}`, or
//                       for the code after the block; a model may go on in the block. There a
//                       middle begins with no blanks, as `    log()` does. Where the language lets
//                       no line begin in the cursor's column, blanks may come.
//   |                   *The file's first line.* Above the code of a file people write imports, and
//   code()              models have read licences there. So a middle begins with code: with no
//                       comment, blank line or blanks.
//   ········|           *Blanks that are healed.* A piece that ends within the cursor's blanks ends
//                       where a token does that code follows (CursorText::healed_stops).
//   ····a;              *A bracket first.* The writer's first choice is fewer blanks than the
//   ····|               cursor's: it begins a line further left. Where closing brackets alone close
//                       the gap, the middle begins with one, and with no other code.
//
// Where a piece that says that nothing is missing is the writer's first choice, the text is
// *unneeded*: unasked it is shown only where the model is sure (server/request/sureness.h). Such
// are the middle's end, R's text, and fewer blanks than the cursor's, where L R is whole. In an
// empty block a text is always needed.
//
// Source: our own. Cost: linear in the piece; a question whether the gap is closed, where R's
// bracket comes; a search for a closing text, once, where the writer begins further left.
// Thread rule: that of the middle.
#pragma once

#include <string_view>

#include "server/decode/written_middle.h"

namespace tenon::server {

class FirstPieces {
 public:
  // REQUIRES: nothing of the middle is written yet.
  explicit FirstPieces(const WrittenMiddle& begun);

  // May the piece not come, though the gap might take it?
  [[nodiscard]] bool Refuse(const WrittenMiddle& middle, const NextPiece& piece) const;
  // Hears that the writer's first choice was refused: a piece, whatever it reproduces of the healed
  // text, or the middle's end, an empty one.
  void HearRefused(const WrittenMiddle& middle, std::string_view bytes);

  // Was the writer's first choice for the middle its end, or R's text, where R joins L without one?
  [[nodiscard]] bool unneeded() const { return unneeded_; }
  // Does the middle begin with a bracket that L lacks, since the writer begins a line further left?
  [[nodiscard]] bool begins_with_bracket() const { return begins_with_bracket_; }

 private:
  bool begins_in_column_;  // the middle, that of the cursor
  bool begins_with_bracket_ = false;
  bool unneeded_ = false;  // the whole middle
};

}  // namespace tenon::server
