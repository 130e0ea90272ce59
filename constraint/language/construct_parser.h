// Whole constructs of the right context: from an offset, which nonterminals end where?
//
// A construct begins and ends in R. In R = `b + c)` an expression begins at `b`, and one ends
// before `+` and one before `)`. The parser runs an LR(0) automaton whose start state expects any
// set N of nonterminals instead of the start symbol:
//
//   N = {args, arg}      args: args "," arg | arg    arg: NAME        terminals  NAME ")"
//
//   Move(empty stack, NAME)    shifted {arg -> NAME .}    completed {}
//   Move({arg -> NAME .}, ")") shifted {}                 completed {arg, args}: both end before
//                                                         ")"
//
// States are made on the first visit, a reduction is allowed by FOLLOW, and conflicts are followed
// as GLR does. Stacks are hash-consed and hold neither text nor offsets, so a statement that looks
// like an earlier one costs a look-up for each terminal.
//
// Lists. A list (A -> A t) of N that is no left corner of another of N is read to the end of its
// first element only. How a list goes on does not depend on where it began, and right_spine.h
// follows that itself. The same holds for a list that another of N merely holds
// (GrammarIndex::ListIn): file: HASHBANG statements | statements.
//
// Source: Lang, Deterministic techniques for efficient non-deterministic parsers, ICALP 1974;
// Tomita (1986). Where we differ from LALR tables: their look-aheads hold for the contexts of their
// own states, not for any N. Cost: 16 bytes a stack node and 24 a memoised move.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/language/grammar_index.h"

namespace tenon::constraint {

// A parser stack above the position at which constructs are expected to begin.
struct ConstructStackId {
  uint32_t value = 0;
  auto operator<=>(const ConstructStackId&) const = default;
};

class ConstructParser {
 public:
  explicit ConstructParser(const GrammarIndex& index) : index_(index) {}

  // The empty stack at which the nonterminals `expected` (ascending, no duplicates) may begin.
  ConstructStackId Expect(std::span<const SymbolId> expected);
  // Is this list, one of the stack's expected nonterminals, read to its first element only?
  bool ReadsFirstElement(ConstructStackId stack, SymbolId list) const;

  // A set over LR terminals and the end of the text: FIRST of what may follow, FOLLOW of what may
  // end. A move over any other gives nothing. Valid while the parser lives.
  std::span<const uint64_t> ActsOn(ConstructStackId stack) const {
    return states_[nodes_[stack.value].state].acts_on;
  }
  struct Moves {
    std::span<const ConstructStackId> shifted;
    std::span<const SymbolId> completed;  // end before the LR terminal
  };
  // `lr_terminal` may be the end of the text. The spans are valid until the next call.
  Moves Move(ConstructStackId stack, SymbolId lr_terminal);
  // Constant time.
  size_t memory_bytes() const;

 private:
  struct State {
    std::vector<DottedId> kernel;    // ascending
    std::vector<SymbolId> expected;  // of an empty stack
    std::vector<SymbolId> lists;     // of `expected`: read to their first element
    Bits closure;                    // nonterminals that may begin here
    Bits acts_on;                    // see ActsOn
    std::vector<RuleId> complete;
    bool empty_stack = false;
  };
  struct Node {
    ConstructStackId below;
    uint32_t state = 0;
  };
  // A stack whose top has no node yet: most are reduced at once, and need none.
  struct Top {
    ConstructStackId below;
    uint32_t state = 0;
    bool operator==(const Top&) const = default;
  };
  struct Memo {
    uint32_t shifted_begin = 0, shifted_end = 0, completed_begin = 0, completed_end = 0;
  };
  static constexpr uint32_t kNoState = 0xffffffffu;

  uint32_t Goto(uint32_t state, SymbolId symbol);
  uint32_t InternState(State made);
  ConstructStackId Push(ConstructStackId below, uint32_t state);
  Memo Compute(ConstructStackId stack, SymbolId lr_terminal);
  void Reduce(Top at, SymbolId lr_terminal, std::vector<SymbolId>& completed);

  const GrammarIndex& index_;
  std::vector<State> states_;
  size_t state_bytes_ = 0;
  std::vector<Node> nodes_;
  boost::unordered_flat_map<uint64_t, std::vector<uint32_t>> state_ids_;  // hash -> states
  boost::unordered_flat_map<uint64_t, uint32_t> gotos_;                   // (state, symbol)
  boost::unordered_flat_map<uint64_t, uint32_t> node_ids_;                // (below, state)
  boost::unordered_flat_map<uint64_t, Memo> memo_;                        // (stack, LR terminal)
  std::vector<ConstructStackId> shifted_;
  std::vector<Top> work_;
  std::vector<SymbolId> completed_;
};

}  // namespace tenon::constraint
