// Parser stacks as hash-consed linked nodes: equal stacks are one node, a fork shares everything below.
//
// A node is (below, LR state, column of the block where the symbol was an indent); the context follows from it, so a reduction restores it. Since nodes hold neither text nor
// offsets, local ambiguities merge by themselves: two reductions to the same nonterminal over the same stack give the same node.
//
// A *packed node* stands for several nodes, its alternatives, that may lie below one and the same top: every stack over one of them is meant.
// Pack makes one of stacks that differ below their tops alone; a reduction that pops through it goes on in each alternative. So the nodes that are
// alive at one place of a text are about as many as the LR states, however many stacks they spell, and reading is polynomial in the text.
//
// Source: Tomita, Efficient Parsing for Natural Language (1986), graph-structured stacks; here trees that grow from one root, until they are packed.
// Cost: 16 bytes a node, 4 an alternative; a shift that the table refuses at once is one look-up, one that was seen before two; a reduction
// through packed nodes, the alternatives that it meets. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

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

// What the answers about a stack have looked at.
struct StackReads {
  // The lowest depth of a node: what lies below had no part in them. 0 where a packed node was popped through.
  uint32_t lowest = 0xffffffffu;
  bool context = false;  // which predicates hold somewhere
  void Note(const StackReads& other) {
    lowest = std::min(lowest, other.lowest);
    context |= other.context;
  }
};

class StackArena {
 public:
  struct Node {
    NodeId below;                  // of a packed node: kBottomNode
    LrStateId state;               // of a packed node: kNoLrState
    uint16_t column = kNoColumn;   // of the block that an indent opened, or kSealedColumn
    uint32_t depth : 31 = 0;       // nodes below, down to the first that is packed; of a packed node: 0
    uint32_t over_packed : 1 = 0;  // some node below is packed
    PredicateBits outer = 0;  // predicates that hold at the symbol that led here; of a packed node: its place in packs_
  };

  StackArena(const Grammar& grammar, const LrTable& table);

  const Node& node(NodeId id) const { return nodes_[id.value]; }
  // The predicates that hold for what comes next.
  PredicateBits ContextAt(NodeId id) const {
    return table_->change(nodes_[id.value].state).Applied(nodes_[id.value].outer);
  }
  size_t size() const { return nodes_.size(); }
  size_t memory_bytes() const;
  // REQUIRES of a packed node: its alternatives give what is pushed the same context.
  NodeId Push(NodeId below, LrStateId state, uint16_t column);

  bool IsPacked(NodeId id) const { return nodes_[id.value].state == kNoLrState; }
  // The nodes that a packed node stands for: none is packed, each has a smaller id than it. Ascending; valid until the next Pack.
  std::span<const NodeId> Alternatives(NodeId packed) const {
    const Alternation& pack = packs_[nodes_[packed.value].outer];
    return std::span(alternatives_).subspan(pack.begin, pack.count);
  }
  // One stack's top for all that `tops` stand for. REQUIRES: their state, column and outer context are equal, none is the bottom.
  NodeId Pack(std::span<const NodeId> tops);
  // The nodes `levels` below `node`, each once. True: a packed node lay on the way.
  bool FindBelow(NodeId node, size_t levels, std::vector<NodeId>& found);
  // Forgets every stack but these, whose nodes get new ids. REQUIRES: no trial is on.
  void KeepOnly(std::span<NodeId* const> tops);

  // All stacks after the reductions that `terminal` allows and its shift; `column` is that of an indent. Empty: an error.
  // The span is valid until the next call.
  std::span<const NodeId> Shift(NodeId top, SymbolId terminal, uint16_t column = kNoColumn);
  // May the text end here?
  bool AcceptsEnd(NodeId top);
  // The stack after the reductions that its state asks for whatever comes next. What shifts over it, over `top` and what lies between is the
  // same, so it stands for them; not where keywords fall back to names, which the state decides that they come in.
  NodeId Settled(NodeId top);

  // A trial asks what could be shifted and leaves no trace: nodes made in it are forgotten at its end, so that stacks grow with the text that
  // was read, not with the questions that were asked. REQUIRES: no trial is on; nobody keeps a node of it.
  void BeginTrial();
  void EndTrial();
  // Another number once nodes may have been forgotten.
  uint64_t epoch() const { return epoch_; }
  // Nodes that stay: those made in the trial that is on do not.
  size_t lasting_size() const { return trying_ ? lasting_nodes_ : nodes_.size(); }

  // What was looked at since the last TakeReads.
  const StackReads& reads() const { return reads_; }
  StackReads TakeReads() { return std::exchange(reads_, StackReads{}); }
  // Somebody else looked at it.
  void NoteReads(const StackReads& reads) { reads_.Note(reads); }
  void NoteRead(uint32_t depth) { reads_.lowest = std::min(reads_.lowest, depth); }
  void NoteContext() { reads_.context = true; }

 private:
  // A chain of unit rules longer than this (A -> B, B -> A) is followed in pieces.
  static constexpr size_t kMostUnits = 64;
  LrStateId AfterUnits(LrStateId base, SymbolId head, SymbolId terminal) const;
  // Above so many alternatives those that are alike are packed themselves. Fewer stay as they are: stacks that repeat (a list read in any
  // grouping) share more among places of the text when they are not.
  static constexpr size_t kMostAlternatives = 64;
  // So many stacks are compared one by one.
  static constexpr size_t kFewStacks = 32;
  struct Alternation {
    uint32_t begin = 0, count = 0;  // in alternatives_
  };
  NodeId PackTops(std::span<const NodeId> tops, size_t most_alternatives);
  void PackAlike(std::vector<NodeId>& alternatives);
  // A node for these alone: the node itself where it is one. REQUIRES: ascending, none packed.
  NodeId PackedOf(std::span<const NodeId> alternatives);
  // Calls visit for each stack that reductions under look-ahead `terminal` lead to, `top` included.
  template <typename Visit>
  void ForEachReduced(NodeId top, SymbolId terminal, Visit visit);
  // `base` with `head` on it, under look-ahead `terminal`, joins work_ unless it is there.
  void Reduce(NodeId base, SymbolId head, SymbolId terminal);
  bool IsNewWork(NodeId reduced);

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
  boost::unordered_flat_set<uint32_t> met_;  // work_, when it is long
  std::vector<Alternation> packs_;
  std::vector<NodeId> alternatives_;
  boost::unordered_flat_map<uint64_t, NodeId> packed_, trial_packed_;  // hash of the alternatives -> one such node
  std::vector<NodeId> bases_, popped_;
  // [NodeId] the last pop, and the last reduction to which symbol, that met the node; as long as was asked for
  std::vector<uint64_t> pop_of_, reduction_of_;
  uint64_t pops_ = 0, reductions_ = 0;
  StackReads reads_;
  bool trying_ = false;
  uint64_t epoch_ = 1;
  size_t lasting_nodes_ = 0, lasting_shifted_ = 0, lasting_packs_ = 0, lasting_alternatives_ = 0;  // while trying_
};

}  // namespace tenon::constraint
