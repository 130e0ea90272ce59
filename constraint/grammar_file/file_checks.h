// Checks of a whole grammar file, once all its rules and directives are read.
//
// A directive is checked on its own line as far as possible. These questions need all lines at
// once: the terminal that a directive names may get its definition further down, and a predicate is
// turned on in one rule and asked for in another. Example: `%emit NUMBER /[0-9]*/` is refused,
// because the emit pattern has texts that NUMBER does not match. The checks of the finished Grammar
// stand in the room `grammar` (mode_check.h, productivity.h).
// Cost: linear in the file, besides one small automaton for each `%emit` and `%spell`.
// Thread rule: pure functions; the sink belongs to one call of ReadGrammar.
#pragma once

#include "constraint/grammar/grammar.h"
#include "constraint/grammar_file/directives.h"
#include "constraint/grammar_file/terminal_table.h"

namespace tenon::constraint {

// Every terminal is used, matches some text and never the empty one; emitted forms are accepted
// ones.
void CheckTerminals(const TerminalTable& table, const Directives& directives, ErrorSink& errors);

// Conditions on lines (`#no_newline`) need line ends that are remembered (`%line_ends`) and that
// can be written.
void CheckLineEnds(const TerminalTable& table, const PlainRules& rules,
                   const Directives& directives, FilePlace start, ErrorSink& errors);

// Every predicate is asked for by some terminal, and a rule, a level or a set of names turns it on.
void CheckPredicates(const PlainRules& rules, const Directives& directives, FilePlace start,
                     ErrorSink& errors);

// Something declares each set of `%names`, something asks for each line's sets, and both say so of
// terminals that have a text of their own.
void CheckNames(const TerminalTable& table, const PlainRules& rules, const Directives& directives,
                ErrorSink& errors);

}  // namespace tenon::constraint
