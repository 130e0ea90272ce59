// Lexeme futures: for every lexer state, the lexemes that a lexeme in progress there may end as.
//
// Example: after `pri|` the lexeme may end as a name. With `nt` added it may end as the keyword
// `print`. So ended(q) = {NAME, PRINT}. After `"abc|` only STRING is possible. A mask needs the
// future of each token's last lexeme, so futures are stored as bits.
//
// A lexeme counts as ended where every terminal may follow it, directly or after blanks
// (Lexer::IsSeparable). Two complications, one at a time:
// - Only a line end may follow a line comment. The future of `# abc|` is therefore the future of
//   the line end.
// - A lexeme may be inseparable although it is no ignorable text: some terminals cannot follow it,
//   with blanks or without. Then two lexemes have to be followed together (lex/lexeme_reach.h), and
//   `more` is true.
//
//   ended(q)        the lexemes of the separable accepting states that q reaches, q included; for
//                   inseparable ignorable text, the separable lexemes that may follow it
//   more(q)         q reaches an inseparable accepting state that ended(q) does not cover
//   unseparated(q)  q reaches an inseparable accepting state: the text, or R, may continue there
//                   without a separator
//   reaches(q)      q reaches an accepting state that is no poison, over any edge
//
// Futures hold only while no guard is alive. States with guards are followed one by one.
//
// Source: docs/design/lexing.md. Cost: one pass to the fixpoint, states times successors times
// words of lexemes; below a millisecond for a few hundred states. Thread rule: immutable.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraint/base/base.h"
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
    return HasBit(futures_[id.value].bits, lexeme.value);
  }
  bool More(FutureId id) const { return futures_[id.value].more; }
  bool Unseparated(FutureId id) const { return futures_[id.value].unseparated; }
  bool Reaches(DfaStateId q) const { return reaches_[q.value]; }
  size_t size() const { return futures_.size(); }

 private:
  struct Future {
    Bits bits;  // over LexemeId
    std::vector<LexemeId> ended;
    bool more = false, unseparated = false;
    bool operator==(const Future&) const = default;
  };
  static Future Here(const Lexer& lexer, DfaStateId q, bool emitted);
  void HandBack(const Lexer& lexer, bool emitted, std::vector<Future>& of);
  void Number(const Lexer& lexer, std::vector<Future>& of);

  std::vector<FutureId> of_;   // [DfaStateId]
  std::vector<bool> reaches_;  // [DfaStateId]
  std::vector<Future> futures_;
};

}  // namespace tenon::constraint
