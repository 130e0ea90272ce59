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
  // seen(begin, Match) for each lexeme that has been read.
  template <typename Seen>
  Stop Run(size_t limit, Seen seen) {
    for (;;) {
      if (offset_ >= limit) return Stop::kPaused;
      if (offset_ == text_.size()) return AcceptsEnd() ? Stop::kAccepted : Stop::kEarlyEnd;
      const size_t begin = offset_;
      if (Stop stop = Step(); stop != Stop::kPaused) return stop;
      seen(begin, match_);
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
  Stop Step();
  // Reads the lexeme that begins in the start state `start`.
  Stop StepOver(const Lexer::Match& match, DfaStateId start);
  bool AcceptsEnd();
  bool Emittable(DfaStateId start, size_t begin, size_t end) const;
  // Reads the lexeme with the one reading there is. kForks: nothing was done.
  ArrayStack::Outcome StepAlone(LexemeId id);
  ArrayStack::Outcome ShiftAny(const std::vector<SymbolId>& lr_terminals, LexicalContext& context);
  Stop StepForked(LexemeId id);
  void ToArray(const Between& last);

  const Language& language_;
  std::string_view text_;
  bool emit_;
  BranchMover mover_;
  size_t offset_ = 0;
  Lexer::Match match_;
  bool alone_ = true;  // one reading: stack_ and context_; else branches_
  ArrayStack stack_;
  LexicalContext context_;
  std::vector<NodeId> nodes_{
      kBottomNode};  // of stack_'s first states, as many as were made; none is of another text
  std::vector<Between> branches_, next_;
  std::vector<LayoutEvent> events_;
};

}  // namespace tenon::constraint
