// Is a value that was read from a cache safe to use?
//
// Example: a file with a right checksum whose LR table sends a shift to state 9,999 of 200. A
// checksum guards against damage; this guards against everything else.
//
//   grammar     every index names something; every nonterminal has rules and a finite text
//   lexer       states and lexemes exist, back-up is bounded
//   table       an automaton of the grammar: every edge moves the items before it, every item has
//               its edge, every action is one that the items allow. So no reduction finds a stack
//               that it cannot take down, whatever the look-aheads say
//   insertions  a bit for each pair of lexemes
//   store       indices exist, tries are finite
//
// A sound value cannot make the program crash. Whether it is the right one for the grammar, only
// compiling again would tell.
//
// Source: docs/design/cache.md, "A cache file is untrusted". Cost: one pass over everything, under
// a millisecond for Go. Thread rule: pure functions.
#pragma once

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

class Insertions;
class MaskStore;

[[nodiscard]] bool IsSound(const Grammar& grammar);
// REQUIRES: the grammar is sound.
[[nodiscard]] bool IsSound(const Lexer& lexer, const Grammar& grammar);
[[nodiscard]] bool IsSound(const LrTable& table, const Grammar& grammar);
[[nodiscard]] bool IsSound(const Insertions& insertions, const Lexer& lexer);
[[nodiscard]] bool IsSound(const MaskStore& store);  // for its language and vocabulary

}  // namespace tenon::constraint
