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

void RightEdges::Gather(RightNodeId at) {
  if (gathered_ == at) return;
  gathered_ = at;
  all_.bits.assign(index_.words(), 0);
  all_.barred.clear();
  for (const RightEdge& edge : automaton_.edges(at)) {
    const Label& label = LabelOf(edge.label);
    GrammarIndex::Merge(all_.bits, label.bits);
    all_.barred.insert(all_.barred.end(), label.barred.begin(), label.barred.end());
  }
  final_ = automaton_.is_final(at);
  const size_t end = index_.grammar().lr_terminals.size();
  if (final_) all_.bits[end / 64] |= uint64_t{1} << end % 64;
}

bool RightEdges::Useful(DottedId dotted, RightNodeId at) {
  Gather(at);
  const GrammarIndex::Dotted& d = index_.dotted(dotted);
  const bool complete = d.next == GrammarIndex::kComplete;
  if (complete && d.rule == index_.augmented()) return final_;
  const GrammarIndex::Bits& wanted =
      complete ? index_.Follow(index_.Head(d.rule)) : index_.First(d.next);
  for (size_t w = 0; w < wanted.size(); ++w) {
    if (wanted[w] & all_.bits[w]) return true;
  }
  for (SymbolId c : all_.barred) {
    if (GrammarIndex::Has(wanted, c.value)) NoteBarred(c);
  }
  return false;
}

}  // namespace tenon::constraint
