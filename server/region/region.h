// A region: the part of a broken file in which a completion can still be proved to fit.
//
//   def f(:            <- broken
//       pass
//   def g(x):
//       return x +|    <- the cursor
//
// The whole file has no completion that parses. The region is the text from `def g(x):` on, and
// `def g(x):\n    return x +|` has one. Inside a construct the region needs stand-ins for the text
// that it leaves out: for statements of a method `class C:\n    def f():\n` before them.
//
//   file:    ... left out ... [begin  region, with the cursor  end) ... left out ...
//   judged:           before  [begin  region, with the cursor  end)  after
//
// Cost and thread rule: a value.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/gap.h"

namespace tenon::server {

struct Region {
  size_t begin = 0;  // bytes of the file; at most the cursor
  size_t end = 0;    // bytes of the file; at least the cursor
  std::string before, after;
  // `after` begins with so many bytes of the file itself (RegionEnd::tail).
  size_t tail_bytes = 0;
  // So many bytes of the file after `end` have to be readable with a middle (file_around.h).
  size_t read_on_bytes = 0;
  // So many bytes of the file have to be readable from its beginning with a middle, which does not
  // count; 0 where the file is broken before the cursor (file_around.h).
  size_t bytes_up_to_error = 0;

  // The contexts of a gap at `cursor`. REQUIRES: the cursor lies in the region.
  [[nodiscard]] std::string Left(std::string_view text, size_t cursor) const {
    return before + std::string(text.substr(begin, cursor - begin));
  }
  [[nodiscard]] std::string Right(std::string_view text, size_t cursor) const {
    return std::string(text.substr(cursor, end - cursor)) + after;
  }
  friend bool operator==(const Region&, const Region&) = default;
};

// The seams at which a gap of the whole file is opened before the region answers, since the text
// after `cursor` may be the rest of a comment or string, which the region does not take it for.
//
//   rest  The region holds at most one line with content after the cursor, and the file holds
//         more. Then these may be prose before `*/`, whose comment has lost its beginning.
//   rest  That text begins with a quote which only the stand-ins end: a docstring's last line,
//         `"""`, whose beginning is missing, looks like the first line of another one.
//   open  The region leaves out the end of the cursor's line, in which nothing stands before the
//         cursor, and the line above or below is one of a comment: the mark `//` may be missing.
[[nodiscard]] std::vector<Seam> SeamsBefore(const Region& region, std::string_view text,
                                            size_t cursor);

// Does a middle at `cursor` take a bracket from the stand-ins around the region, or leave one to
// them? The file has other text in the place of the stand-ins, so brackets and stand-ins must not
// trade partners. Three kinds of middles do:
//
//   - The stand-ins after the region would close the middle's bracket. Example, with the stand-in
//     `}`: in `{\n  "a": 1|\n  "b": 2\n` the middle `}, {` closes the file's bracket, and the
//     stand-in closes the middle's. In the file nothing does.
//   - The middle closes a bracket of the stand-ins before the region, and opens another one.
//   - The middle closes an element of the stand-ins, whose name is another one in the file, or
//     leaves an element open. Where the stand-ins have no element `<T>` may come.
//
// Cost: linear in the region.
[[nodiscard]] bool MovesBrackets(const Region& region, std::string_view text, size_t cursor,
                                 std::string_view middle);

// Would a text that closes a gap at `cursor` move blocks of the file around it? Then a bracket is
// missing elsewhere. Two kinds of texts do:
//
//   - It closes a block of the lines above and opens other brackets for what follows, or the same
//     ones in another statement: `}}(a` and `}(); {`, but not `} else {`, nor `}) => {`.
//   - It opens a bracket that a line before `end` closes, which is indented less than the cursor's.
//     People close a bracket no further left than they have opened it. A text that closes a bracket
//     first, as `) => {`, opens the next one there. Example: `b(); {` at the `|` of
//
//       function f(a)
//         |
//       }
//
//     In a comment of lines `* a`, which `*/` ends, the column is that of its beginning. A text
//     that goes on with the head above to its bracket, as `{` does below `class A`, opens it there.
//
// Cost: linear in the text from the cursor to `end`, where the closing text opens a bracket.
[[nodiscard]] bool MovesBlocks(std::string_view text, size_t cursor, size_t end,
                               std::string_view closing);

// Is a region looked for first, though `closing` closes the gap of the whole file? So it is where
// that text moves blocks, and where it closes a bracket of the lines above while one is missing
// there (missing_brackets.h). Examples: the text `});` in the second of two calls `f(() => {`, the
// first of which has no `});`, and `)` in `g(|);` below the half-typed line `f(a.`.
//
// Cost: that of MovesBlocks up to the file's end, and of LacksBrackets.
[[nodiscard]] bool IsRegionFirst(std::string_view text, size_t cursor, std::string_view closing);

}  // namespace tenon::server
