// Is what was read from a cache safe to use? A checksum guards against damage; this guards against
// everything else.
//
//   grammar   every index names something; every nonterminal has rules and a finite text
//   lexer     states and lexemes exist, back-up is bounded
//   table     an automaton of the grammar: every edge moves the items that stand before it, every
//             item has its edge, every action does what
//             the items allow. So no reduction finds a stack that it cannot take down, whatever the
//             look-aheads say
//   store     indices exist, tries are finite
//
// What is sound cannot be made to crash; whether it is what the grammar says only compiling it
// again would tell.
// Cost: one pass over everything, under a millisecond for Go. Thread rule: pure functions.
#pragma once

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

class MaskStore;

[[nodiscard]] bool IsSound(const Grammar& grammar);
// REQUIRES: the grammar is sound.
[[nodiscard]] bool IsSound(const Lexer& lexer, const Grammar& grammar);
[[nodiscard]] bool IsSound(const LrTable& table, const Grammar& grammar);
[[nodiscard]] bool IsSound(const MaskStore& store);  // for its language and vocabulary

}  // namespace tenon::constraint
