// Rules with parameters: one rule in place of several that differ in a few alternatives.
//
// Many languages have the same expressions in several places, with small differences: an
// expression statement of JavaScript begins with no `{`, the head of a `for` has no operator `in`.
// A parameter names such a difference, and its words are the places. Example:
//
//   %parameter first anywhere statement
//   statement: sum{statement} ";" | "return" sum ";"
//   sum{first}: value{first} | sum{first} "+" value
//   value{first}: NAME | {anywhere} "{" "}"
//
// stands for
//
//   statement: sum{statement} ";" | "return" sum ";"
//   sum: value | sum "+" value
//   value: NAME | "{" "}"
//   sum{statement}: value{statement} | sum{statement} "+" value
//   value{statement}: NAME
//
// where `sum{statement}` is a name like any other.
//   - After a rule's name in its definition stand the parameters that it has.
//   - After a rule's name elsewhere stand words, and parameters of the rule around it: such a
//     parameter passes its word on. A parameter that is not mentioned has its first word.
//   - Words in braces before an alternative are its guard: the alternative exists where each
//     parameter that they belong to has one of them.
// A rule is written out for the words with which it is used, and for no others.
//
// Source: the parameterised productions of ECMA-262, section 5.1.5, `Expression[In, Yield]`. We
// differ: a parameter has any number of words, and one that is not mentioned its first.
// Cost: linear in the rules that come out: 5,000 at most, or as many as the file has.
// Thread rule: a pure function.
#pragma once

#include <string>

#include "constraint/grammar_file/syntax.h"

namespace tenon::constraint {

// Writes the rules with parameters out, and takes the lines of `%parameter` out. Errors, with their
// places: unknown parameters and words, a parameter that makes no difference to its rule, a rule
// without an alternative for the words of some use, more rules than 5,000.
void WriteOutParameters(GrammarSyntax& syntax, ErrorSink& errors);

}  // namespace tenon::constraint
