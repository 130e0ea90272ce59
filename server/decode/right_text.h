// The text right of the cursor, where a middle writes it a second time.
//
// A model writes as if nothing stood right of the cursor. Example: in `print(|)` it writes `name`
// and then `)`, which is there already. It has said how the text continues, and R says the same. So
// the middle may end before R's text; without this rule the gap would refuse the piece,
// because R follows it once more, and its share of the distribution would go to pieces with another
// meaning. Five texts are R's:
//
//   its beginning       `s)` in `print(name|)` ends the middle inside the piece, after `s`. A word
//                       is cut nowhere, and R's first word has to be written whole.
//   the rest of a word  in `log_|me, b` a model writes `time`, and then `,`. The middle ends as
//                       `ti` (server/request/rest_of_word.h). At other letters no word is cut.
//   its next line       `where a order by b;` before a line `order by b;` ends before that text.
//   its arguments       in `strings.Tr|(s)` a model writes `imSpace(`: the middle ends before `(`.
//   a comma too many    in the last line of a list `"a": 1,` before R's bracket, where no comma
//                       may stand there.
//
// Each function tells sizes of the middle, with the piece, at which it might end; whether it may
// end there is asked of the gap (server/decode/end_rules.h). A comma is R's where it may not.
//
// Source: our own. Cost: linear in the middle and the piece. Thread rule: the class is immutable.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "server/decode/cursor_text.h"

namespace tenon::server {

class RightText {
 public:
  // REQUIRES: cursor->right_line is empty where it is blank.
  explicit RightText(std::shared_ptr<const CursorText> cursor);

  // The sizes before R's beginning, its next line or the rest of a word and the sign after it, the
  // likeliest first. `fits`: the piece may come as well; then one or two letters in a word say too
  // little: in `so|me` the model may write `somewhat`.
  [[nodiscard]] std::vector<size_t> EndsBefore(const NextPiece& piece, bool fits) const;
  // The size before all of R's next line, which the piece ends writing after other text of its own
  // line.
  [[nodiscard]] std::optional<size_t> EndBeforeNextLine(const NextPiece& piece) const;
  // The size before the bracket of arguments that the piece opens after the cursor's word, where
  // R's line begins with them.
  [[nodiscard]] std::optional<size_t> EndBeforeArguments(const NextPiece& piece) const;
  // The size before R's rest of a word, with which the middle ends.
  [[nodiscard]] std::optional<size_t> EndBeforeRestOfWord(std::string_view middle) const;
  // The size before the comma with which the middle ends, where the piece is empty, or R's closing
  // bracket.
  [[nodiscard]] std::optional<size_t> EndBeforeComma(const NextPiece& piece) const;
  // Does R begin with the rest of a word?
  [[nodiscard]] bool ends_word() const { return ends_word_; }

 private:
  std::shared_ptr<const CursorText> cursor_;
  bool ends_word_;
};

// Does `text` write the beginning of `right_line`, or all of it and more? A word of R has to end
// there: `add` writes no `a`.
[[nodiscard]] bool WritesInto(std::string_view text, std::string_view right_line);

// May a piece of these bytes write into a right context whose first line is `right_line`, alone or
// with pieces before it?
[[nodiscard]] bool MayWriteInto(std::string_view bytes, std::string_view right_line);

}  // namespace tenon::server
