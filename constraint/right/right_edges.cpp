#include "constraint/right/right_edges.h"

namespace tenon::constraint {

void RightEdges::MakeLabels(uint32_t last) {
  while (labels_.size() <= last) {
    Label& made = labels_.emplace_back();
    made.bits.resize(index_.words());
    for (SymbolId c : automaton_.label(static_cast<uint32_t>(labels_.size() - 1))) {
      const bool holds = (index_.grammar().lr_terminals[c.value].levels & ~levels_) == 0;
      (holds ? made.terminals : made.barred).push_back(c);
      if (holds) SetBit(made.bits, c.value);
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
    MergeBits(all_.bits, label.bits);
    all_.barred.insert(all_.barred.end(), label.barred.begin(), label.barred.end());
  }
  const size_t end = index_.grammar().lr_terminals.size();
  if (automaton_.is_final(at)) SetBit(all_.bits, end);
}

bool RightEdges::Useful(DottedId dotted, RightNodeId at) {
  const GrammarIndex::Dotted& d = index_.dotted(dotted);
  if (d.next != GrammarIndex::kComplete) return MayBegin(d.next, at);
  if (d.rule == index_.augmented()) return automaton_.is_final(at);
  return SharesWith(index_.Follow(index_.Head(d.rule)), at);
}

bool RightEdges::MayBegin(SymbolId symbol, RightNodeId at) {
  return SharesWith(index_.First(symbol), at);
}

// Does a set of LR terminals share one with the edges of a node? If not, a barred one is noted.
bool RightEdges::SharesWith(const Bits& wanted, RightNodeId at) {
  Gather(at);
  for (size_t w = 0; w < wanted.size(); ++w) {
    if (wanted[w] & all_.bits[w]) return true;
  }
  for (SymbolId c : all_.barred) {
    if (HasBit(wanted, c.value)) NoteBarred(c);
  }
  return false;
}

}  // namespace tenon::constraint
