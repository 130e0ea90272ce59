// The room `grammar`: grammars, read and checked. Its face; from outside only this header is
// included.
//
// A grammar says which texts belong to a language. The text of a grammar file becomes a Grammar in
// the room `grammar_file`; the lexer (`lex`) and the LR table (`lr`) are made of a Grammar and know
// no file. The headers:
//
//   definition.h     Grammar: terminals, rules and mechanisms, immutable. Begin here.
//     symbols.h      ids, predicates, rules
//     terminal.h     one terminal
//     mechanisms.h   layout, modes, names: everything beyond rules and regular expressions
//   grammar_error.h  a mistake in a grammar file, and its place
//   charset_name.h   names of encodings, compared as Python compares them
//
// On the way to a Grammar the rules are in plain form, as lists of symbols; only `grammar_file`
// needs these:
//
//   plain_rules.h      rules as lists
//     epsilon_free.h   rules without empty right sides
//     first_terminal.h conditions on the first terminal of a rule
//     notes.h          cyclic rules, rules that are never written: allowed, seldom meant
//
// The checks of a finished Grammar, for the same caller:
//
//   productivity.h     can every construct be finished by text that tenon writes?
//   emit_check.h       is each emitted form an accepted one?
//   insertion_check.h  does `%insert` have something to write in its place?
//   mode_check.h       do rules and modes agree?
//
// The way of an example, `start: [NAME]`: plain rules `start -> ε | NAME`; epsilon-free
// `start -> NAME`, with Grammar::start_nullable; checks; then the LR table has the one rule.
// Thread rule: values and pure functions.
#pragma once

#include "constraint/grammar/charset_name.h"
#include "constraint/grammar/definition.h"
#include "constraint/grammar/emit_check.h"
#include "constraint/grammar/epsilon_free.h"
#include "constraint/grammar/first_terminal.h"
#include "constraint/grammar/grammar_error.h"
#include "constraint/grammar/insertion_check.h"
#include "constraint/grammar/mechanisms.h"
#include "constraint/grammar/mode_check.h"
#include "constraint/grammar/notes.h"
#include "constraint/grammar/plain_rules.h"
#include "constraint/grammar/productivity.h"
#include "constraint/grammar/symbols.h"
#include "constraint/grammar/terminal.h"
