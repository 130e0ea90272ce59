// Texts that stand in for the constructs around a region, composed from the rules of `%region`.
//
// Example: the cursor is in a loop of a method, and the file is broken elsewhere. The containers
// around the cursor (containers.h) are a module, a class, a function and a loop. Their stand-ins
// are composed line by line, each with the indentation of the construct:
//
//   class C:
//       def f():
//           while 0:
//               <the region>
//
// So what may stand in the region is judged as in its true surroundings: `break` in a loop,
// `return` in a function. Texts that close constructs are composed from the inside out.
//
// Cost: linear in the constructs. Thread rule: a value; pure functions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tenon/language.h"

namespace tenon::server {

// The beginning of the line where only blanks lie between it and `offset`, else `offset`.
[[nodiscard]] size_t WithBlanks(std::string_view text, size_t offset);

// The blanks at the beginning of the line of `offset`. Where the line has other text before
// `offset`, one blank more.
[[nodiscard]] std::string IndentationAt(std::string_view text, size_t offset);

// Composes the stand-ins of constructs from the outside in.
class StandIns {
 public:
  explicit StandIns(std::string line_end) : line_end_(std::move(line_end)) {}

  // Adds a construct, inside the ones before. Its parts have this indentation.
  void Add(const RegionRule& rule, const std::string& inner_indentation);
  // Adds a line of construct number `construct` after the region. Example: `0` with the
  // indentation of `if`, where the region is the block of `if a:` in a function.
  void AddLineBelow(size_t construct, std::string_view blanks, std::string_view line);
  // The text before the region. `first_in_line`: the region begins with the blanks of its line.
  // `line`: a line that comes right before the region.
  [[nodiscard]] std::string Before(bool first_in_line, std::string_view line = "") const;
  // The text after the region. `first_in_line`: the region ends with a line's end.
  [[nodiscard]] std::string After(bool first_in_line = false) const;

 private:
  [[nodiscard]] bool AtLineBegin() const { return before_.empty() || before_.back() == '\n'; }
  [[nodiscard]] std::string Lines(std::string_view text) const;

  std::string line_end_;
  std::string before_;
  std::string indentation_;         // of what is added next
  std::vector<std::string> after_;  // outermost first
};

}  // namespace tenon::server
