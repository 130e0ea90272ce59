// The brackets of L that a middle may close.
//
// A grammar lets a middle close brackets and open others in their place. Nobody wants these:
//
//   f(|, 1)         where R closes as many brackets as L's line opens, a middle of several lines
//                   closes none of them: `() => {⏎}` is not followed by `)(a`. A writer who closes
//                   them and goes on otherwise, `a)).join();` before `));`, has meant `a`
//   save(b);|       where L and R are whole without a middle, or the cursor's line is deeper than
//   }               a next one that begins with a closing bracket, the middle's first line alone
//                   may close a bracket of the lines above, as `} else {` does; and where they are
//                   whole, none that R's next line closes: another one would have to begin for R
//   a region        of a broken file (server/region/region.h): a middle closes no more brackets
//                   of L than CursorText::most_closing; others are stand-ins'
//
// Source: our own. Cost: linear in the middle; the constructor may ask the gap once whether the
// text is whole. Thread rule: immutable.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "server/decode/cursor_text.h"

namespace tenon::server {

class LeftBrackets {
 public:
  // `gap` has an empty middle. REQUIRES: cursor.right_line is empty where it is blank.
  LeftBrackets(const CursorText& cursor, const Gap& gap, Goal goal);

  // False: any number may be closed.
  [[nodiscard]] bool limited() const { return most_ || most_in_lines_; }
  // Does the middle close more than it may?
  [[nodiscard]] bool Exceeds(std::string_view middle) const;
  // Would the middle do so with the piece, which closes brackets? Any other piece does not.
  [[nodiscard]] bool AreExceededBy(const NextPiece& piece) const;
  // The size of the middle before the first bracket that it closes in the place of R's line.
  // Nothing: it closes none such.
  [[nodiscard]] std::optional<size_t> EndBeforeRights(std::string_view middle) const;

 private:
  std::optional<size_t> most_;           // nothing: any number
  std::optional<size_t> most_in_lines_;  // in a middle of several lines
  bool in_line_ = false;                 // R closes the other ones in its line
  // A bracket that R's next line closes, where L and R are whole without a middle.
  std::optional<char> rights_;
};

}  // namespace tenon::server
