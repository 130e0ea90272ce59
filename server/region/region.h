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

namespace tenon::server {

struct Region {
  size_t begin = 0;  // bytes of the file; at most the cursor
  size_t end = 0;    // bytes of the file; at least the cursor
  std::string before, after;
  size_t tail_bytes = 0;  // of `after`: that many at its beginning are the file's own
  // The file can be read from its beginning to the cursor, and has to be with a middle behind it
  // (file_around.h).
  bool file_reads_to_cursor = false;
  // Of the file behind `end`: a middle has to let the engine read so many (file_around.h).
  size_t read_on_bytes = 0;

  // The contexts of a gap at `cursor`. REQUIRES: the cursor lies in the region.
  [[nodiscard]] std::string Left(std::string_view text, size_t cursor) const {
    return before + std::string(text.substr(begin, cursor - begin));
  }
  [[nodiscard]] std::string Right(std::string_view text, size_t cursor) const {
    return std::string(text.substr(cursor, end - cursor)) + after;
  }
  friend bool operator==(const Region&, const Region&) = default;
};

// Does a middle at `cursor` take a bracket from the stand-ins around the region, or leave one to
// them? Those behind the region close what the file opened, and in the file nothing closes the
// middle's bracket. Example, with `}` behind the region: in `{\n  "a": 1|\n  "b": 2\n`, the middle
// `}, {` closes the file's bracket, and the stand-in would close the other one. Nor does a middle
// close a bracket of those before the region and open one in its place: what the file has there is
// left out, and may be broken. An element of theirs has another name in the file. Cost: linear in
// the region.
[[nodiscard]] bool MovesBrackets(const Region& region, std::string_view text, size_t cursor,
                                 std::string_view middle);

}  // namespace tenon::server
