// Viability classes: does a parser stack fit the right context? One small integer a stack.
//
// In a parse tree of L M W R the path from the root to the gap belongs to both sides down to one
// node, the lowest common node. There the left path turns off before the right path. An item of the
// stack is a tree node seen from the left. A node of the demand graph is a tree node seen from the
// right. So each item of the LR states on the stack carries two facts:
//
//   shared(item)  the demand nodes that can be the same tree node as the item
//   free(item)    the gap entries with which the two paths can have parted above the item
//
// A worked example: L = `foo(a,`, R = `b)`, with the rules call: NAME "(" args ")",
// args: args "," arg | arg, arg: NAME, start: call. The stack grows from top to bottom:
//
//   pushed   item                           shared                                free  viable
//   bottom   S' -> . start                  Mid(S' -> start .)                    no    yes
//   NAME     call -> NAME . "(" args ")"    the three nodes of call               no    yes
//   "("      call -> NAME "(" . args ")"    End(call -> NAME "(" . args ")"),     no    yes
//                                           Mid(call -> NAME "(" args . ")")
//   args     call -> NAME "(" args . ")"    none: `b` of R belongs to args too    no
//            args -> args . "," arg         both nodes of args                    yes   yes
//   ","      args -> args "," . arg         End(args -> args "," . arg)           yes   yes
//
// The item of args is free as well: W may write `x, y,`, and then R's `b` ends a list that holds
// the left one further down. For L = `foo(a)` the item after `)` shares no node and is free for no
// entry: no text W helps.
//
// Definition, for an item I = (A -> a . C b) with l = |a|, and r the dot of a demand node J:
//
//   bottom   shared(S' -> . S) = roots of the demand graph
//   expand   I into (C -> . w); for every J in shared(I):
//              J is Mid, r-1 == l   children of J whose production is C -> w join shared(C -> . w)
//              J is Mid, l <  r-1   free(C -> . w) gets the entries of J's children
//              J is End, l <  r     free(C -> . w) gets the entry of J
//            and free(C -> . w) gets free(I)
//   advance  over X to (A -> a X . b): keep J with l+1 <= r-1 (Mid), l+1 <= r (End); keep free
//   viable   with entry e: some item of the stack's top is free for e, or shares a J that allows e
//
// Three restrictions:
//   - *W must have a text.* A step counts only if the symbols between the two dots, or after the
//     left dot, have an emitted text (Yields). An entry with which W holds no terminal counts only
//     if no symbol is owed.
//   - *Blocks.* Over an indent, J stays only if its interval holds the block's column.
//   - *Packed nodes* (lr/stack.h). Every entry of free and every demand node comes down a single
//     chain. So over a packed node both facts are the unions over its alternatives.
//
// Both facts depend on (class below, LR state, column of the indent) alone. So they are interned: a
// push costs one look-up. `tenon gap FILE --dump classes` prints the facts of a real stack.
//
// Source: docs/design/viability.md. Cost: a class met first, its items times their shared nodes;
// afterwards constant. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/language/language.h"
#include "constraint/lr/lr.h"
#include "constraint/right/right_context.h"

namespace tenon::constraint {

struct ClassId {
  uint32_t value = 0;
  auto operator<=>(const ClassId&) const = default;
};

class ViabilityClasses {
 public:
  // `open`: there is no right context; every stack that some text completes is viable. `seals`: R
  // shares nothing after a sealed opener (the seam rule).
  ViabilityClasses(const GrammarIndex& index, const LrTable& table, const DemandGraph& graph,
                   const Yields& yields, std::optional<SymbolId> indent, bool open = false,
                   bool seals = true);

  struct ItemInfo {
    uint8_t free = 0;                  // GapEntry bits
    std::vector<DemandNodeId> shared;  // ascending
    bool operator==(const ItemInfo&) const = default;
  };
  struct Class {
    LrStateId state;
    PredicateBits outer = 0;  // as StackArena::Node
    uint8_t viable = 0;       // GapEntry bits with which the stack can be completed
    uint8_t common_free = 0;  // free of every item, if none shares a node; 0: they differ
    // One class for all classes that differ in `outer` alone: they are viable for the same entries.
    ClassId in_any_context;
    std::vector<ItemInfo> items;  // as LrTable::items(state)
  };

  // The class of a stack. Computed from the class below, memoised. REQUIRES: `node` is not packed.
  ClassId Of(const StackArena& stacks, NodeId node);
  uint8_t Viable(const StackArena& stacks, NodeId node) {
    return classes_[Of(stacks, node).value].viable;
  }
  // Is the stack viable with one of `entries`, which include kEntryInside? A free-form stack is,
  // and needs no class.
  bool Viable(const StackArena& stacks, NodeId node, uint8_t entries) {
    return FreeForm(stacks, node) || (Viable(stacks, node) & entries) != 0;
  }
  // Does R not restrict the text after the stack, down to the stack's bottom? Then every text that
  // the parser can read is viable. Over packed nodes this must hold for every stack represented.
  bool Unrestricted(const StackArena& stacks, NodeId node) {
    if (open_ && FreeForm(stacks, node)) return true;
    Of(stacks, node);
    return unrestricted_[node.value];
  }
  // May W complete every item of the stack's state? Then every text that the parser can read
  // without a pop below this state is viable with any R. Without a right context the answer covers
  // all states down to the bottom.
  bool FreeForm(const StackArena& stacks, NodeId node);
  // Is there no right context?
  bool open() const { return open_; }
  // Forgets the nodes from `count` on.
  void ForgetNodes(size_t count) {
    if (of_node_.size() > count) of_node_.resize(count);
    if (unrestricted_.size() > count) unrestricted_.resize(count);
    if (free_form_.size() > count) free_form_.resize(count);
  }
  const Class& at(ClassId id) const { return classes_[id.value]; }

 private:
  ClassId Bottom();
  ClassId Push(ClassId below, LrStateId state, uint16_t column);
  ClassId OfKernel(LrStateId state, PredicateBits outer, std::span<ItemInfo> kernel);
  ClassId Union(std::span<const ClassId> classes);
  void Settle(const StackArena& stacks, NodeId node);
  bool CompletesAll(LrStateId state);
  void Close(Class& made) const;
  uint8_t ViableEntries(const Class& made) const;
  static bool AllFree(const Class& of);
  static uint8_t CommonFree(std::span<const ItemInfo> items);
  ClassId Intern(Class made);

  const GrammarIndex& index_;
  const LrTable& table_;
  const DemandGraph& graph_;
  const Yields& yields_;
  std::optional<SymbolId> indent_;
  std::vector<Class> classes_;
  bool open_, seals_;
  std::vector<bool> unrestricted_;  // [NodeId]
  enum class Known : uint8_t { kNot, kNo, kYes };
  std::vector<Known> free_form_;                       // [NodeId]
  std::vector<Known> completes_;                       // [LrStateId]
  std::vector<ClassId> of_node_;                       // [NodeId]; kUnknownClass: not yet
  boost::unordered_flat_map<uint64_t, ClassId> memo_;  // (class below, state, column)
  boost::unordered_flat_map<uint64_t, ClassId>
      free_memo_;  // (predicates, common free of the kernel, state)
  // hash of the kernel's items, of all items (in any context)
  IdsByHash<ClassId> by_kernel_;
  boost::unordered_flat_map<uint64_t, std::vector<ClassId>> interned_;  // hash -> classes
  static constexpr ClassId kUnknownClass{0xffffffff}, kWantedClass{0xfffffffe};
};

}  // namespace tenon::constraint
