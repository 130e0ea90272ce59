// Streamlining: sequences of the store that are decided while it is built, so that no mask has to
// walk them.
//
// Example: after a token's first lexeme `(` the parser is in LR state 4. Every stack with this
// state refuses `}`, so the token `(}` is never allowed there. Every one takes a name, so `(a` is.
// Neither is walked again.
//
//   interchangeable  lexemes that no rule tells apart: one represents all of them. In a language
//                    with `+` and `-` in the same rules, one answer serves both
//   never            sequences that no stack can take; holds with any right context
//   always           after a first lexeme that left the parser in state s: sequences that every
//                    stack with s on top can take
//
// "Always" is a fact about the left side alone. With a right context, a scope or a budget it counts
// only where nothing on the right restricts the stack (Masker). "Never" and "always" are decided
// with stacks of unknown bottom (lr/look_through.h).
//
// Source: Tran-Thien, mask store streamlining (vivien000.github.io, 2024). Where we differ:
// "always" is decided for each parser state, not for the language as a whole, so far more is
// decided beforehand.
// Cost: the sequences of a trie times the kinds of states that their first lexeme leads to; states
// with the same verdicts on the rest are one kind. Thread rule: none shared.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/mask/mask_store.h"
#include "constraint/mask/state_verdicts.h"

namespace tenon::constraint {

// [LexemeId] the lexeme that represents it. Two lexemes of emitted text are interchangeable when
// every rule with an LR terminal of one has a twin with an LR terminal of the other.
[[nodiscard]] std::vector<LexemeId> InterchangeableLexemes(const Language& language);

// Decides sequences, for each first lexeme of a store's sequences and each parser state that it may
// lead to.
class Streamliner {
 public:
  explicit Streamliner(MaskStore& store);
  void Run();
  // Entries of the tries as they were built, less the entries that Run decided.
  MaskStore::Entries Count() const;

 private:
  using States = StateVerdicts::States;
  using StatesId = StateVerdicts::StatesId;
  using Place = StateVerdicts::Place;
  using Verdict = StateVerdicts::Verdict;
  struct Outcome {
    std::vector<TokenSetId> always;
    std::optional<SequenceNodeId> rest, possible;  // nothing: no token is left
  };
  struct Draft {  // a node in the making
    std::vector<MaskStore::Member> members;
    std::vector<std::pair<LexemeId, size_t>>
        groups;  // the lexeme that the members end as, and the end of the group in `members`
    std::vector<MaskStore::Child> children;
    void CloseGroup(LexemeId primary);  // makes a group of the members that are in none
  };
  struct ContentHash {
    size_t operator()(const std::vector<uint32_t>& content) const;
  };

  void Visit(SequenceNodeId node, std::set<uint32_t>& visited);
  // The verdicts of each state, ascending, on the tokens of a node that a first lexeme led to.
  std::vector<MaskStore::Seen> SeenAfter(SequenceNodeId node, const States& states);
  // The LR terminals whose verdict a parser state has to give at the node, and below it while only
  // ignorable text ends.
  std::vector<SymbolId> TerminalsAsked(SequenceNodeId node);
  Outcome Look(SequenceNodeId node, StatesId states, const Place& place, bool sure);
  void Keep(SequenceNodeId node);  // decides no sequence of the node
  SequenceNodeId Make(const Draft& draft);

  MaskStore& store_;
  const Language& language_;
  StateVerdicts verdicts_;
  std::vector<bool> possible_,
      open_;  // [node as built] has tokens that some state can take, or leaves open
  boost::unordered_flat_map<std::vector<uint32_t>, SequenceNodeId, ContentHash>
      made_;                       // content -> node
  std::vector<uint32_t> content_;  // of the node in the making
  std::map<std::pair<FutureId, FutureId>, std::vector<SymbolId>>
      terminals_of_;  // of futures of emitted and of any text
};

}  // namespace tenon::constraint
