// A whole text read from its beginning, lexeme by lexeme, as far as the grammar has a parse for it.
//
// Example: `x = (1 + ` is read up to its end, where reading stops with kEarlyEnd. `x = 1) + 2` is
// read up to `)`, where it stops with kRefused and match() is `)`.
//
// While a single reading is alive its stack is an array (lr/array_stack.h), and a lexeme costs a
// few table look-ups. Where several are alive they are branches over shared nodes
// (reading/branch.h), until one is left whose stack has no packed node:
//
//   match (x):    after `match` two readings: a name, or the beginning of a statement
//                 array -> branches
//                 after `:` the statement alone
//                 branches -> array
//
// Both ways ask the same tables, so they decide alike; only their speed differs.
//
// With `%apart` readings may differ in their lexemes, and so in how far they have come:
//
//   await /a/.b   `await` a name:      await  /  a  /  .     refused at the point
//                 `await` an operator: await  /a/  .  b      a regular expression
//
// The reading that lags goes on, until all have come equally far; then readings in the same
// mode are one again. Where all stop, the reading that came farthest counts.
// Source: as the array's; Tomita, Efficient Parsing for Natural Language (1986), for the forks.
// Cost: docs/measured.md, "check". Memory: a few bytes for each open construct, whatever the length
// of the text. Thread rule: one thread at a time.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "constraint/lr/lr.h"
#include "constraint/reading/branch.h"
#include "constraint/reading/check.h"

namespace tenon::constraint {

class TextReader {
 public:
  // `strength`: as given text or as emitted text; `levels`: the predicates of `%levels` that hold.
  TextReader(const Language& language, std::string_view text, Strength strength,
             PredicateBits levels = 0);

  enum class Stop : uint8_t {
    kAccepted,   // the whole text is valid
    kPaused,     // at the limit
    kNoLexeme,   // no lexeme begins at offset()
    kPoison,     // match() is malformed
    kBroken,     // match() breaks a rule of its lexeme (lex/lexeme_rules.h)
    kUnwritten,  // match() could not be emitted
    kRefused,    // the parser refuses match()
    kEarlyEnd,   // the text ends, and might have gone on
    kAmbiguous,  // more than kMaxBranches readings are alive
  };
  // Reads on to the end, or up to the first lexeme that begins at `limit` or after it. Calls
  // seen(begin, Match) for each lexeme that has been read; where readings differ in their lexemes,
  // for the lexemes of the reading that comes there first.
  template <typename Seen>
  Stop Run(size_t limit, Seen seen) {
    for (;;) {
      if (!beside_.empty()) TakeLeastFar();
      if (offset_ >= limit) return Stop::kPaused;
      const size_t begin = offset_;
      const bool at_end = begin == text_.size();
      const Stop stop = !at_end ? Step() : AcceptsEnd() ? Stop::kAccepted : Stop::kEarlyEnd;
      if (stop == Stop::kAccepted) return stop;
      if (stop != Stop::kPaused) {
        if (beside_.empty()) return TakeFarthest(stop);
        TakeAnother(stop);
      } else if (begin >= seen_) {
        seen(begin, match_);
        seen_ = match_.end;
      }
    }
  }
  Stop Run() {
    return Run(text_.size() + 1, [](size_t, const Lexer::Match&) {});
  }

  PredicateBits levels() const {
    return alone_ ? context_.levels.on() : branches_[0].context.levels.on();
  }
  // The number of bytes that have been read, and the lexeme after them where reading stopped.
  size_t offset() const { return offset_; }
  const Lexer::Match& match() const { return match_; }
  // The readings at offset(). At the beginning of a line their column is that of the lexeme at
  // which reading stopped.
  const std::vector<Between>& Branches();
  BranchMover& mover() { return mover_; }

 private:
  // The readings with other lexemes than `branches_`.
  struct Reading {
    size_t offset = 0;
    Lexer::Match match;
    std::vector<Between> branches;
  };

  Stop Step();
  // Exchanges `branches_` and a reading beside it.
  void Exchange(Reading& reading);
  // Goes on with the reading that has come least far, and with the readings like it.
  void TakeLeastFar();
  // `branches_` stopped: the others go on.
  void TakeAnother(Stop stopped);
  // All have stopped, `branches_` last. Why the one did that came farthest.
  Stop TakeFarthest(Stop stopped);
  // Forgets the nodes that no reading needs once there are twice as many as the open constructs
  // needed the last time. So a lexeme's share of the work is constant, however deep they nest.
  void CompactIfLarge();
  // Reads the lexeme that begins in the start state `start`.
  Stop StepOver(const Lexer::Match& match, DfaStateId start);
  bool AcceptsEnd();
  bool Emittable(DfaStateId start, size_t begin, size_t end) const;
  // Reads the lexeme with the one reading there is. kForks: nothing was done.
  ArrayStack::Outcome StepAlone(LexemeId id);
  // Shifts the one LR terminal of the lexeme that fits.
  ArrayStack::Outcome ShiftAny(LexemeId id, const std::vector<SymbolId>& lr_terminals,
                               LexicalContext& context);
  Stop StepForked(LexemeId id);
  void ToArray(const Between& last);

  static constexpr size_t kCompactAbove = 100000;  // stack nodes

  const Language& language_;
  std::string_view text_;
  bool emit_;
  BranchMover mover_;
  size_t compact_above_ = kCompactAbove;
  size_t offset_ = 0;
  Lexer::Match match_;
  bool alone_ = true;  // one reading: stack_ and context_; else branches_
  ArrayStack stack_;
  LexicalContext context_;
  std::vector<NodeId> nodes_{
      kBottomNode};  // of stack_'s first states, as many as were made; none is of another text
  std::vector<Between> branches_, next_;
  std::vector<Reading> beside_;  // the other readings that are alive
  Reading farthest_;             // of those that stopped before all others; no branches: none did
  Stop farthest_stopped_ = Stop::kPaused;
  size_t seen_ = 0;  // bytes whose lexemes Run has shown
  std::vector<LayoutEvent> events_;
};

}  // namespace tenon::constraint
