// The coming to an end of a middle: when only pieces may come that lead to it, and for which pieces
// there is no room.
//
// Few places join a right context that goes on in the middle of a line, and a small model does not
// find them by itself. Example: `total = |, tax)` needs an open bracket, and the model writes one
// line after another. So the middle *converges*: only pieces stay allowed after which it can still
// be closed within a few bytes. It begins to, with the cursor as `|`:
//
//   total = |, tax)    R goes on in the cursor's line: once the middle's first line is over, or
//                      kMaxFreeTokens are drawn
//   x = |⏎             R begins with a line end, and many places join it: only where the writer
//                      would end the middle and it cannot end, or kMaxFreeTokens wrote blanks
//   A = 1,|⏎)          R lacks nothing but the bracket of a list: after a line `GREEN = 2,` more
//                      lines might come for ever
//   on("exit", |);     the middle has a block of its own open (server/request/blocks.h), or fills
//                      one (server/decode/filled_block.h): only where the writer would end it after
//                      a line of the block
//
// **Lines of blocks.** The ends of the block's lines, and of the list's, are kept in the middle
// (WrittenMiddle::block_lines): a middle that is cut short is cut back to one of them
// (server/decode/middle_end.h). In `on("exit", |);` these are the ends of the lines `() => {` and
// `save();`.
//
// **No room.** Near its end a middle `/** Of the fi` may have room for `*/` alone, where its writer
// goes on with `rst`. Nobody has meant a word that is cut there, so no piece may come then: the
// word is taken back, and the middle ends before it. In a block, too, no piece comes in place of a
// piece for which the tokens are too few: the middle is cut back to a line. Nor does a piece come
// where words have to close the middle: nobody means the words for which there is room.
//
// Source: our own. Cost: with each piece of a converging middle a search for a closing text.
// Thread rule: that of the middle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "server/decode/written_middle.h"

namespace tenon::server {

// With this many tokens a middle of the goal kJoin converges before the rest of a line. With 12
// tokens fewer lines are right (docs/tried.md).
inline constexpr uint32_t kMaxFreeTokens = 32;
// Bytes that a converging middle may write beyond the text that was the cheapest to close the gap
// when it began to converge. Example: in `total = |, tax)` the text `f(a` closes the gap, so the
// middle may have 16 bytes. With 4 or 40 bytes no more lines are right (docs/tried.md).
inline constexpr size_t kMaxSlackBytes = 12;

// So many pieces a converging middle tries at one place after which it would become too long. Each
// costs a search. The likeliest pieces are tried first; after the last try the closing text ends
// the middle.
inline constexpr int kMaxTooLong = 128;

class Convergence {
 public:
  // Findings about a piece that was accepted.
  struct Seen {
    const std::optional<Gap>& line_end;  // of a line that is not blank, within the piece
    bool fills_block = false;            // the middle (FilledBlock::IsFilledBy)
    bool end_refused = false;  // the writer would have ended the middle where it cannot end
  };

  // Begins where it is time to after that piece, and keeps a line of a block. False: as Begin.
  bool BeginWhereDue(WrittenMiddle& middle, const Seen& seen);
  // From now on a piece fits only if the middle after it can still be closed within the bytes of
  // the cheapest closing text of now and kMaxSlackBytes. False: the middle cannot be closed as it
  // is.
  bool Begin(const WrittenMiddle& middle);
  [[nodiscard]] bool has_begun() const { return max_bytes_.has_value(); }

  // Does the piece fit into the gap, within the tokens and those bytes?
  [[nodiscard]] bool Fits(WrittenMiddle& middle, const NextPiece& piece);
  // Would the piece fit, were there room to close the middle after it, and does a piece in its
  // place cut a word or a block, or begin words that nobody means?
  [[nodiscard]] bool LacksRoom(WrittenMiddle& middle, const NextPiece& piece);
  // The middle has grown: other pieces may be tried.
  void BeginPlace() { too_long_ = 0; }

 private:
  // Of the middle with its closing text; set once the middle has to come to its end.
  std::optional<size_t> max_bytes_;
  int too_long_ = 0;  // pieces that were, at this place
};

}  // namespace tenon::server
