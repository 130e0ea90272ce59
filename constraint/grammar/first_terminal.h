// Conditions on the first terminal of a whole rule: `"return" expression#no_newline`.
//
// In JavaScript the expression after `return` must begin on the same line. The condition concerns
// the expression's first terminal, whichever that is. So the rule `expression` is copied for this
// place, and in the copy each alternative begins with a terminal under the condition:
//
//   expression            -> NAME              | expression PLUS NAME
//   expression#no_newline -> NAME#no_newline   | expression#no_newline PLUS NAME
//
// Only nonterminals that can stand first are copied. After that the condition needs no mechanism of
// its own: it is a predicate of terminals, and holds on both sides of a gap as such.
//
// Source: ECMAScript Language Specification, section 12.10, restricted productions;
// https://tc39.es/ecma262/#sec-automatic-semicolon-insertion.
// Cost: at most a copy of each rule for each condition. Thread rule: owned by one call of
// ReadGrammar.
#pragma once

#include "constraint/grammar/grammar_error.h"
#include "constraint/grammar/plain_rules.h"

namespace tenon::constraint {

// Writes out each PlainNonterminal::first_predicate. REQUIRES: no body is empty (epsilon_free.h).
// Error (kMechanism): a first terminal has a condition of its own.
void RestrictFirstTerminals(PlainRules& rules, ErrorSink& errors);

}  // namespace tenon::constraint
