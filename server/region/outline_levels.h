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
// closed. The skeleton's syntax tree tells the constructs (containers.h).
//
// Cost: linear in the lines up to the outermost head. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/region/outline_heads.h"

namespace tenon::server {

struct OutlineSkeleton {
  std::string text;
  size_t hole = 0;  // a byte within the word that stands for the level's statements
  bool has_heads = false;

  // The lines before the word's.
  [[nodiscard]] std::string Heads() const { return text.substr(0, text.rfind('\n', hole) + 1); }
};

struct OutlineLevel {
  // Where a region may begin: the first line of the level's statement, and lines before it with
  // the same indentation, nearest first. Bytes, at beginnings of lines.
  std::vector<size_t> begins;
  // Where a region may end: beginnings of lines below the cursor, nearest first. The last is the
  // end of the block.
  std::vector<size_t> ends;
  size_t first = 0;  // where its first line begins
  // The bracket that the gap opens; the innermost level alone may have one.
  std::optional<GapBracket> opened;
  // Where a part of the block may end that the cursor's line begins (EndsInBlockOfGap); of the
  // innermost level alone.
  std::vector<size_t> block_ends;
  // One of these may tell the constructs where the ones before it have an error:
  //   - the heads alone
  //   - the heads, each after the heads of the same construct: `if x:` before `else:`
  //   - the heads with their elements closed, where they leave elements open
  //   - the heads with what half-typed ones lack: `def f(a` is `def f(a):`
  //   - the heads without the innermost, where that one opens no bracket: it may be broken itself
  std::vector<OutlineSkeleton> skeletons;
};

// Outermost first. [begin, end]: as for OpenHeads. `word`: stands for statements in the
// skeletons; two characters or more.
[[nodiscard]] std::vector<OutlineLevel> OutlineLevels(std::string_view text, size_t begin,
                                                      size_t end, std::string_view word);

}  // namespace tenon::server
