// The steps of emitted bytes on lexer states, shared by all tries of a store: how a lexeme begins
// with a byte, and where a byte can only continue a lexeme.
//
// Example: from the state of `fo` the byte `x` can only continue the name (OnlyGoesOn). The byte
// `(` ends the name, so the trie has to follow both lexemes.
//
// Source: lex/lexer.h. Cost: a look at each state and byte, some milliseconds for a thousand
// states. Thread rule: immutable.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "constraint/lex/lex.h"

namespace tenon::constraint {

class LexemeSteps {
 public:
  // `futures`: of any text.
  LexemeSteps(const Lexer& lexer, const LexemeFutures& futures);

  size_t state_count() const { return only_goes_on_.size(); }
  // The state `q` after the first byte of an emitted lexeme, from the start state `start`, which
  // `modes` share.
  struct Beginning {
    DfaStateId q, start;
    ModeMask modes = 0;
  };
  // The beginnings with this byte, in a grammar with modes.
  std::span<const Beginning> BeginningWith(uint8_t byte) const { return by_byte_[byte]; }
  // The state that the byte leads to, if in every mode it can only continue the lexeme in progress
  // in q, which has no guard. Else kDeadState.
  DfaStateId OnlyGoesOn(DfaStateId q, uint8_t byte) const {
    return only_goes_on_[q.value][byte] ? lexer_.Next(q, byte) : kDeadState;
  }
  // Can the lexeme in progress become nothing but a line end?
  bool IsLineEnd(DfaStateId q) const { return line_end_[q.value]; }

 private:
  void FindBeginnings();
  void FindInnerSteps();

  const Lexer& lexer_;
  std::array<boost::container::small_vector<Beginning, 2>, 256> by_byte_;
  std::vector<std::bitset<256>> only_goes_on_;  // [DfaStateId]
  std::vector<bool> line_end_;                  // [DfaStateId]
};

}  // namespace tenon::constraint
