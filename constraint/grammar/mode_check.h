// Do the rules and the modes of a grammar agree?
//
// Each terminal has to stand where a mode that has it is on top, and a rule that pushes a mode pops it: then the place in a parse tree
// tells the modes there, and a parser that knows nothing of modes decides about them as well. That is what lets the right context be read
// in every mode at once (gap/right_automaton.h).
// Cost: rules times the modes that their heads are met in. Thread rule: a pure function.
#pragma once

#include <string>

#include "constraint/grammar/definition.h"

namespace tenon::constraint {

// What is wrong; empty: nothing.
[[nodiscard]] std::string CheckModes(const Grammar& grammar);

}  // namespace tenon::constraint
