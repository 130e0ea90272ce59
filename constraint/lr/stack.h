// Parser stacks as hash-consed linked nodes (a graph-structured stack): equal stacks are one node,
// and a fork shares everything below it.
//
// Reading `f(a` and `f(a, b` gives two stacks with a common part:
//
//   start <- NAME <- "(" <- NAME                      after `f(a`
//                      ^--- args <- "," <- NAME       after `f(a, b`
//
// A node is (node below, LR state, column of the block if its symbol is an INDENT). It holds
// neither text nor offsets. So local ambiguity merges by itself: two reductions to the same
// nonterminal over the same stack give the same node. The context, that is the predicates that
// hold, follows from the node, so a reduction restores it.
//
// Packed nodes. Nested ambiguity does not merge: where each of n brackets has two readings
// there are 2^n stacks. Pack joins stacks that differ below their tops alone. A *packed node*
// represents several nodes, its alternatives, and every stack over one of them is meant:
//
//   A <--.
//         { A, B } <- top       the stacks A <- top and B <- top, as one
//   B <--'
//
// A reduction that pops through a packed node goes on in each alternative. So the nodes alive at
// one offset of a text are about as many as the LR states, however many stacks they spell, and
// reading is polynomial in the text.
//
// Trials. A question ("could this terminal be shifted?") makes nodes too. In a trial they are
// forgotten at its end, so stacks grow with the text that was read and not with the questions.
//
// Source: Tomita, Efficient Parsing for Natural Language (1986), graph-structured stacks. Where we
// differ: here stacks are trees that grow from one root, until they are packed.
// Cost: 16 bytes a node, 4 an alternative. A shift that the table refuses at once is one look-up, a
// shift seen before is two, a reduction through packed nodes the alternatives that it meets.
// Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "constraint/base/base.h"
#include "constraint/lr/table.h"

namespace tenon::constraint {

struct NodeId {
  uint32_t value = 0;
  auto operator<=>(const NodeId&) const = default;
};
inline constexpr NodeId kBottomNode{0};
inline constexpr uint16_t kNoColumn = 0xffff;
// Instead of a column: the shifted lexeme opens a mode that tenon's own text has to close.
inline constexpr uint16_t kSealedColumn = 0xfffe;

// The part of a stack that an answer depends on.
struct StackReads {
  // The lowest depth read: nodes below had no part in the answer. 0 where a packed node was popped
  // through.
  uint32_t lowest = 0xffffffffu;
  bool context = false;  // the answer depends on the predicates that hold
  void Note(const StackReads& other) {
    lowest = std::min(lowest, other.lowest);
    context |= other.context;
  }
};

class StackArena {
 public:
  // 16 bytes; of a packed node: below kBottomNode, state kNoLrState, depth 0.
  struct Node {
    NodeId below;
    LrStateId state;
    uint16_t column = kNoColumn;   // of the block that an indent opened, or kSealedColumn
    uint32_t depth : 31 = 0;       // nodes below, down to the first packed one
    uint32_t over_packed : 1 = 0;  // some node below is packed
    // The predicates that hold at the symbol that led here; of a packed node: its index in packs_.
    PredicateBits outer = 0;
  };

  StackArena(const Grammar& grammar, const LrTable& table);

  const Node& node(NodeId id) const { return nodes_[id.value]; }
  // The predicates that hold for the next symbol.
  PredicateBits ContextAt(NodeId id) const {
    return table_->change(nodes_[id.value].state).Applied(nodes_[id.value].outer);
  }
  size_t size() const { return nodes_.size(); }
  size_t memory_bytes() const;
  // REQUIRES: where `below` is packed, its alternatives give the new node the same context.
  NodeId Push(NodeId below, LrStateId state, uint16_t column);

  bool IsPacked(NodeId id) const { return nodes_[id.value].state == kNoLrState; }
  // The nodes that a packed node represents. None of them is packed, each has a smaller id than the
  // packed node. Ascending; valid until the next Pack.
  std::span<const NodeId> Alternatives(NodeId packed) const {
    const Alternation& pack = packs_[nodes_[packed.value].outer];
    return std::span(alternatives_).subspan(pack.begin, pack.count);
  }
  // One top for all stacks of `tops`. REQUIRES: their state, column and outer context are equal,
  // none is the bottom.
  NodeId Pack(std::span<const NodeId> tops);
  // The nodes `levels` below `node`, each once. True: a packed node was popped through.
  bool FindBelow(NodeId node, size_t levels, std::vector<NodeId>& found);
  // Forgets all stacks except these, whose nodes get new ids. REQUIRES: no trial is active.
  void KeepOnly(std::span<NodeId* const> tops);

  // One GLR step: all stacks after the reductions that `terminal` allows and its shift. `column`:
  // of the block, where the terminal is an INDENT. Empty: the parser refuses the terminal. The span
  // is valid until the next call.
  std::span<const NodeId> Shift(NodeId top, SymbolId terminal, uint16_t column = kNoColumn);
  // May the text end here?
  bool AcceptsEnd(NodeId top);
  // The stack after the reductions that its state makes whatever the next terminal is. The same
  // terminals can be shifted over it, over `top`, and over the stacks in between, so it represents
  // them. In a grammar with %fallback it does not: whether a keyword is a name depends on the state
  // in which it arrives.
  NodeId Settled(NodeId top);

  // A trial finds out which terminals could be shifted and leaves no trace: the nodes made in it
  // are forgotten at its end. REQUIRES: no other trial is active; nobody keeps a node of it.
  void BeginTrial();
  void EndTrial();
  // Changes whenever nodes may have been forgotten.
  uint64_t epoch() const { return epoch_; }
  // The number of nodes; the nodes of an active trial do not count.
  size_t lasting_size() const { return trying_ ? lasting_nodes_ : nodes_.size(); }

  // The log of reads; a NoteScope collects them.
  StackReads& reads() { return reads_; }
  // Adds the reads of a memo.
  void NoteReads(const StackReads& reads) { reads_.Note(reads); }
  void NoteRead(uint32_t depth) { reads_.lowest = std::min(reads_.lowest, depth); }
  void NoteContext() { reads_.context = true; }

 private:
  // A chain of unit rules longer than this (A -> B, B -> A) is followed in pieces.
  static constexpr size_t kMaxUnits = 64;
  LrStateId AfterUnits(LrStateId base, SymbolId head, SymbolId terminal) const;
  // Above this number, alternatives that are alike are packed themselves. Fewer stay apart: stacks
  // that repeat (a list read in any grouping) then share more among offsets of the text.
  static constexpr size_t kMaxAlternatives = 64;
  // Up to this number stacks are compared one by one.
  static constexpr size_t kFewStacks = 32;
  struct Alternation {
    uint32_t begin = 0, count = 0;  // in alternatives_
  };
  NodeId PackTops(std::span<const NodeId> tops, size_t most_alternatives);
  void PackAlike(std::vector<NodeId>& alternatives);
  // The packed node of these alternatives; of a single one, that node. REQUIRES: ascending, none
  // packed.
  NodeId PackedOf(std::span<const NodeId> alternatives);
  // Calls visit for each stack that reductions with look-ahead `terminal` lead to, `top` included.
  template <typename Visit>
  void ForEachReduced(NodeId top, SymbolId terminal, Visit visit);
  // The goto of a reduction: appends `base` with `head` on it to work_, unless it is there.
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
  // Memo of Shift: (top, terminal, column).
  boost::unordered_flat_map<uint64_t, Shifted> shifts_, trial_shifts_;
  std::vector<NodeId> shifted_;
  std::vector<NodeId> work_;
  boost::unordered_flat_set<uint32_t> met_;  // work_, when it is long
  std::vector<Alternation> packs_;
  std::vector<NodeId> alternatives_;
  // Hash of the alternatives -> one packed node of that hash.
  boost::unordered_flat_map<uint64_t, NodeId> packed_, trial_packed_;
  std::vector<NodeId> bases_, popped_;
  // [NodeId] the number of the last pop, and of the last (reduction, symbol), that met the node.
  std::vector<uint64_t> pop_of_, reduction_of_;
  uint64_t pops_ = 0, reductions_ = 0;
  StackReads reads_;
  bool trying_ = false;
  uint64_t epoch_ = 1;
  // Sizes at the beginning of the active trial.
  size_t lasting_nodes_ = 0, lasting_shifted_ = 0, lasting_packs_ = 0, lasting_alternatives_ = 0;
};

}  // namespace tenon::constraint
