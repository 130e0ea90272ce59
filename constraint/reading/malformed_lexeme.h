// What is wrong with bytes that begin like a lexeme and are none: they have no end, or something in them may not be there.
//
// The automaton tells: from its state some token or comment can still be reached, or no more. So no grammar has to say what its poison
// terminals mean; one that does (`%describe`) is quoted. Source: none; what an LL parser calls a viable prefix, asked of the lexer's automaton.
// Cost: a search in the automaton a halving of the lexeme. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "constraint/reading/check.h"

namespace tenon::constraint {

// About text[begin, end), a lexeme of a poison terminal or, where nothing matches, the one byte at `begin`. `start`: of the mode there.
[[nodiscard]] CheckResult ExplainLexeme(const Language& language, DfaStateId start, std::string_view text, size_t begin,
                                        size_t end);

// The text of a lexeme as a message quotes it: its beginning, whole characters, one line at most.
[[nodiscard]] std::string Quote(std::string_view text, size_t begin, size_t end);

}  // namespace tenon::constraint
