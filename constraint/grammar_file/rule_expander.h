// Writes EBNF rules out as plain rules: optional parts, repetitions and groups become alternatives
// and nonterminals.
//
//   x? [x]    two alternatives, with and without
//   x+        a nonterminal `__plus_N: x | __plus_N x`, shared by all repetitions of the same body
//   x*        x+ or nothing
//   x~n..m    n to m copies
//   (a | b)   one alternative for each
//
// Example: `call: NAME ["(" NAME* ")"]` becomes
//
//   call     -> NAME | NAME LPAR RPAR | NAME LPAR __plus_1 RPAR
//   __plus_1 -> NAME | __plus_1 NAME
//
// Left recursion keeps LR stacks flat: a list of a thousand names needs one stack node.
//
// Exceptions:
//   - Groups that multiply too far, beyond 16 alternatives, become a nonterminal `__group_N`, the
//     largest group first, shared like `__plus_N`.
//   - `x#no_newline`, `x#newline_before` of a rule: a nonterminal that asks the condition of
//     its first terminal (grammar/first_terminal.h).
//   - `x#+p`: a nonterminal `x+p: x` with the change of context, one for each x and change.
//
// A rule may still have empty alternatives afterwards (grammar/epsilon_free.h).
// Cost: alternatives multiply within one alternative, up to 16 before groups become nonterminals,
// 4096 at most.
// Thread rule: owned by one call of ReadGrammar.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/syntax.h"
#include "constraint/grammar_file/terminal_table.h"

namespace tenon::constraint {

// The plain rules, the written nonterminals first, in file order. Marks the terminals that stand in
// rules, and adds anonymous terminals for literals and regular expressions. Errors: undefined
// names, too many alternatives.
PlainRules ExpandRules(const std::vector<Definition>& rules, TerminalTable& terminals,
                       ErrorSink& errors);

}  // namespace tenon::constraint
