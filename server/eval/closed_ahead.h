// What an editor has closed ahead while a region is typed.
//
// Editors write the closing bracket or quote as the opening one is typed, and let it be typed over.
// Where Enter is pressed between two brackets, the closing one comes into a line of its own.
// Example, the region `go(x, "b")` and the region `if (a) {⏎  b();⏎}`:
//
//   typed            right of the cursor
//   go(              )
//   go(x, "b         ")
//   go(x, "b"        )
//   if (a) {         }
//   if (a) {⏎  b(    )⏎}
//
// Only what closes within the region is closed ahead. No language is known here: an apostrophe in
// a comment or a bracket in a string of several lines may be taken for what it is not.
// Cost: linear in the region. Thread rule: immutable.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace tenon::server {

class ClosedAhead {
 public:
  // Of the bytes [begin, end) of `text`.
  ClosedAhead(std::string_view text, size_t begin, size_t end);

  // Right of the cursor once the first `typed` bytes of the region are written.
  [[nodiscard]] std::string After(size_t typed) const;

 private:
  struct Pair {
    size_t opening, closing;  // bytes of the region
    std::string closer;       // as the editor writes it
  };
  std::vector<Pair> pairs_;  // by their opening bytes
};

}  // namespace tenon::server
