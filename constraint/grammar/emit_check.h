// Do the emitted forms of terminals belong to the accepted ones?
//
// Cost: one DFA for each terminal with `%emit /.../` or `%spell`, some milliseconds where it holds XID_Continue.
// Thread rule: a pure function.
#pragma once

#include <string>

#include "constraint/grammar/definition.h"

namespace tenon::constraint {

// Empty where `terminal.emit_pattern` matches only what `terminal.pattern` matches, else what is wrong.
std::string CheckEmitPattern(const Terminal& terminal);
// Empty where `terminal.spelling` is matched by the emit pattern, or by the pattern where there is none.
std::string CheckSpelling(const Terminal& terminal);

}  // namespace tenon::constraint
