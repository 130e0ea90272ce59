// Does a completion repeat the text that follows the cursor?
//
// A model likes to write the next line a second time. Example, with the cursor as `|`:
//
//   def close(self):               `self.file.close()` is the next line: it is not offered.
//       |                          `self.flush()` is not.
//       self.file.close()
//
// The completion is compared line by line, its first and last line with the text around them in
// the cursor's line. Two rules say that a completion repeats the text after it:
//
//   lines      each of its lines that is not blank is one of the next lines, in their order, and
//              one of them has a word. A line of brackets alone is no repetition: `}` before `}`
//              closes another block. A `,` or `;` at a line's end counts for nothing: `a: 1,`
//              repeats an `a: 1` that lacks its comma. In a comment its mark counts for nothing
//              either: `setup()` after `# ` repeats a next line `setup()`.
//   the rest   a word follows on the cursor's line, and the completion begins with all of the rest:
//              `price * tax` in `total = |price * tax`. A word that goes on is another one: `errid`
//              in `@Ov|e` does not repeat the `e`
//
// Blanks count for nothing.
// Cost: linear in the completion and the lines compared. Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace tenon::server {

// Does the line at the end of `left` begin as a comment, or as one of JSX?
[[nodiscard]] bool IsInCommentLine(std::string_view left);

// `left` and `right` are the texts before and after the completion's range.
[[nodiscard]] bool RepeatsWhatFollows(std::string_view left, std::string_view item,
                                      std::string_view right);

// Does the item, one line or more, write the lines directly above its own line a second time? Not
// where they stand there twice already, as rows of a table do. REQUIRES: the range is a blank line.
[[nodiscard]] bool RepeatsWhatPrecedes(std::string_view left, std::string_view item);

// Where the repetition begins with which a text of whole lines ends: two to four lines that come a
// second time, or a line that comes a third time; nothing where there is none. Blank lines count
// for nothing, and one of the lines has a word. Example: of
//
//   # x = 1
//   # y = 2
//   # x = 1
//   # y = 2
//
// it is the end of the second line.
[[nodiscard]] std::optional<size_t> BytesBeforeRepetition(std::string_view text);

// The same within a line: where the second one begins of the stretches, at most 40 bytes long, with
// a word and a sign or blank, that come at least four times in turn at the text's end, and have 32
// bytes together.
// Example: of `f(1, 0, 0` and so on, with eleven `0`, it is after `f(1, 0`.
[[nodiscard]] std::optional<size_t> BytesBeforeStutter(std::string_view text);

}  // namespace tenon::server
