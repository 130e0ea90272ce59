// What may become of a lexeme in progress, as bits: those of every state that it can come to.
//
// Source: the fixpoint of a union over the automaton's edges, found backwards. Cost: a visit of a
// state for each bit that reaches it, where an automaton is built. Thread rule: a pure function.
#pragma once

#include <cstdint>
#include <vector>

#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// [DfaStateId] `own`, and what is reached from there by any bytes within the lexeme.
[[nodiscard]] std::vector<uint16_t> ReachedBits(const Lexer& lexer, std::vector<uint16_t> own);

}  // namespace tenon::constraint
