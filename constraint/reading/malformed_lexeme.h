// Why bytes that begin like a lexeme are none: the lexeme has no end, or a character does not fit.
//
//   x = "abc      the string that begins here has no end on its line
//   x = "\xzz"    '\xz' is no escape of a string
//
// The lexer's automaton tells both. After `"\x` the state can still reach a string, after `"\xz` it
// can reach none. The last good state is found by halving, and the message names the character
// after it.
//
// So no grammar has to say what its poison terminals mean. A grammar that does (`%describe`) is
// quoted.
//
// Source: none; the viable prefix of LR parsing (Aho et al.), for the lexer's automaton.
// Cost: a search in the automaton for each halving of the lexeme. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <string_view>

#include "constraint/reading/check.h"

namespace tenon::constraint {

// Explains text[begin, end): a lexeme of a poison terminal or, where nothing matches, the one byte
// at `begin`. `start`: the start state of the mode there.
[[nodiscard]] CheckResult ExplainLexeme(const Language& language, DfaStateId start,
                                        std::string_view text, size_t begin, size_t end);

// The text of a lexeme as a message quotes it: its beginning in whole characters, at most one line.
[[nodiscard]] std::string Quote(std::string_view text, size_t begin, size_t end);

}  // namespace tenon::constraint
