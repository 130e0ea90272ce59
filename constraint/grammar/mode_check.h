// Do the rules and the modes of a grammar agree?
//
// With modes (`%mode`) the lexer reads by different terminals in different places: inside of an
// f-string by its text and braces, in a field by the language's own. A left context tells the
// stack of modes. A right context is read from an unknown place, so its modes must follow from the
// parse alone. Two conditions make it so:
//   - Each terminal of a rule stands where a mode that has the terminal is on top.
//   - A rule pops each mode that it pushes, and no other.
// Then the place in a parse tree tells the modes there, a parser that knows nothing of modes
// decides about them, and the right context can be read in every mode at once.
//
// Example: `string: BEGIN part* END` passes where BEGIN pushes the mode `text` and END pops it.
// Without END the rule is refused: "the rule 'string' pushes the mode 'text' and does not pop it".
//
// Cost: rules times the modes that their heads are met in. Thread rule: a pure function.
#pragma once

#include <string>

#include "constraint/grammar/definition.h"

namespace tenon::constraint {

// The mistake, in words for the grammar's author; empty: there is none.
[[nodiscard]] std::string CheckModes(const Grammar& grammar);

}  // namespace tenon::constraint
