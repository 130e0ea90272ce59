// The end of a middle before the text that it repeats.
//
// A writer that has nothing to say may write some lines a second time, and then a third time, or a
// stretch of a line again and again (server/request/repetition.h). The middle ends before their
// repetition, and before the sign or the words that would join it; brackets that stand open are
// closed. Example, in a chain `return b.⏎  |`:
//
//   add(a).
//   add(c).            the middle ends here, as `add(a).⏎  add(c)`
//   add(a).
//   add(c).
//
// So `f(1, 0, 0, 0, 0` becomes `f(1, 0)`, and of `a and not a and not` the word `a` stays.
//
// Source: our own. Cost: linear in the middle; a search for a closing text where one ends.
// Thread rule: that of the middle.
#pragma once

#include <optional>

#include "server/decode/written_middle.h"
#include "server/request/completer.h"

namespace tenon::server {

// Where a middle ends, and how.
struct MiddleEnd {
  Gap at;
  Ended ended = Ended::kStop;  // by its writer, or, where text came again, by tenon
};

// The end before the lines with which the middle of `line_end` begins to repeat itself. They are
// known where lines of a block were kept (WrittenMiddle::block_lines).
[[nodiscard]] std::optional<MiddleEnd> EndBeforeRepetition(const WrittenMiddle& middle,
                                                           const Gap& line_end);
// The same before a stretch of a line that comes again and again with the piece.
[[nodiscard]] std::optional<MiddleEnd> EndBeforeStutter(const WrittenMiddle& middle,
                                                        const NextPiece& piece);

}  // namespace tenon::server
