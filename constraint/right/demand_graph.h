// The demand graph: the parse trees above the gap that R allows.
//
// R is the end of a text. In `foo(a, |b)` R = `b)` is the end of a call, so somewhere above the gap
// there must be a call whose `)` R holds, and the gap lies inside its argument list. The graph
// holds every tree path from the root to the gap that R allows. The left side is then matched
// against it (gap/viability_class.h).
//
// A worked example: call: NAME "(" args ")"   args: args "," arg | arg   arg: NAME   start: call
//
//                          Mid(S' -> start .)               the root
//                                  |
//                          Mid(start -> call .)
//            /                     |                     \      its three possible ends
//   End(call ->            Mid(call ->            End(call ->
//    NAME . "(" args ")")   NAME "(" args . ")")   NAME "(" . args ")")
//   W writes the "("          /          \        the gap is after "("
//              End(args ->                End(args ->
//               args . "," arg)            args "," . arg)
//              W writes the ","           the gap is after ","
//
// Definition:
//
//   End(A -> s . t)           the gap lies at this dot, and R starts with t
//   Mid(B -> s' A . t') at p  R[0..p) is the end of an A, and t' starts at p; the children are the
//                             possible ends of A
//   roots                     the nodes of the start rule; only nodes that they reach are kept
//
// Each End node has an entry (GapEntry): how W meets R there. The picture joins entries: `b` may be
// a name of its own (kEntryWithinLine) or the end of a name that W began (kEntryLexeme).
//
// Exceptions:
//   Blocks. A node whose item scanned the DEDENT of a block that R did not open keeps the interval
//   of columns that this block may have. With R = `b)\n  x` a block that `x` ends has a column in
//   [3, inf). The interval is tested where the left side has passed the block's INDENT.
//
//   Items without a node. Where s or t is empty the gap lies between A and its neighbour, and the
//   item above, whose dot is before or after A, says the same. Only the start rule has no item
//   above it.
//
//   Lists. A Mid node with the dot after its first symbol only hands its children on to the items
//   of the same LR state. So a chain of them, such as the statements after the gap in a
//   left-recursive list, is one node.
//
// Source: docs/design/right_context.md; right_spine.h has the links between nodes.
// Cost: the spine's, and the graph's own size: about the nesting depth at the cursor times the
// length of unit chains. Thread rule: immutable after construction.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <stop_token>
#include <vector>

#include "constraint/language/language.h"
#include "constraint/right/right_automaton.h"
#include "constraint/right/right_spine.h"

namespace tenon::constraint {

struct DemandNodeId {
  uint32_t value = 0;
  auto operator<=>(const DemandNodeId&) const = default;
};

struct DemandNode {
  RuleId rule;
  uint16_t dot = 0;  // Mid: after the child
  bool mid = false;
  // GapEntry bits. End: its own bits; Mid: the bits of the children that W can reach.
  uint8_t entries = 0;
  uint16_t lo = 0, hi = kMaxColumn;  // columns of the block whose end the item scanned
  uint32_t family = 0;               // Mid: nodes that differ only in [lo, hi] share their children
};

class DemandGraph {
 public:
  struct Parts {
    std::vector<DemandNode> nodes;                    // [DemandNodeId]; Mid nodes without entries
    std::vector<std::vector<DemandNodeId>> children;  // [family]; family 0 has none
    std::vector<DemandNodeId> roots;
  };
  // The empty graph: no stack is viable.
  DemandGraph() : children_(1) {}
  // `wordless`: RightAutomaton::wordless.
  DemandGraph(Parts parts, uint8_t wordless, const Yields& yields);
  // The graph of a gap with the automaton's entries at `seam`, which it has. `whole`: the left
  // context is empty, so R may be the whole text. Nothing: stopped.
  static std::optional<DemandGraph> Build(const GrammarIndex& index, RightAutomaton& automaton,
                                          const Yields& yields, RightSpine& spine, bool whole,
                                          const std::stop_token& stop, Seam seam = Seam::kClosed);

  std::span<const DemandNodeId> roots() const { return roots_; }
  const DemandNode& node(DemandNodeId id) const { return nodes_[id.value]; }
  std::span<const DemandNodeId> children(DemandNodeId id) const {
    return children_[nodes_[id.value].family];
  }
  size_t size() const { return nodes_.size(); }
  // The entries left when W owes some symbols. Owing nothing: all of them. Else the entries in
  // which W holds terminals, provided that the owed symbols have a text (`productive`).
  uint8_t Owing(uint8_t entries, bool nothing, bool productive) const {
    return nothing ? entries : productive ? entries & ~wordless_ : 0;
  }

 private:
  uint8_t Reach(const DemandNode& node, const Yields& yields) const;
  void KeepReachable();
  void ComputeEntries(const Yields& yields);

  std::vector<DemandNode> nodes_;
  std::vector<std::vector<DemandNodeId>> children_;  // [family]
  std::vector<DemandNodeId> roots_;
  uint8_t wordless_ = 0;  // RightAutomaton::wordless
};

}  // namespace tenon::constraint
