// EBNF rules as plain rules: optional parts, repetitions and groups are written out.
//
//   x? [x]    two alternatives, with and without
//   x+        a nonterminal `__plus_N: x | __plus_N x`, shared by all repetitions of the same body
//   x*        x+ or nothing
//   x~n..m    n to m copies
//   (a | b)   one alternative for each; where that multiplies too far, a nonterminal `__group_N`, shared likewise
//   x#no_newline, x#newline_before   a nonterminal that asks it of its first terminal
//   x#+p      a nonterminal `x+p: x` that carries the change of context, one for each x and change
// Left recursion keeps LR stacks flat. A rule may still have empty alternatives: constraint/grammar/epsilon_free.h.
// Cost: alternatives multiply within one alternative, up to 16 before groups become nonterminals, 4096 at most.
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

PlainRules ExpandRules(const std::vector<Definition>& rules, TerminalTable& terminals, ErrorSink& errors);

}  // namespace tenon::constraint
