// What the right context demands of the tree above the gap: its parses with unknown beginning.
//
// An Earley recogniser over the right automaton whose entries hold every item (A -> s . t) of the grammar with unknown origin.
// Where an item of unknown origin completes A at node p, every item (B -> s' A . t') goes on from p, again with unknown origin,
// and gets an edge to the completed one (its child). Nodes of the graph:
//
//   End(A -> s . t)            the gap lies at this dot, R starts with t
//   Mid(B -> s' A . t') at p   the remainder of A was found up to p, t' starts there; children: the completed remainders of A
//
// Only what the completed start rule reaches counts. A node whose item scanned the end of a block that R did not open keeps the
// interval of columns that block may have; it is tested where the left side has passed the block's beginning.
//
// Source: docs/architecture.md, "The demand graph"; Earley, An efficient context-free parsing algorithm, CACM 1970. Items are looked at
// only where a label of the automaton can begin (FIRST) or follow (FOLLOW) what they expect.
// Cost: see docs/measured.md; nodes are about nesting depth times the length of unit chains. Thread rule: immutable after Build.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "constraint/gap/grammar_index.h"
#include "constraint/gap/right_automaton.h"
#include "constraint/gap/yields.h"

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
  DemandGraph(const GrammarIndex& index, const RightAutomaton& automaton, const Yields& yields);

  std::span<const DemandNodeId> roots() const { return roots_; }
  const DemandNode& node(DemandNodeId id) const { return nodes_[id.value]; }
  std::span<const DemandNodeId> children(DemandNodeId id) const { return children_[nodes_[id.value].family]; }
  size_t size() const { return nodes_.size(); }
  // Of `entries`, those that are left when W owes some symbols: all where it owes none, else those that let it hold terminals, if what
  // it owes has a text.
  uint8_t Owing(uint8_t entries, bool nothing, bool productive) const {
    return nothing ? entries : productive ? entries & ~wordless_ : 0;
  }
  size_t item_count() const { return item_count_; }  // Earley items that building it took

 private:
  friend class DemandGraphBuilder;
  std::vector<DemandNode> nodes_;
  std::vector<std::vector<DemandNodeId>> children_;  // [family]
  std::vector<DemandNodeId> roots_;
  size_t item_count_ = 0;
  uint8_t wordless_ = 0;  // RightAutomaton::wordless
};

}  // namespace tenon::constraint
