// Rules without empty right sides, for the same language but for the empty text.
//
// A rule with an empty alternative (`tail: | "," NAME`) can vanish from every place where it
// stands. Epsilon-free rules say so by writing out both ways, so that no parser state has to know
// which symbols are nullable. Example:
//
//   list -> NAME tail              list -> NAME tail
//   tail ->                  =>    list -> NAME
//   tail -> COMMA NAME             tail -> COMMA NAME
//
// - For every alternative all ways to leave out nullable symbols are written out: 2^k for k of
//   them.
// - A nonterminal that derives the empty text only vanishes altogether.
// - An alternative of X that becomes X alone says nothing and is dropped.
//
// Before that the rules are checked to be *reduced*. A written rule that derives no text, or that
// the start cannot reach, is an error of the author and never removed in silence.
//
// Source: Hopcroft, Motwani, Ullman, Introduction to Automata Theory, section 7.1.
// Cost: 2^k alternatives for k nullable symbols in one. Thread rule: owned by one call of
// ReadGrammar.
#pragma once

#include <cstdint>
#include <vector>

#include "constraint/grammar/grammar_error.h"
#include "constraint/grammar/plain_rules.h"

namespace tenon::constraint {

// Reports a written rule that derives no text or is not reached. `start` indexes
// rules.nonterminals.
void CheckReduced(const PlainRules& rules, uint32_t start, ErrorSink& errors);

// Afterwards every body is non-empty, and no alternative of X is X alone. Nonterminals that
// vanished have no bodies. Returns whether the start derives the empty text.
// REQUIRES: reduced rules. Error (kTooLarge): an alternative with too many nullable symbols.
bool RemoveEmptyBodies(PlainRules& rules, uint32_t start, ErrorSink& errors);

// [nonterminal] does it derive the empty text?
std::vector<bool> FindNullable(const PlainRules& rules);

// [nonterminal] does the start reach the nonterminal?
std::vector<bool> ReachableFrom(const PlainRules& rules, uint32_t start);

}  // namespace tenon::constraint
