// The lines of the left context that a prompt shows although its window begins after them.
//
// A prompt shows the last 4 KB left of the cursor. In a longer file the window begins in the middle
// of some function, and the model knows neither the modules that are imported nor the class it is
// in. Two kinds of lines are therefore shown in front of the window:
//
//   the file                      the prompt, where the window begins at `total = 0`
//   import json                   import json
//   class Basket:                 class Basket:
//       def weigh(self):
//           return 1
//       def price(self, tax):         def price(self, tax):
//           total = 0                     total = 0
//           return |                      return |
//
// 1. Imports: lines without indentation that begin as the language's entry in languages.json says,
//    such as "import ". Where such a line ends in `(`, the lines up to the closing `)` are part.
// 2. Heads of the blocks in which the window begins: going up from the window, each line that has
//    less indentation than all lines passed. Where a head begins with a closing bracket, such as
//    `} else {` or `) -> int:`, the line above with the same indentation is a head, too.
//
// Indentation alone tells the heads, so a line of a string or a comment may be taken for one. This
// costs a few tokens and no correctness: the constraint reads the whole file.
// Cost: one walk over the hidden text. Thread rule: pure functions.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tenon::server {

// The lines for a window `shown` that follows `hidden`, in the order of the file, of at most
// max_bytes together; empty where nothing is hidden. Heads go first where not all have room, the
// innermost first of all.
[[nodiscard]] std::string Outline(std::string_view hidden, std::string_view shown,
                                  std::span<const std::string> imports, size_t max_bytes);

}  // namespace tenon::server
