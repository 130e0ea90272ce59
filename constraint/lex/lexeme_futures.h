// What a lexeme in progress can still become: for every lexer state, the lexemes it may end as
// where everything may follow.
//
//   ended(q)    lexemes of separable accepting states that q reaches (Lexer::IsSeparable), q itself
//               included
//                behind ignorable text that certain lexemes must follow (a line comment and its
//                line end): those
//   more(q)      q also reaches other accepting states behind which not everything may follow: two
//                lexemes have to be looked at together
//   unseparated(q)  q reaches an accepting state behind which not everything may follow: the text,
//   or R, may go on there as it will reaches(q)  q reaches some accepting state that is no poison,
//   over any edge
//
// With a guard alive none of this holds: such states are followed one by one.
// Source: docs/design/lexing.md. Cost: one pass to the fixpoint, states times
// successors times words of lexemes; below a millisecond for a few hundred states. Thread rule:
// immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraint/lex/lexer.h"

namespace tenon::constraint {

// States that can become the same share one.
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
