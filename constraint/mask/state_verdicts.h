// Verdicts of a parser state alone about lexemes and tokens, whatever lies below it on the stack.
//
// Example: after `foo(` the state refuses `}` on every stack (never) and takes a NAME on every
// stack (always). After `foo(a)` the brackets below decide about another `)` (open).
//
//   never    no stack with the state on top takes it; holds with any right context
//   always   every such stack takes it; a fact about the left side alone, so it settles a token
//            only where nothing on the right restricts the stack (ViabilityClasses::Unrestricted)
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
    int depth = 0;            // brackets open: so many, or at least so many
    bool exact = false;       // so many
    bool line_begin = false;  // at depth 0, after a line end
  };

  // Of a lexeme after the states: for all of them.
  Verdict Of(LexemeId lexeme, StatesId states, const Place& place);
  // Of tokens that leave a lexeme in progress in `q`, without a guard. `future`: the lexemes that
  // emitted text may make of it.
  Verdict OfProgress(DfaStateId q, FutureId future, StatesId states, const Place& place);
  // The states after a lexeme, and the place there.
  StatesId Behind(LexemeId lexeme, StatesId states, Place& place);
  // A key of the state with respect to lexemes of these LR terminals: for states with equal keys Of
  // says the same about the lexemes, and Behind leads to the same states.
  std::vector<uint32_t> KeyOf(LrStateId state, std::span<const SymbolId> lr_terminals) const;
  // Appends the LR terminals of a lexeme that may follow at once.
  void AppendTerminals(LexemeId lexeme, std::vector<SymbolId>& lr_terminals) const;
  // The states that shifting `lr_terminal` leads to.
  std::span<const LrStateId> ShiftedTo(SymbolId lr_terminal) const {
    return look_.ShiftedTo(lr_terminal);
  }

 private:
  // Of text that leaves the parser as it is: not kAlways, if emitted text may be unable to go on
  // from a state.
  Verdict OfNothing(const States& states) const;
  // Where no mode forbids it.
  Verdict OfAllowed(LexemeId lexeme, StatesId states, const Place& place);
  // Of a token, whatever brackets are open and line ends lie before it; found once for each.
  Verdict OfToken(LexemeId lexeme, StatesId states);
  Verdict OfTerminals(std::span<const SymbolId> lr_terminals, const States& states) const;
  // The states after a lexeme: whole, as its parts, and where something is inserted before it.
  States BehindToken(const Lexeme& lexeme, const States& states) const;
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
  boost::unordered_flat_map<uint64_t, StatesId> behind_;   // (states, lexeme)
  boost::unordered_flat_map<uint64_t, Verdict> of_token_;  // (states, lexeme)
};

}  // namespace tenon::constraint
