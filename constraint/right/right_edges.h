// What R's automaton offers the parser at one level: labels of its edges as columns that hold, and whether an item can go on.
//
// A column of a level that does not hold is no edge: what R might have been with it is noted, not followed.
// Source: docs/architecture.md, "The demand graph". Cost: a few words a label and call. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "constraint/language/language.h"
#include "constraint/right/right_automaton.h"

namespace tenon::constraint {

class RightEdges {
 public:
  // `levels`: the predicates of `%levels` that hold.
  RightEdges(const GrammarIndex& index, RightAutomaton& automaton, PredicateBits levels)
      : index_(index), automaton_(automaton), levels_(levels) {}

  // Columns of a label, ascending: those that hold, and those of newer levels.
  struct Label {
    std::vector<SymbolId> columns, barred;
    GrammarIndex::Bits bits;  // of `columns`
  };
  // Valid until the next call.
  const Label& LabelOf(uint32_t index) {
    if (index >= labels_.size()) MakeLabels(index);
    return labels_[index];
  }
  // Can the item go on from here, by what the automaton's edges say?
  bool Useful(DottedId dotted, RightNodeId at);
  void NoteBarred(SymbolId column) {
    barred_ |= PredicateBits{1} << index_.grammar().columns[column.value].predicate->value;
  }
  // The levels, as their own bits, with which more of R could have been followed.
  PredicateBits barred() const { return barred_; }

 private:
  void MakeLabels(uint32_t last);

  const GrammarIndex& index_;
  RightAutomaton& automaton_;
  PredicateBits levels_, barred_ = 0;
  std::vector<Label> labels_;  // [label]
};

}  // namespace tenon::constraint
