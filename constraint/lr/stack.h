// Parser stacks as hash-consed linked nodes: equal stacks are one node, a fork shares everything below.
//
// A node is (below, LR state, column of the block where the symbol was an indent); the context follows from it, so a reduction restores it. Since nodes hold neither text nor
// offsets, local ambiguities merge by themselves: two reductions to the same nonterminal over the same stack give the same node.
// Source: Tomita, Efficient Parsing for Natural Language (1986), graph-structured stacks; here trees that grow from one root.
// Cost: 16 bytes a node; a shift that the table refuses at once is one look-up, one that was seen before two. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/lr/table.h"

namespace tenon::constraint {

struct NodeId {
  uint32_t value = 0;
  auto operator<=>(const NodeId&) const = default;
};
inline constexpr NodeId kBottomNode{0};
inline constexpr uint16_t kNoColumn = 0xffff;
// In place of a column: what was shifted opens something that the text tenon writes has to close.
inline constexpr uint16_t kSealedColumn = 0xfffe;

class StackArena {
 public:
  struct Node {
    NodeId below;
    LrStateId state;
    uint16_t column = kNoColumn;  // of the block that an indent opened, or kSealedColumn
    uint32_t depth = 0;           // nodes below
    PredicateBits outer = 0;      // predicates that hold at the symbol that led here
  };

  StackArena(const Grammar& grammar, const LrTable& table);

  const Node& node(NodeId id) const { return nodes_[id.value]; }
  // The predicates that hold for what comes next.
  PredicateBits ContextAt(NodeId id) const {
    return table_->change(nodes_[id.value].state).Applied(nodes_[id.value].outer);
  }
  size_t size() const { return nodes_.size(); }
  size_t memory_bytes() const;
  NodeId Push(NodeId below, LrStateId state, uint16_t column);

  // All stacks after the reductions that `terminal` allows and its shift; `column` is that of an indent. Empty: an error.
  // The span is valid until the next call.
  std::span<const NodeId> Shift(NodeId top, SymbolId terminal, uint16_t column = kNoColumn);
  // May the text end here?
  bool AcceptsEnd(NodeId top);

  // A trial asks what could be shifted and leaves no trace: nodes made in it are forgotten at its end, so that stacks grow with the text that
  // was read, not with the questions that were asked. REQUIRES: no trial is on; nobody keeps a node of it.
  void BeginTrial();
  void EndTrial();
  // Nodes that stay: those made in the trial that is on do not.
  size_t lasting_size() const { return trying_ ? lasting_nodes_ : nodes_.size(); }

  // The lowest depth of a node whose state a shift has looked at since the last ForgetReads: what lies below it had no part in
  // the answers.
  uint32_t lowest_read() const { return lowest_read_; }
  void ForgetReads() { lowest_read_ = 0xffffffffu; }
  // Somebody else looked at a node of this depth.
  void NoteRead(uint32_t depth) { lowest_read_ = std::min(lowest_read_, depth); }

 private:
  // A chain of unit rules longer than this (A -> B, B -> A) is followed in pieces.
  static constexpr size_t kMostUnits = 64;
  LrStateId AfterUnits(LrStateId base, SymbolId head, SymbolId terminal) const;
  // Calls visit for each stack that reductions under look-ahead `terminal` lead to, `top` included.
  template <typename Visit>
  void ForEachReduced(NodeId top, SymbolId terminal, Visit visit);

  const Grammar* grammar_;
  const LrTable* table_;
  std::vector<Node> nodes_;
  boost::unordered_flat_map<uint64_t, uint32_t> ids_, trial_ids_;  // (below, state, column) -> node
  struct Shifted {
    uint32_t begin = 0, count = 0;  // in shifted_
    uint32_t reach = 0;             // lowest depth read
  };
  boost::unordered_flat_map<uint64_t, Shifted> shifts_, trial_shifts_;  // memo of Shift: (top, terminal, column)
  std::vector<NodeId> shifted_;
  std::vector<NodeId> work_;
  uint32_t lowest_read_ = 0xffffffffu;
  bool trying_ = false;
  size_t lasting_nodes_ = 0, lasting_shifted_ = 0;  // while trying_
};

}  // namespace tenon::constraint
