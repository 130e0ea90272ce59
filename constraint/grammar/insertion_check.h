// Does `%insert` have something to write in place of each insertion?
//
// An inserted terminal has no lexeme, so a completion cannot write it. Wherever the rules have it
// they must have a terminal that can be written in the same place, so that no completion depends on
// an insertion. Example: `end: ";" | SEMICOLON` passes, because `;` can be written where SEMICOLON
// is inserted. `end: SEMICOLON` alone is refused. In place of `SEMICOLON#given` any terminal will
// do, since no completion ends there. Other predicates are refused: `SEMICOLON#p`.
//
// Cost: pairs of rules that hold the inserted terminal and rules. Thread rule: a pure function.
#pragma once

#include <string>

#include "constraint/grammar/definition.h"

namespace tenon::constraint {

// The mistake, in words for the grammar's author; empty: there is none.
[[nodiscard]] std::string CheckInsertion(const Grammar& grammar);

}  // namespace tenon::constraint
