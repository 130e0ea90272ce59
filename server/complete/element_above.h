// The element above a blank line: the part of the file that may lack its sign (missing_sign.h).
//
// Example, with the cursor as `|`: the element is `c: {⏎ d: 1 // one⏎}`, and a sign may go after
// its last bracket.
//
//   b: 0,
//   c: {
//     d: 1 // one
//   }
//   |
//
// An element is the line above, or the lines from the one that opens a block up to the closing
// bracket above the cursor. Its first line is indented as the cursor's line is.
//
// Cost: linear in the element. Thread rule: a pure function.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

struct ElementAbove {
  size_t begin = 0;          // its first character that is no blank
  std::vector<size_t> ends;  // where a sign may go: its end, and before what may be a comment there

  // What closes the brackets that the element of `text` leaves open up to one of its ends. They
  // differ: `g("http:` and `g("http://a", h(x`, since `//` may begin no comment.
  [[nodiscard]] std::string ClosersAt(std::string_view text, size_t end) const;
};

// Nothing: the cursor's line has more than blanks, or another indentation; or the next line begins
// with `{`, which may be the block of `void f()` above the cursor.
// REQUIRES: the cursor lies in the text.
[[nodiscard]] std::optional<ElementAbove> FindElementAbove(std::string_view text, size_t cursor);

}  // namespace tenon::server
