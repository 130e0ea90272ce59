// Reached bits: facts about the ends of lexemes, carried back to every state that leads there.
//
// Example: let bit 0 say "is a number". In `12|` the state has bit 0 itself; in `0x|`, where no
// lexeme ends, it has it because `0x1` is a number. The start of a lexeme reaches all of them.
//
//   reached(q) = own(q) | reached(q') for every q' that a byte leads to from q within the lexeme
//
// Source: the least fixpoint of these equations, found backwards over the automaton's edges. Cost:
// a visit of a state for each bit that reaches it, when a grammar is compiled. Thread rule: a pure
// function.
#pragma once

#include <cstdint>
#include <vector>

#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// [DfaStateId] reached; `own`: [DfaStateId].
[[nodiscard]] std::vector<uint16_t> ReachedBits(const Lexer& lexer, std::vector<uint16_t> own);

}  // namespace tenon::constraint
