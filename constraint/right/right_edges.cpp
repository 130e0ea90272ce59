#include "constraint/right/right_edges.h"

namespace tenon::constraint {

void RightEdges::MakeLabels(uint32_t last) {
  while (labels_.size() <= last) {
    Label& made = labels_.emplace_back();
    made.bits.resize(index_.words());
    for (SymbolId c : automaton_.label(static_cast<uint32_t>(labels_.size() - 1))) {
      const bool holds = (index_.grammar().lr_terminals[c.value].levels & ~levels_) == 0;
      (holds ? made.terminals : made.barred).push_back(c);
      if (holds) made.bits[c.value / 64] |= uint64_t{1} << c.value % 64;
    }
  }
}

bool RightEdges::Useful(DottedId dotted, RightNodeId at) {
  const GrammarIndex::Dotted& d = index_.dotted(dotted);
  bool complete = d.next == GrammarIndex::kComplete;
  if (complete && d.rule == index_.augmented()) return automaton_.is_final(at);
  const GrammarIndex::Bits& wanted =
      complete ? index_.Follow(index_.Head(d.rule)) : index_.First(d.next);
  for (const RightEdge& edge : automaton_.edges(at)) {
    const Label& label = LabelOf(edge.label);
    for (size_t w = 0; w < label.bits.size(); ++w) {
      if (label.bits[w] & wanted[w]) return true;
    }
    for (SymbolId c : label.barred) {
      if (GrammarIndex::Has(wanted, c.value)) NoteBarred(c);
    }
  }
  return complete && automaton_.is_final(at) &&
         GrammarIndex::Has(wanted, index_.grammar().lr_terminals.size());
}

}  // namespace tenon::constraint
