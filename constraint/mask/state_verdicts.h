// Verdicts: does a parser state alone decide about a lexeme or token, without the stack below it?
//
// Example: after `foo(` the state refuses `}` on every stack (never) and takes a NAME on every
// stack (always). After `foo(a)` the brackets below decide about another `)` (open).
//
//   never    no stack with the state on top takes the lexeme; holds with any right context
//   always   every stack with the state on top takes it; a fact about the left side alone, so it
//            decides a token only where R does not restrict the stack
//            (ViabilityClasses::Unrestricted)
//   open     the stack below decides
//
// Source: lr/look_through.h, stacks of unknown bottom; Tran-Thien, mask store streamlining
// (vivien000.github.io, 2024), for the use of it.
// Cost: 5 ms for Python to make; a lexeme, a look-up for each of its LR terminals and states; the
// states after it are found once for each set of states. Thread rule: one thread.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/language/language.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

class StateVerdicts {
 public:
  explicit StateVerdicts(const Language& language);

  using States = std::vector<LrStateId>;  // ascending
  // A set of states, kept once.
  struct StatesId {
    uint32_t value = 0;
  };
  StatesId Intern(States states);
  enum class Verdict : uint8_t { kNever, kOpen, kAlways };
  // The layout after a sequence of lexemes.
  struct Place {
    int depth = 0;            // open brackets; at least so many, unless `exact`
    bool exact = false;       // `depth` is their number
    bool line_begin = false;  // at depth 0, after a line end
  };

  // The verdict about a lexeme after any of the states: one that holds for all of them.
  Verdict Of(LexemeId lexeme, StatesId states, const Place& place);
  // The verdict about tokens that leave a lexeme in progress in `q`, without a guard. `future`: the
  // lexemes that emitted text may end it as.
  Verdict OfProgress(DfaStateId q, FutureId future, StatesId states, const Place& place);
  // The states after a lexeme; `place` becomes the layout after it.
  StatesId StatesAfter(LexemeId lexeme, StatesId states, Place& place);
  // States with equal keys give equal verdicts and equal next states for lexemes with these LR
  // terminals.
  std::vector<uint32_t> KeyOf(LrStateId state, std::span<const SymbolId> lr_terminals) const;
  // Appends the LR terminals of a lexeme that may follow at once.
  void AppendTerminals(LexemeId lexeme, std::vector<SymbolId>& lr_terminals) const;
  // The states that shifting `lr_terminal` leads to.
  std::span<const LrStateId> ShiftedTo(SymbolId lr_terminal) const {
    return look_.ShiftedTo(lr_terminal);
  }

 private:
  // The verdict about text that leaves the parser as it is: kAlways, unless emitted text may be
  // unable to continue from a state.
  Verdict OfNothing(const States& states) const;
  // The verdict about a lexeme that no mode forbids.
  Verdict OfAllowed(LexemeId lexeme, StatesId states, const Place& place);
  // The verdict about a lexeme's terminals, without brackets and line ends; memoised.
  Verdict OfParsed(LexemeId lexeme, StatesId states);
  Verdict OfTerminals(std::span<const SymbolId> lr_terminals, const States& states) const;
  // The states after a lexeme: read whole, as its parts, and after an inserted terminal.
  States AfterParsed(const Lexeme& lexeme, const States& states) const;
  States Through(std::span<const SymbolId> lr_terminals, const States& states) const;

  static uint64_t Key(StatesId states, LexemeId lexeme) {
    return uint64_t{states.value} << 16 | lexeme.value;
  }
  struct StatesHash {
    size_t operator()(const States& states) const;
  };

  const Language& language_;
  std::vector<bool> doubtful_;
  LookThrough look_;
  SymbolId newline_;
  std::unordered_map<States, StatesId, StatesHash> ids_;
  std::vector<const States*> sets_;  // [StatesId] keys of ids_, which never move
  boost::unordered_flat_map<uint64_t, StatesId> states_after_;  // (states, lexeme)
  boost::unordered_flat_map<uint64_t, Verdict> of_parsed_;      // (states, lexeme)
};

}  // namespace tenon::constraint
