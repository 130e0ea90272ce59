// Between which lexemes of a right context a terminal may have been inserted (`%insert`).
//
// On the left a terminal is inserted where the next token does not fit: one stack decides. The stack that a token of R meets is known above
// the gap only, so R is read both ways, with the terminal and without, unless its neighbours decide: behind lexeme x the state on top is
// one that x leads to, and where every stack with such a state that could take the terminal takes the next token as it is, nothing is
// inserted. What is left over is a superset: viability may count on an insertion that the left side then forbids; membership never does.
//
// Source: ECMAScript Language Specification, section 12.10, https://tc39.es/ecma262/#sec-automatic-semicolon-insertion.
// Cost: one look-through table (lr/look_through.h) when made, states times pairs of lexemes; two bits a pair. Thread rule: immutable.
#pragma once

#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

class Insertions {
 public:
  // REQUIRES: the grammar has a `%insert`.
  Insertions(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout, const LrTable& table);

  // May the terminal stand between two given lexemes? `line_seen`: a line end does. `after` == kNoLexeme: the end of the text.
  bool MayStand(LexemeId before, LexemeId after, bool line_seen) const {
    const size_t column = after == kNoLexeme ? lexemes_ : after.value;
    return may_stand_[line_seen][before.value * (lexemes_ + 1) + column];
  }

 private:
  size_t lexemes_;
  std::vector<bool> may_stand_[2];  // [line_seen][before][after]
};

}  // namespace tenon::constraint
