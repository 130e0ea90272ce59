// Puts the parts of a grammar file together as a Grammar, under their final numbers.
//
// While a file is read its terminals are numbered as they come. The final order is that of
// precedence, because the lexer prefers the first of two terminals that match the same lexeme:
// higher priority, then literals before regular expressions, then file order. Example: in
//
//   start: NAME | "if"
//   NAME: /[a-z]+/
//
// NAME is terminal 0 of the file and IF terminal 1; in the Grammar IF is 0 and NAME is 1, so `if`
// is the keyword. LR terminals are ordered by terminal, the plain one first; nonterminals follow;
// the unreachable ones are left out.
// Cost: linear in the rules. Thread rule: a pure function.
#pragma once

#include <cstdint>

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/directives.h"
#include "constraint/grammar_file/terminal_table.h"

namespace tenon::constraint {

// All of the Grammar but `path` and `start_nullable`. REQUIRES: rules without empty bodies; `start`
// indexes their nonterminals; the checks of file_checks.h found nothing.
[[nodiscard]] Grammar Assemble(const TerminalTable& table, const PlainRules& rules, uint32_t start,
                               const Directives& directives);

}  // namespace tenon::constraint
