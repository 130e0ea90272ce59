// What the right context demands of the tree above the gap: its parses with unknown beginning.
//
// A node is what the tree node above the gap must be, seen from the right:
//
//   End(A -> s . t)            the gap lies at this dot, R starts with t
//   Mid(B -> s' A . t') at p   the remainder of A was found up to p, t' starts there; children: the completed remainders of A
//
// The roots are the nodes of the start rule; only what they reach is kept. A node whose item scanned the end of a block that R did
// not open keeps the interval of columns that block may have; it is tested where the left side has passed the block's beginning.
//
// Not every item needs a node. Where s or t is empty the gap lies between A and its neighbour, and the item of the rule above, whose
// dot stands before or behind A, says the same; the start rule alone has none above it. A Mid node with the dot behind its first
// symbol only hands its children on to the items of the same LR state: a chain of them (the statements that follow the gap, as a
// left-recursive list) is one node. So the size is about the nesting depth at the cursor times the length of unit chains.
//
// Source: docs/architecture.md, "The demand graph"; the links between nodes are those of gap/right_spine.h.
// Cost: what the spine takes, and the graph's own size. Thread rule: immutable after construction.
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
  uint16_t dot = 0;  // Mid: behind the child
  bool mid = false;
  uint8_t entries = 0;               // GapEntry bits: End its own; Mid those of the children that W can reach
  uint16_t lo = 0, hi = kMaxColumn;  // columns of the block whose end the item scanned
  uint32_t family = 0;               // Mid: nodes that differ in [lo, hi] alone share their children
};

class DemandGraph {
 public:
  struct Parts {
    std::vector<DemandNode> nodes;                    // [DemandNodeId]; entries of Mid nodes not yet known
    std::vector<std::vector<DemandNodeId>> children;  // [family]; family 0 has none
    std::vector<DemandNodeId> roots;
  };
  // Asks nothing, demands nothing: no stack is viable.
  DemandGraph() : children_(1) {}
  // `wordless`: RightAutomaton::wordless.
  DemandGraph(Parts parts, uint8_t wordless, const Yields& yields);
  // The graph of a gap with the automaton's entries. `whole`: nothing stands left of the gap, so the right context may be the whole
  // text. Nothing: stopped.
  static std::optional<DemandGraph> Build(const GrammarIndex& index, RightAutomaton& automaton, const Yields& yields,
                                          RightSpine& spine, bool whole, const std::stop_token& stop);

  std::span<const DemandNodeId> roots() const { return roots_; }
  const DemandNode& node(DemandNodeId id) const { return nodes_[id.value]; }
  std::span<const DemandNodeId> children(DemandNodeId id) const { return children_[nodes_[id.value].family]; }
  size_t size() const { return nodes_.size(); }
  // Of `entries`, those that are left when W owes some symbols: all where it owes none, else those that let it hold terminals, if what
  // it owes has a text.
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
