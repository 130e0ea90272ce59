// Lexeme futures: for every lexer state, the lexemes that a lexeme in progress there may end as.
//
// Example, after `pri|`: the lexeme may end as a name, or, with `nt` added, as the keyword `print`.
// So ended(q) = {NAME, PRINT}. After `"abc|` only STRING is left. Masks ask this for each token, so
// the answers are bits.
//
// A lexeme counts as ended only where everything may follow it, after blanks if need be
// (Lexer::IsSeparable). Two complications:
// - A line comment can only be followed by its line end: its future is that of the line end.
// - After some lexemes not everything may follow, with blanks or without. Then two lexemes have to
//   be followed together (lex/lexeme_reach.h), and `more` says so.
//
//   ended(q)        lexemes of separable accepting states that q reaches, q itself included; for
//                   ignorable text that only certain lexemes may follow: those lexemes
//   more(q)         q reaches other accepting states, after which not everything may follow
//   unseparated(q)  q reaches an accepting state after which not everything may follow: the text,
//                   or R, may continue directly there
//   reaches(q)      q reaches some accepting state that is no poison, over any edge
//
// With a guard alive none of this holds: such states are followed one by one. Source:
// docs/design/lexing.md. Cost: one pass to the fixpoint, states times successors times words of
// lexemes; below a millisecond for a few hundred states. Thread rule: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// States with equal futures share one.
struct FutureId {
  uint16_t value = 0;
  auto operator<=>(const FutureId&) const = default;
};

class LexemeFutures {
 public:
  // `emitted`: by emit edges alone.
  LexemeFutures(const Lexer& lexer, bool emitted);

  FutureId Of(DfaStateId q) const { return of_[q.value]; }
  std::span<const LexemeId> Ended(FutureId id) const { return futures_[id.value].ended; }
  bool CanEnd(FutureId id, LexemeId lexeme) const {
    return futures_[id.value].bits[lexeme.value / 64] >> lexeme.value % 64 & 1;
  }
  bool More(FutureId id) const { return futures_[id.value].more; }
  bool Unseparated(FutureId id) const { return futures_[id.value].unseparated; }
  bool Reaches(DfaStateId q) const { return reaches_[q.value]; }
  size_t size() const { return futures_.size(); }

 private:
  struct Future {
    std::vector<uint64_t> bits;  // over LexemeId
    std::vector<LexemeId> ended;
    bool more = false, unseparated = false;
    bool operator==(const Future&) const = default;
  };
  std::vector<FutureId> of_;   // [DfaStateId]
  std::vector<bool> reaches_;  // [DfaStateId]
  std::vector<Future> futures_;
};

}  // namespace tenon::constraint
