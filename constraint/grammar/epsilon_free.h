// Rules without empty right sides, for the same language but for the empty text.
//
// For every alternative all ways to leave out nullable symbols are written out; what derives the empty text only vanishes.
// Before that the rules are checked to be reduced: a written rule that derives no text, or that the start cannot reach, is
// an error, never removed in silence.
// Source: Hopcroft, Motwani, Ullman, Introduction to Automata Theory, section 7.1.
// Cost: 2^k alternatives for k nullable symbols in one. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <cstdint>
#include <vector>

#include "constraint/grammar/grammar_error.h"
#include "constraint/grammar/plain_rules.h"

namespace tenon::constraint {

// `start` indexes rules.nonterminals.
void CheckReduced(const PlainRules& rules, uint32_t start, ErrorSink& errors);

// Afterwards every body is non-empty, and no alternative of X is X alone. Nonterminals that vanished have no bodies.
// Returns whether the start derives the empty text. REQUIRES: reduced.
bool RemoveEmptyBodies(PlainRules& rules, uint32_t start, ErrorSink& errors);

// [nonterminal] can the start reach it?
std::vector<bool> ReachableFrom(const PlainRules& rules, uint32_t start);

}  // namespace tenon::constraint
