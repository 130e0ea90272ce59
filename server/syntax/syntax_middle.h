// A middle that grows between two contexts and is cut so that it adds no syntax error.
//
// The contexts L and R have a tree with some number of errors, often none. A middle M *fits* where
// the tree of L M R has no more. A model writes M piece by piece, and each beginning of M that cuts
// no word is judged. Example: in `f(|)` the pieces `a`, `, b`, `)` and `;` give four beginnings.
// `a, b` fits; `a, b)` does not, for `f(a, b))` has an error: so brackets that an editor has closed
// are not written twice.
//
// The offered text is the first of these that fits:
//   1. the whole middle, where no bracket that it opens is left open
//   2. the whole middle and the brackets that close it: `if (a) {⏎  b;` and `⏎}`
//   3. of its beginnings one with the fewest errors, and of those the longest; none that ends
//      inside quotes
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
//     errors with it: `fi` in a shell, `}` in C++
// In the middle of a line only an open bracket goes on. Any middle ends before a stretch of a line
// comes again and again.
//
// Four rules go beyond errors. No error may lie within M, even where one elsewhere is mended. M
// does not end with a separator or a text with which R goes on: in `x = |;` the middle is `1` and
// not `1;`. A line that R's next line repeats is not offered. And M does not end with a head alone,
// where R's next line is no deeper: with `case 1:`, or with `for (a : b)`, which would take R's
// next statement. So it is where L has begun the head, as in `if (|`; but where nothing longer fits
// the head alone is offered there.
//
// Cost: a parse for each beginning, of the stretch around the cursor alone, and one of the file
// without the cursor's line where a line leaves an error
// (docs/measured_editing.md).
// Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "server/request/blocks.h"
#include "server/syntax/syntax_tree.h"

namespace tenon::server {

struct FittingMiddle {
  std::string text;
  bool completed = false;  // by closing brackets that nobody wrote
};

class SyntaxMiddle {
 public:
  // `around`: the tree of L R. `several_lines`: may a line that does not fit yet go on?
  SyntaxMiddle(const TSLanguage* language, SyntaxTree around, size_t offset_bytes,
               bool several_lines);

  // Between the same contexts, with nothing written.
  [[nodiscard]] SyntaxMiddle Fresh() const;

  // The next piece. False: the middle ends here, and the piece may be written only in part.
  // `stop` ends a parse; a beginning that was not judged does not fit.
  bool Append(std::string_view piece, const std::stop_token& stop);
  // Would this middle add no error, by trees that are read from scratch?
  [[nodiscard]] bool Fits(std::string_view middle, const std::stop_token& stop) const;
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
  // The text that End offers, by trees that grew from one another.
  std::optional<FittingMiddle> Choose(bool word_ends, const std::stop_token& stop);
  // Does M fit by trees that are read from scratch, too? Among errors tree-sitter may recover in
  // another way than it did from an earlier tree.
  bool FitsAnew(std::string_view middle, const std::stop_token& stop) const;
  void JudgeBeginning(size_t size, const std::stop_token& stop);
  // Would this beginning end in a string that it has begun in its last line?
  [[nodiscard]] bool LeavesQuoteOpen(size_t size) const;
  [[nodiscard]] bool RepeatsRestOfLine(std::string_view middle) const;
  // Takes the rest of the line away, where it is written after a beginning that fits; false: it is
  // not.
  bool CutRestOfLine();
  // Takes the bytes behind `size` away, if the rest fits; false: nothing has changed. npos: no.
  bool CutAt(size_t size, const std::stop_token& stop);
  // Would the character be the first of a line behind the block that the middle fills?
  [[nodiscard]] bool BeginsBehindBlock(char c) const;
  // Has the file more errors than without the cursor's line? A parse, once.
  bool IsUnfinished(size_t errors, const std::stop_token& stop);
  // Ends the middle with the line behind the block, where the file has fewer errors with it, or
  // before it.
  void EndClosingLine(const std::stop_token& stop);
  // Ends the middle before its last line where the line after the cursor is the same, as deep, and
  // the lines before it fit and are finished: an `end` may close a block of the middle.
  void CutRepeatedLine(const std::stop_token& stop);
  // Ends the middle where a stretch of its last line comes again and again.
  void CutStutter();
  [[nodiscard]] std::string_view left() const;
  [[nodiscard]] std::string_view right() const;

  const TSLanguage* language_;
  SyntaxTree around_;
  size_t offset_bytes_;
  bool several_lines_;
  size_t allowed_;                         // errors of L R
  std::optional<EmptyBlock> empty_block_;  // that the middle fills
  std::optional<SyntaxTree> last_;         // of the text that was parsed last
  std::string written_;
  size_t judged_ = 0;  // beginnings of up to this size are judged
  size_t lines_ = 0;   // the bytes of the whole lines that fit, in such a block
  std::optional<size_t> errors_without_line_;  // of the file without the cursor's line
  size_t unfinished_line_ = 0;                 // the bytes of the first line, if it is unfinished
  bool in_closing_line_ = false;  // the last line stands behind that block, and may close it
  bool over_ = false;             // the middle ends at the end of written_
  // The best beginning so far.
  size_t best_size_ = 0;
  size_t best_errors_ = 0;
  size_t head_size_ = 0;  // the last one that ends a head of L's line
};

}  // namespace tenon::server
