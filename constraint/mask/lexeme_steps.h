// How lexemes begin and go on by emitted bytes, as all tries of a store need it.
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
  // A state that emitted lexemes begin with a byte in, and from which start.
  struct Beginning {
    DfaStateId q, start;
    ModeMask modes = 0;
  };
  // Where there are modes.
  std::span<const Beginning> BeginningWith(uint8_t byte) const { return by_byte_[byte]; }
  // Where the byte does nothing but go on with a lexeme in progress in q that has no guard, in
  // every mode: the state it leads to. Else kDeadState.
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
