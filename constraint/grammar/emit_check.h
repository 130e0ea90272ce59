// Do the emitted forms of a terminal belong to its accepted ones?
//
// tenon may write only a part of what it accepts, never more. Example: `%emit NUMBER /[0-9]+/` is
// right for `NUMBER: /[0-9]+|0x[0-9a-f]+/`. `%emit NUMBER /[0-9]*/` is refused, because it has the
// empty text, and `%emit NUMBER /[0-9_]+/` with the shortest text that NUMBER does not match: "_".
//
// Method: one DFA of both patterns; a breadth-first search for a state where the emit pattern alone
// matches.
// Cost: one DFA for each terminal with `%emit /.../` or `%spell`, some milliseconds where the
// terminal holds XID_Continue.
// Thread rule: pure functions.
#pragma once

#include <string>

#include "constraint/grammar/definition.h"

namespace tenon::constraint {

// Empty: each text of `terminal.emit_pattern` is one of `terminal.pattern`. Else the mistake, in
// words for the grammar's author.
std::string CheckEmitPattern(const Terminal& terminal);
// Empty: the emit pattern (without one, the pattern) matches `terminal.spelling`. Else the mistake,
// in words.
std::string CheckSpelling(const Terminal& terminal);

}  // namespace tenon::constraint
