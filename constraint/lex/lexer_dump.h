// The lexer as text: its lexemes, its states, and the bytes that lead from one state to another.
//
// Example, of `tenon grammar FILE --dump lexer`: the state in which names are read.
//
//   state 3, after `a`: accepts NAME
//     `a`-`z` -> 3
//
// A state is called by its number and by a shortest text that leads to it. Edges are runs of bytes.
// An edge that only given text may use (Lexer::IsEmitEdge is false) ends with "given text only".
//
// Source: none. Cost: for a person: every state and byte once. Thread rule: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// Bytes as every dump shows them: `a\n` between backquotes, with escapes for controls, the
// backquote, the backslash and bytes that are no ASCII.
[[nodiscard]] std::string ShownBytes(std::string_view bytes);
// The beginning of a long text, with "…" after it where text was left out.
[[nodiscard]] std::string ShownBeginning(std::string_view bytes);

// "NAME"; "MATCH or NAME" for a soft keyword, whose lexeme is several terminals.
[[nodiscard]] std::string LexemeName(const Lexer& lexer, const Grammar& grammar, LexemeId id);
// "state 3, after `a`"; "the start".
[[nodiscard]] std::string StateName(const Lexer& lexer, DfaStateId q);

[[nodiscard]] std::string Dump(const Lexer& lexer, const Grammar& grammar);

}  // namespace tenon::constraint
