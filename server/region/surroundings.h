// The constructs around a cursor, and the texts that stand in for them before and after a region
// (stand_ins.h).
//
// Example: a region in the body of a loop of a method ends before a statement of the method.
//
//   class C:              class C:
//       def f(self):          def f():
//           for a in b:           while 0:
//               |                     |
//           c(self             0
//
// Left is the file, right the text that is judged. The line `0` is the `filler` of the method's
// rule, and has the indentation of `c(self`: the loop ends there, so a text in the region has to
// leave the method open.
//
// Cost: linear in the containers, and in the blank lines after a region. Thread rule: immutable;
// the rules live longer.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "server/region/containers.h"
#include "server/region/outline_lines.h"
#include "server/region/stand_ins.h"

namespace tenon::server {

// The filler of a rule stands in for a part that is left out: a line of its own, as `0` in Python's
// blocks, or a part of a list, as `0` in its brackets. One of the two is empty.
[[nodiscard]] std::string_view FillerLine(const RegionRule& rule);
[[nodiscard]] std::string_view FillerPart(const RegionRule& rule);

// May a region end at `end`, among parts of the construct of `rule`? Not after a comma where the
// parts are no items: `case a,` goes on in the next line. Not within a statement, where statements
// end with `;`. `lines`: of the text.
[[nodiscard]] bool MayEndIn(const RegionRule& rule, std::string_view text, size_t cursor,
                            size_t end, LineFinder& lines);

class Surroundings {
 public:
  // The containers around `cursor` of `text`, outermost first, one at least.
  Surroundings(std::string_view text, size_t cursor, std::vector<Container> containers,
               std::string line_end);

  [[nodiscard]] const std::vector<Container>& containers() const { return containers_; }
  [[nodiscard]] const RegionRule& rule() const { return *containers_.back().rule; }
  // The stand-ins before a region in container number `level`, whose parts have this indentation
  // there. `first_in_line`: the region begins with the blanks of its line.
  [[nodiscard]] std::string Before(size_t level, const std::string& indentation,
                                   bool first_in_line) const;
  // The stand-ins after a region in container number `level` that ends at `end` of `text`. Where
  // the text goes on below, one of them is a line with the same indentation: the construct that the
  // line belongs to has to be open there still.
  [[nodiscard]] std::string After(size_t level, std::string_view text, size_t end) const;

 private:
  [[nodiscard]] StandIns Compose(size_t level, const std::string& indentation) const;

  std::vector<Container> containers_;
  std::vector<std::string> indentations_;       // inside each: of its part with the cursor
  std::vector<std::optional<size_t>> columns_;  // of the parts of each that begin a line
  std::string line_end_;
};

}  // namespace tenon::server
