// The cursor's surroundings, the kind of text that is wanted there, and the pieces that write it.
//
// Words of all files beside this one: L and R are the texts left and right of the cursor, the
// *middle* is the text between them, and a *piece* is a stretch of it that a model writes at once.
// Cost: a few comparisons. Thread rule: values.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/request/blocks.h"
#include "server/request/words.h"
#include "tenon/gap.h"

namespace tenon::server {

enum class Goal : uint8_t {
  kJoin,  // the middle joins the right context, within the gap's budget
  kLine,  // it ends its line; the left context alone constrains it
  kText,  // it goes on up to an accepted end of the text; it may be blank
};

// The text at the cursor.
struct CursorText {
  std::string healed = {};  // the end of L that the writer writes anew
  // Of healed blanks: the sizes at which a piece may end, while two or more blanks are left. Empty:
  // all sizes. Example: of eight blanks 7, since ` return` is a token.
  std::vector<size_t> healed_stops = {};
  std::string left_line = {};   // the cursor's line up to it
  std::string right_line = {};  // the rest of that line
  std::string next_text = {};   // the first line of R that is not blank: FirstLineWithText
  size_t next_columns = 0;      // its indentation
  // Brackets and quotes that the editor has closed: R begins after them, and an item replaces them
  // (server/complete/shown_right.h).
  std::string closed_ahead = {};
  bool indented_less = false;  // the line is blank, and IsIndentedLess (server/request/blocks.h)
  bool begins_file = false;    // L is blank, and R is not
  std::optional<EmptyBlock> empty_block = {};
  // The most brackets of L that a middle closes; nothing: as many as the gap lets it.
  std::optional<size_t> most_closing = {};
};

// A piece that may come after a middle.
struct NextPiece {
  std::string_view middle;  // so far
  std::string_view bytes;   // of the piece
  size_t healed = 0;        // so many of them write healed text

  // The bytes that the middle would get.
  [[nodiscard]] std::string_view fresh() const { return bytes.substr(healed); }
  // The middle with them.
  [[nodiscard]] std::string Text() const { return std::string(middle) + std::string(fresh()); }
};

// May the middle of `gap` end?
[[nodiscard]] inline bool MayEndMiddle(const Gap& gap, Goal goal) {
  if (goal == Goal::kText) return gap.Member();
  return !IsBlank(gap.middle()) && (goal == Goal::kLine || gap.Member());
}

}  // namespace tenon::server
