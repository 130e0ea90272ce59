// Parser stacks as hash-consed linked nodes: equal stacks are one node, a fork shares everything below.
//
// A node is (below, LR state, column of the block where the symbol was an indent). Since nodes hold neither text nor
// offsets, local ambiguities merge by themselves: two reductions to the same nonterminal over the same stack give the same node.
// Source: Tomita, Efficient Parsing for Natural Language (1986), graph-structured stacks; here trees that grow from one root.
// Cost: 16 bytes a node and two hash look-ups a shift that was seen before. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
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

class StackArena {
 public:
  struct Node {
    NodeId below;
    LrStateId state;
    uint16_t column = kNoColumn;  // of the block that an indent opened
    uint32_t depth = 0;           // nodes below
  };

  StackArena(const Grammar& grammar, const LrTable& table);

  const Node& node(NodeId id) const { return nodes_[id.value]; }
  size_t size() const { return nodes_.size(); }
  NodeId Push(NodeId below, LrStateId state, uint16_t column);

  // All stacks after the reductions that `terminal` allows and its shift; `column` is that of an indent. Empty: an error.
  // The span is valid until the next call.
  std::span<const NodeId> Shift(NodeId top, SymbolId terminal, uint16_t column = kNoColumn);
  // May the text end here?
  bool AcceptsEnd(NodeId top);

 private:
  // Calls visit for each stack that reductions under look-ahead `terminal` lead to, `top` included.
  template <typename Visit>
  void ForEachReduced(NodeId top, SymbolId terminal, Visit visit);

  const Grammar* grammar_;
  const LrTable* table_;
  std::vector<Node> nodes_;
  boost::unordered_flat_map<uint64_t, uint32_t> ids_;  // (below, state, column) -> node
  struct Key {
    uint64_t stack_and_terminal;
    uint16_t column;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    size_t operator()(const Key& k) const {
      return (k.stack_and_terminal ^ static_cast<uint64_t>(k.column) << 50) * 0x9e3779b97f4a7c15u >> 7;
    }
  };
  std::unordered_map<Key, std::vector<NodeId>, KeyHash> shifts_;  // memo of Shift
  std::vector<NodeId> work_;
};

}  // namespace tenon::constraint
