// Between which lexemes of a right context a terminal may have been inserted (`%insert`).
//
// JavaScript inserts a semicolon before a lexeme that does not fit: `a = b` and, on the next line,
// `c` are two statements. On the left one stack decides whether the lexeme fits. In R the stack is
// known only above the gap, so R is read with the terminal and without it, unless the lexemes
// around it decide:
//
//   b \n c     no state after `b` takes `c` as it is, and some take `;`: it may be inserted
//   b \n + c   every state after `b` that takes `;` takes `+` as it is: nothing is inserted
//
// Definition. After lexeme x the top state is one that x leads to. The terminal may be inserted
// before y unless every such state that could take the terminal takes y as it is.
//
// The result is a superset: viability may count on an insertion that the left side then forbids;
// membership never does.
//
// Source: ECMAScript Language Specification, section 12.10,
// https://tc39.es/ecma262/#sec-automatic-semicolon-insertion.
// Cost: when made, one look-through table (lr/look_through.h) and states times pairs of lexemes,
// more than all else that follows from an LR table, so the cache keeps the result; then two bits a
// pair. Thread rule: immutable.
#pragma once

#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

class Insertions {
 public:
  // REQUIRES: the grammar has a `%insert`.
  Insertions(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout,
             const LrTable& table);

  // May the terminal be inserted between two given lexemes? `line_seen`: a line end lies between
  // them. `after` == kNoLexeme: before the end of the text.
  bool MayStand(LexemeId before, LexemeId after, bool line_seen) const {
    const size_t next = after == kNoLexeme ? lexemes_ : after.value;
    return may_stand_[line_seen][before.value * (lexemes_ + 1) + next];
  }

 private:
  template <typename>
  friend struct CacheFields;  // constraint/cache/archive.h
  Insertions() = default;

  size_t lexemes_ = 0;
  std::vector<bool> may_stand_[2];  // [line_seen][before][after]
};

}  // namespace tenon::constraint
