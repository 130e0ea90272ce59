// A middle that grows between two contexts and is cut so that it adds no syntax error.
//
// A model writes the middle M piece by piece, and each beginning of M that cuts no word is judged
// (middle_judge.h): does it fit between the contexts L and R? Example: in `f(|)` the pieces `a`,
// `, b`, `)` and `;` give four beginnings, of which `a` and `a, b` fit.
//
// The offered text is the first of these that fits:
//   1. the whole middle, where no bracket that it opens is left open
//   2. the whole middle and the brackets that close it: `if (a) {⏎  b;` and `⏎}`
//   3. of its beginnings one with the fewest errors, and of those the longest; none that ends
//      inside quotes
//   4. a head that L has begun, as in `if (|`, without its block
//
// A middle ends with the first line that is not blank and where it fits, and where the model
// begins to write the rest of the cursor's line or word (server/request/rest_of_word.h). Four kinds
// of lines go on:
//   - a line without a fit yet, such as `if (a) {`: the tree says when its block ends
//   - a line begun by L that gives the file an error, such as `def total` in Ruby, as far as to
//     its `end`
//   - lines of a block that holds the cursor's blank line alone (server/request/blocks.h), to the
//     block's end, or to lines that come again (server/request/repetition.h)
//   - in a file with errors, the line after that block; the line is kept if the file has fewer
//     errors with it: `fi` in a shell, `}` in C++, unless R's next line is the same, as deep
// In the middle of a line only an open bracket goes on. Any middle ends before a stretch of a line
// comes again and again. A line that R's next line repeats is not offered.
//
// Cost: that of the judge, for each beginning. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/request/blocks.h"
#include "server/syntax/middle_judge.h"

namespace tenon::server {

struct FittingMiddle {
  std::string text;        // as it was written
  bool completed = false;  // by closing brackets that nobody wrote
};

class SyntaxMiddle {
 public:
  // `several_lines`: may a line that does not fit yet go on?
  SyntaxMiddle(MiddleJudge judge, bool several_lines);

  // Between the same contexts, with nothing written.
  [[nodiscard]] SyntaxMiddle Fresh() const { return {judge_.Fresh(), several_lines_}; }

  // The next piece. False: the middle ends here, and the piece may be written only in part.
  // `stop` ends a parse; a beginning that was not judged does not fit. REQUIRES: it has not ended.
  bool Append(std::string_view piece, const std::stop_token& stop);
  // Would this middle add no error, by trees that are read from scratch?
  [[nodiscard]] bool Fits(std::string_view middle, const std::stop_token& stop) const {
    return judge_.FitsAnew(middle, stop);
  }
  // May the piece come next? Not where it closes a bracket of a half-typed line above.
  [[nodiscard]] bool MayWrite(std::string_view piece) const {
    return !judge_.ClosesHalfTyped(written_ + std::string(piece));
  }
  // Does the middle begin in the cursor's column? So it does below a block (IsIndentedLess,
  // server/request/blocks.h).
  [[nodiscard]] bool BeginsInColumn() const;
  // What was written, up to where it ends.
  [[nodiscard]] const std::string& written() const { return written_; }
  // The offered text; nothing where no beginning fits. `word_ends`: the last word is whole.
  [[nodiscard]] std::optional<FittingMiddle> End(bool word_ends, const std::stop_token& stop);

 private:
  // The errors of L M R; nothing where M does not fit.
  std::optional<size_t> ErrorsWith(std::string_view middle, const std::stop_token& stop);
  void JudgeBeginning(size_t size, const std::stop_token& stop);
  // Would this beginning end in a string that it has begun in its last line?
  [[nodiscard]] bool LeavesQuoteOpen(size_t size) const;

  // Cuts that end the middle. False: nothing has changed.

  // At `size`, if the rest fits. npos: no.
  bool CutAt(size_t size, const std::stop_token& stop);
  // Before the rest of the cursor's line, where that is written after a beginning that fits.
  bool CutRestOfLine();
  // Before the last line, where the line after the cursor is the same, as deep, and the lines
  // before it fit and are finished: an `end` may close a block of the middle.
  bool CutRepeatedLine(const std::stop_token& stop);
  // Before a stretch of the last line that comes again and again.
  bool CutStutter();

  // A line of the middle is over. True: the middle ends with it, or before it.
  bool EndLine(const std::stop_token& stop);
  // Would the character be the first of a line after the block that the middle fills?
  [[nodiscard]] bool BeginsAfterBlock(char c) const;
  // Does the middle's last line stand in R next, as deep? Then the block has its end.
  [[nodiscard]] bool IsNextLine(std::string_view middle) const;
  // Ends the middle with the line after the block, where the file has fewer errors with it and the
  // block has no end yet, or before it.
  void EndClosingLine(const std::stop_token& stop);

  // The middle as it ends, before anything is offered: what is unfinished is cut.
  void CutUnfinished(bool word_ends, const std::stop_token& stop);
  // A beginning with the brackets that close it; nothing where none longer than the best one fits.
  std::optional<FittingMiddle> Completed(std::string_view whole, const std::stop_token& stop);
  // The text that End offers, by trees that grew from one another.
  std::optional<FittingMiddle> Choose(bool word_ends, const std::stop_token& stop);

  MiddleJudge judge_;
  bool several_lines_;
  std::optional<EmptyBlock> empty_block_;  // that the middle fills
  std::string written_;
  bool over_ = false;             // the middle ends at the end of written_
  bool in_closing_line_ = false;  // the last line stands after that block, and may close it

  struct Beginning {
    size_t size = 0;
    size_t errors = 0;
  };
  Beginning best_;              // that fits
  size_t judged_ = 0;           // beginnings of up to this size are judged
  size_t lines_ = 0;            // the bytes of the whole lines that fit, in such a block
  size_t unfinished_line_ = 0;  // the bytes of the first line, if it leaves an error
  size_t head_size_ = 0;        // the last beginning that ends a head of L's line
};

}  // namespace tenon::server
