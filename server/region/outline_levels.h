// The constructs around a line, told by indentation alone: for text that no parser understands.
//
// An unclosed bracket far above the cursor makes the rest of a file one error for tree-sitter,
// but people indent. Example, with the cursor in the last line:
//
//   x = (1,               <- never closed
//   class C:
//       def f(self):
//           if a:
//               b()
//           return |
//
// Going up, each line with less indentation is the head of a construct around the cursor: `def
// f(self):`, then `class C:`. So the cursor's statement, and each head, begins a *level*: its
// first line, and the heads around it. A level's *skeleton* is a text without all that may be
// broken: its heads, a word in place of its statements, and the brackets that the heads open,
// closed. The skeleton's syntax tree tells the constructs (stand_ins.h).
//
// A head may have several lines, `class A` and below it `extends B {`: the last one opens its
// block.
//
// Cost: linear in the lines up to the outermost head. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

// Does a brace at `offset` begin a line, and belong to the line above? Example:
//
//   class A extends B|
//   {
[[nodiscard]] bool GoesOnWithBrace(std::string_view text, size_t offset);

// Is the line above that of `offset` an annotation or decorator of what begins there?
[[nodiscard]] bool ComesAfterAnnotation(std::string_view text, size_t offset);

// Does the line right above that of `offset` hold code, and end no statement?
[[nodiscard]] bool LineAboveGoesOn(std::string_view text, size_t offset);

// Is no statement open at `offset`, where statements end with `;`? A `;` comes before, or a blank
// line or a comment, or a comment begins there. What the cursor's line will end with nobody knows.
[[nodiscard]] bool StatementEndsAbove(std::string_view text, size_t cursor, size_t offset);

// The last bracket that the line above that of `offset` opens within and leaves open: a line that
// begins at `offset` lies in it. Nothing of a comment's line, or one that ends with a bracket or
// with `:`.
[[nodiscard]] std::optional<char> BracketLeftOpenAbove(std::string_view text, size_t offset);

// A line that ends with an opening bracket, `<` among them, and begins a construct around the
// cursor. People close such a bracket in a line of its own, at the line's indentation. Example:
// `x = [` and `]`. Where the line below the cursor has no more indentation than `x = [`, the
// cursor's line is that line.
struct OpenHead {
  size_t begin = 0;              // of the line, in bytes
  char bracket = 0;              // the opening one
  std::optional<size_t> closer;  // the bracket that closes it; nothing: it is missing
};

// A line that git leaves where two versions conflict: `<<<<<<< HEAD`, `=======`, `>>>>>>> b`.
[[nodiscard]] bool IsConflictMarker(std::string_view line);

// Outermost first; without those that a head below closes, as `) {` does with `f(`. [begin, end]
// is what is never cut: a string or comment of several lines around the cursor, or the cursor
// alone, twice.
[[nodiscard]] std::vector<OpenHead> OpenHeads(std::string_view text, size_t begin, size_t end);

// A bracket that the cursor's line opens or will open. The bracket that closes it begins a line
// with the indentation of the cursor's. Deeper lines lie between, or the bracket around the
// cursor has a closing line of its own further down. Example, where `"d": {` is missing:
//
//   x = {
//     |
//       "a": 1
//     },
//   }
struct GapBracket {
  size_t closer = 0;       // the bracket that closes it
  size_t closer_line = 0;  // where that one's line begins
  bool is_there = false;   // the cursor's line ends with the opening one
  // Where a part of its inside may end: beginnings of lines, nearest first. The first one leaves
  // all of it out. Empty where the gap opens several brackets.
  std::vector<size_t> ends;
};

[[nodiscard]] std::optional<GapBracket> BracketOfGap(std::string_view text, size_t begin,
                                                     size_t end);

// Where the first line behind `end` begins that opens a bracket whose inside is missing: the line
// below neither is deeper nor closes one nor is a label. Example: `switch (a) {`, half typed
// between two statements. The end of the text where none begins before `until`.
[[nodiscard]] size_t FirstHollowLine(std::string_view text, size_t end, size_t until);

struct OutlineSkeleton {
  std::string text;
  size_t hole = 0;  // a byte within the word that stands for the level's statements
  bool has_heads = false;
};

struct OutlineLevel {
  // Where a region may begin: the first line of the level's statement, and lines before it with
  // the same indentation, nearest first. Bytes, at beginnings of lines.
  std::vector<size_t> begins;
  // Where it may end: beginnings of lines below the cursor's, nearest first; the last is the end
  // of the block.
  std::vector<size_t> ends;
  size_t first = 0;                  // where its first line begins
  std::optional<GapBracket> opened;  // by the gap; the innermost level alone has one
  // The heads alone; the heads and those that may belong to the same construct (`else:` and its
  // `if x:`); the heads with their elements closed, where they leave some open; the heads
  // without the innermost, where that or its `if x:` is broken itself, and leaves no bracket open.
  std::vector<OutlineSkeleton> skeletons;
};

// Outermost first. [begin, end]: as for OpenHeads. `word`: stands for statements in the
// skeletons; two characters or more.
[[nodiscard]] std::vector<OutlineLevel> OutlineLevels(std::string_view text, size_t begin,
                                                      size_t end, std::string_view word);

}  // namespace tenon::server
