// Does a completion repeat what follows the cursor?
//
// A model likes to write the next line a second time. Example, with the cursor as `|`:
//
//   def close(self):               `self.file.close()` is the next line: it is not offered.
//       |                          `self.flush()` is not.
//       self.file.close()
//
// The completion is compared as lines, with the text around it in the cursor's line. It repeats
// what follows where each of its lines that is not blank is one of the next lines, in their order,
// and a word is among them. A line of brackets alone is no repetition: `}` before `}` closes
// another block. Where a word follows on the cursor's line, a completion repeats it that begins
// with all that follows there: `price * tax` in `total = |price * tax`.
// Blanks count for nothing.
// Cost: linear in the completion and the lines compared. Thread rule: a pure function.
#pragma once

#include <string_view>

namespace tenon::server {

// `left` and `right` are the texts before and after the completion's range.
[[nodiscard]] bool RepeatsWhatFollows(std::string_view left, std::string_view item,
                                      std::string_view right);

}  // namespace tenon::server
