// The heads around a line, and the brackets that lines open around the cursor or at it, by
// indentation alone.
//
// Going up from the cursor, each line with less indentation is the head of a construct around it,
// but for comments.
// Example, with the cursor in the last line: the heads are `class C {` and `if (a) {`.
//
//   class C {
//     int b;
//     if (a) {
//       c();
//       |
//
// A head may have several lines, `class A` and below it `extends B {`: the last one opens its
// block. People close the bracket at a head's end in a line of its own, at the head's indentation.
//
// `[begin, end]` below is a stretch that is never cut: a string or comment of several lines around
// the cursor, or the cursor alone, twice. Nothing here knows a language (outline_lines.h).
// Cost: linear in the lines up to the outermost head, and down to the closing lines. Thread rule:
// pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "server/region/outline_lines.h"

namespace tenon::server {

inline constexpr size_t kMaxOutlineLines = 20'000;  // below the cursor that are looked at
inline constexpr size_t kMaxEnds = 400;             // of regions in one construct

// The heads around a line, outermost first. A head of several lines is one OutlineLine that ends
// with the last of them.
[[nodiscard]] std::vector<OutlineLine> HeadsAround(const OutlineLine& line);

// The indentation of the first line of the statement that a line is the last one of.
[[nodiscard]] size_t ColumnsOfStatement(const OutlineLine& last);

// Does the head hold the tag of an element that goes on below?
[[nodiscard]] bool LeavesElementOpen(const OutlineLine& head);

// A head that ends with an opening bracket, `<` among them.
struct OpenHead {
  size_t begin = 0;  // of the line, in bytes
  char bracket = 0;  // the opening one
  // The bracket that closes it: in the example of a head `x = [`, the `]` of a line below. Where
  // the line below the cursor has no more indentation than the head, and no closing bracket with
  // the same, the gap closes the bracket: then it is the beginning of the cursor's line. Nothing:
  // it is missing.
  std::optional<size_t> closer;
};

// Outermost first; without those that a head below closes, as `) {` does with `f(`.
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
  size_t closer_line = 0;  // where the line of `closer` begins
  bool is_there = false;   // the cursor's line ends with the opening bracket
  // Where a part of its inside may end: beginnings of lines, nearest first. The first one leaves
  // all of it out. Empty where the gap opens several brackets.
  std::vector<size_t> ends;
};

[[nodiscard]] std::optional<GapBracket> BracketOfGap(std::string_view text, size_t begin,
                                                     size_t end);

// Where a part of the block may end that the cursor's line begins by indentation alone: beginnings
// of lines, nearest first. The first one leaves all of the block out. Empty where the lines below
// close a bracket that they do not open: it may be one of the cursor's line, which goes on then.
// Example, with ends before `a` and before `b`:
//
//   if x.|
//       a = 1
//       b = (
[[nodiscard]] std::vector<size_t> EndsInBlockOfGap(std::string_view text, size_t begin, size_t end);

// Where the first line after `end` begins that opens a bracket whose inside is missing: the line
// below neither is deeper nor closes one nor is a label. Example: `switch (a) {`, half typed
// between two statements. The end of the text where none begins before `until`.
[[nodiscard]] size_t FirstHollowLine(std::string_view text, size_t end, size_t until);

}  // namespace tenon::server
