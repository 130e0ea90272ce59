// The room `automata`: regular expressions over Unicode code points, as automata over bytes. Its
// face; from outside only this header is included.
//
// A terminal of a grammar is a regular expression; the lexer runs one automaton for all of them.
// The way of an example, the terminals IF = `if` and NAME = `[a-z]+`:
//
//   regex.h         the patterns are parsed into trees                       if, [a-z]+
//   nfa.h           one nondeterministic automaton over bytes, both patterns
//   subset_construction.h, dfa_minimizer.h
//   dfa.h           the minimal DFA: after `if` a state that accepts IF and NAME, after `ifs` one
//                   that accepts NAME
//   strict_dfa.h    the same with edges marked that text of tenon's own may take
//
// Operations on expressions, for quotients of a language and for directives of grammar files:
//
//   regex_quotient.h     the rest of `[a-z]+=` after `ab`: `[a-z]*=`
//   regex_first_match.h  `"/*" .*? "*/"` without laziness; unfinished lexemes
//
// Bytes and code points:
//
//   codepoint_set.h  sets such as \w and \p{XID_Start}
//   utf8_ranges.h    such a set as sequences of byte ranges; decoding and encoding
//
// Private to the room: the trees (regex_node.h, regex_syntax.h, regex_build.h), the NFA and the two
// construction steps.
// Thread rule: automata are immutable after Build, all functions are pure.
#pragma once

#include "constraint/automata/codepoint_set.h"
#include "constraint/automata/dfa.h"
#include "constraint/automata/regex.h"
#include "constraint/automata/regex_first_match.h"
#include "constraint/automata/regex_quotient.h"
#include "constraint/automata/strict_dfa.h"
#include "constraint/automata/utf8_ranges.h"
