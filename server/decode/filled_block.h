// The block whose lines a middle writes: one of L, or one that the middle opens itself.
//
// **L's block.** In `function f() {|}` a middle that begins with a line end fills the block, and so
// does one where the cursor's blank line is all that L's block holds (EmptyBlockAt). It does not
// end with its line: it goes on to R's bracket, or to where the writer ends it.
//
// **A block of the middle, by indentation.** `case 1:` may end a middle, and so may `while (a)`
// where R begins with a statement; but the lines of their blocks are wanted. A line is a head of
// such a block where it ends with a colon, or has words before one pair of brackets that are not
// called: no operator may come in place of the brackets. Where L has begun the line, as in `if (|`,
// none may come after them. R may have the block's lines already, deeper ones, or its `{`; then the
// middle opens none.
//
// Where indentation ends the block, the middle ends before a line that is indented less. After a
// block of the middle a line such as `else:` goes on with it: its first word, which has to come in
// one piece, begins no statement where the middle begins. A block has no line as long as the next
// one is not deeper.
//
// Blocks of brackets that the middle opens are its own text's matter (server/request/blocks.h).
//
// Source: our own. Cost: linear in the middle; a head and a clause ask the gap once or twice.
// Thread rule: that of the gap.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "server/decode/cursor_text.h"

namespace tenon::server {

class FilledBlock {
 public:
  // `begun` has an empty middle. REQUIRES: the cursor's empty block and right_line are absent and
  // empty but for a goal of kJoin.
  FilledBlock(std::shared_ptr<const CursorText> cursor, std::shared_ptr<const Gap> begun);

  // Is there a block, whatever the middle?
  [[nodiscard]] bool is_known() const { return block_.has_value(); }
  // Does the middle fill a block in lines of its own?
  [[nodiscard]] bool IsFilledBy(std::string_view middle) const;
  // Does the middle of this gap, at the end of a line, open a block that indentation ends?
  [[nodiscard]] bool IsOpenedBy(const Gap& line_end) const;
  // From now on the middle fills that block.
  void Open(std::string_view middle);
  // The sizes of the middle at which it may end since the piece begins a line after the block. The
  // block's last line ends at `last_line`; nothing: no line has ended.
  [[nodiscard]] std::vector<size_t> EndsBefore(const NextPiece& piece,
                                               std::optional<size_t> last_line) const;

 private:
  // The indentation of the last line of L and this middle.
  size_t ColumnsOfLastLine(std::string_view middle) const;
  // Is the line a head of the second kind, words before brackets?
  bool IsHead(const Gap& line_end) const;
  // Does the line, after a block that the middle has begun in a line of its own, go on with it?
  bool GoesOnWith(std::string_view line) const;

  std::shared_ptr<const CursorText> cursor_;
  std::shared_ptr<const Gap> begun_;
  std::optional<EmptyBlock> block_;
  bool is_own_ = false;    // the middle opens it, in a line of its own
  bool between_brackets_;  // L ends with a bracket that R closes at once
};

}  // namespace tenon::server
