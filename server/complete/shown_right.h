// The right context as a prompt shows it.
//
// Editors close a bracket or quote as it is opened. So the right context begins with `)` from one
// key to the next, and after the bracket is typed over it begins with a line end again. A prompt
// begins with the right context, so each of these keys would make the model read all of it anew.
// Where the rest of the line only closes, the prompt therefore shows the lines after it:
//
//   the text                 the prompt shows right of the cursor
//   total = add(|)⏎print()   ⏎print()
//   total = add(|, b)⏎       , b)⏎
//
// The model then writes the `)` itself. The constraint knows the whole right context, and the
// middle ends before a token with which the right context goes on (decoder.h). Under a constraint
// of the left side alone nothing would end the middle there, and the prompt shows the right
// context as it is.
//
// A bracket or quote that the editor has closed ahead is a part of the range that a completion
// replaces, so that the completion may go on after the bracket:
//
//   the text        closed ahead   completion               replaces
//   x = f(|)⏎       )              `a) + b` becomes x = f(a) + b     )
//   x = f(|)⏎       )              `a)`: as `a`             nothing
//   x = f(|, b)⏎    nothing
//   if (a) {|}⏎     nothing: the block that the cursor is in shall not be ended
//
// Cost: the rest of the line. Thread rule: pure functions.
#pragma once

#include <string_view>

namespace tenon::server {

[[nodiscard]] std::string_view ShownRight(std::string_view right);
// The brackets and quotes that an editor may have closed ahead; empty where more follows on the
// line.
[[nodiscard]] std::string_view ClosedAhead(std::string_view right);

}  // namespace tenon::server
