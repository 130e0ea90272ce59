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

  // The contexts of a gap at `cursor`. REQUIRES: the cursor lies in the region.
  [[nodiscard]] std::string Left(std::string_view text, size_t cursor) const {
    return before + std::string(text.substr(begin, cursor - begin));
  }
  [[nodiscard]] std::string Right(std::string_view text, size_t cursor) const {
    return std::string(text.substr(cursor, end - cursor)) + after;
  }
  friend bool operator==(const Region&, const Region&) = default;
};

}  // namespace tenon::server
