// A text read from its beginning, lexeme by lexeme, as far as the grammar has a parse for it.
//
// While one reading is alive its stack is an array (lr/array_stack.h); where several are, they are
// branches over shared nodes, until one is left, and no packed node below it. Both ways ask the
// same tables, so they decide alike; what is different is the cost, and with it the speed of
// `Check`.
// Source: as the array's; Tomita, Efficient Parsing for Natural Language (1986), for the forks.
// Cost: docs/measured.md, "check". Memory: a few bytes for each open construct; nothing grows with
// the text. Thread rule: one thread at a time.
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
  // `strength`: whose columns and edges the text may use; `levels`: the predicates of `%levels`
  // that hold.
  TextReader(const Language& language, std::string_view text, Strength strength,
             PredicateBits levels = 0);

  enum class Stop : uint8_t {
    kAccepted,   // the whole text is valid
    kPaused,     // at the limit
    kNoLexeme,   // nothing begins at offset()
    kPoison,     // match() is malformed
    kBroken,     // match() does not keep to what lexemes like it keep to
    kUnwritten,  // match() is not made of emit edges
    kRefused,    // match() has no place here
    kEarlyEnd,   // the text ends, and might have gone on
    kAmbiguous,  // more readings are alive than are followed
  };
  // Reads on to the end, or up to the first lexeme that begins at `limit` or behind it. Calls
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
  // The end of what has been read, in bytes, and the lexeme that stands there where reading
  // stopped.
  size_t offset() const { return offset_; }
  const Lexer::Match& match() const { return match_; }
  // The readings before offset(). While the layout has line_begin, the column is that of the lexeme
  // at which reading stopped.
  const std::vector<Between>& Branches();
  BranchMover& mover() { return mover_; }

 private:
  Stop Step();
  bool AcceptsEnd();
  bool Emittable(DfaStateId start, size_t begin, size_t end) const;
  // What the lexeme does to the one reading there is. kForks: nothing was done.
  ArrayStack::Outcome StepAlone(LexemeId id);
  ArrayStack::Outcome ShiftAny(const std::vector<SymbolId>& columns, LexicalContext& context);
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
