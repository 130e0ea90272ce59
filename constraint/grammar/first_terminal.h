// Conditions on the first terminal of a whole rule: `expression#no_newline` is an expression whose first terminal is T#no_newline.
//
// The rule is copied with each of its beginnings, and theirs in turn: only what can stand first is doubled. So the condition needs nothing
// when a text is read, and holds on both sides of a gap as that of a terminal does.
// Source: ECMAScript Language Specification, section 12.10, restricted productions; https://tc39.es/ecma262/#sec-automatic-semicolon-insertion.
// Cost: at most a copy of each rule for each condition. Thread rule: owned by one call of ReadGrammar.
#pragma once

#include "constraint/grammar/grammar_error.h"
#include "constraint/grammar/plain_rules.h"

namespace tenon::constraint {

// REQUIRES: no body is empty (constraint/grammar/epsilon_free.h). Error: a first terminal has a condition of its own.
void RestrictFirstTerminals(PlainRules& rules, ErrorSink& errors);

}  // namespace tenon::constraint
