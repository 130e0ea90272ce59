// The edges of R's automaton as the parser sees them at one level: the LR terminals that hold
// there.
//
// Example: R = `match x:` in Python. The lexeme `match` is a name, and since 3.10 a keyword. Its
// edge has two LR terminals, NAME and (`match`, since_3_10). At level 3.9 only NAME is followed;
// the other one is *barred*, and the level that would allow it is noted, so that the gap can try it
// next.
//
// Source: docs/design/grammar_strengths.md, "Levels". Cost: a few words for each label and call.
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "constraint/base/base.h"
#include "constraint/language/language.h"
#include "constraint/right/right_automaton.h"

namespace tenon::constraint {

class RightEdges {
 public:
  // `levels`: the predicates of `%levels` that hold.
  RightEdges(const GrammarIndex& index, RightAutomaton& automaton, PredicateBits levels)
      : index_(index), automaton_(automaton), levels_(levels) {}

  // LR terminals of a label, ascending: `terminals` hold at the gap's level, `barred` need a newer
  // level.
  struct Label {
    std::vector<SymbolId> terminals, barred;
    Bits bits;  // `terminals` as a set
  };
  // Valid until the next call.
  const Label& LabelOf(uint32_t index) {
    if (index >= labels_.size()) MakeLabels(index);
    return labels_[index];
  }
  // Can the item go on from this node? A complete one does where FOLLOW of its head shares an LR
  // terminal with an edge, any other where a text of its next symbol may begin.
  bool Useful(DottedId dotted, RightNodeId at);
  // May a text of the symbol begin at this node: does FIRST share an LR terminal with an edge?
  bool MayBegin(SymbolId symbol, RightNodeId at);
  void NoteBarred(SymbolId lr_terminal) {
    barred_ |=
        PredicateBits{1} << index_.grammar().lr_terminals[lr_terminal.value].predicate->value;
  }
  // The levels, as their own bits, with which more of R could have been followed.
  PredicateBits barred() const { return barred_; }

 private:
  void MakeLabels(uint32_t last);
  void Gather(RightNodeId at);
  bool SharesWith(const Bits& wanted, RightNodeId at);

  const GrammarIndex& index_;
  RightAutomaton& automaton_;
  PredicateBits levels_, barred_ = 0;
  std::vector<Label> labels_;  // [label]
  // The node that was looked at last, and all its edges together: many items are compared
  // with one node.
  std::optional<RightNodeId> gathered_;
  Label all_;
};

}  // namespace tenon::constraint
