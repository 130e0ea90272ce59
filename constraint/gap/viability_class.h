// Viability classes: what a parser stack means for the gap, in one small integer.
//
// Every way to go on from a stack is a chain of items from S' -> . S to an item of its top state. In a parse tree of L M W R the path
// from the root to the gap is shared with the right side down to one lowest common node, where the left path turns off before the right
// one. So each item carries
//
//   shared(item)  the demand nodes that can be the same tree node as it
//   free(item)    the gap entries with which the two paths can have parted above it
//
//   bottom   shared(S' -> . S) = roots
//   expand   I = (A -> a . C b) into (C -> . w), l = |a|; for every J in shared(I), r = dot of J:
//              Mid, r-1 == l: the children of J whose production is C -> w join shared(C -> . w)
//              Mid, l <  r-1: free(C -> . w) gets the entries of J's children;   End, l < r: the entry of J
//            free(I) goes on to free(C -> . w)
//   advance  over X to (A -> a X . b): keep J with l+1 <= r-1 (Mid) or l+1 <= r (End); keep free
//
// each time only if what W owes between the two dots, or behind the left one, has a text (one bit a dot), and an entry with which W holds
// no terminal only if it owes nothing. Over an indent, J is kept only
// if its interval holds the block's column. A stack is viable with entry e iff some item of its top is free for e, or has such a J.
// The information depends on (class below, LR state, column of the indent) alone: interned, memoised, one look-up a push. Each entry of free and
// each demand node comes down a single chain, so over a packed node (lr/stack.h) it is the union of what it is over the alternatives.
//
// Source: docs/architecture.md, "Viability". Cost: first visit of a class, its items times their shared nodes; then O(1).
// Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/right/right_context.h"
#include "constraint/language/language.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

struct ClassId {
  uint32_t value = 0;
  auto operator<=>(const ClassId&) const = default;
};

class ViabilityClasses {
 public:
  // `open`: no right context, every stack that some text completes is viable.
  ViabilityClasses(const GrammarIndex& index, const LrTable& table, const DemandGraph& graph, const Yields& yields,
                   std::optional<SymbolId> indent, bool open = false);

  struct ItemInfo {
    uint8_t free = 0;                  // GapEntry bits
    std::vector<DemandNodeId> shared;  // ascending
    bool operator==(const ItemInfo&) const = default;
  };
  struct Class {
    LrStateId state;
    PredicateBits outer = 0;  // as StackArena::Node
    uint8_t viable = 0;       // GapEntry bits with which the stack can be completed
    uint8_t common_free = 0;  // that all items have as free where nothing is shared; 0: they differ
    ClassId in_any_context;   // the same class for all that differ in `outer` alone: it says as much of what is viable
    std::vector<ItemInfo> items;  // as LrTable::items(state)
  };

  // The class of a stack. Computed from the class below, memoised. REQUIRES: `node` is not packed.
  ClassId Of(const StackArena& stacks, NodeId node);
  uint8_t Viable(const StackArena& stacks, NodeId node) { return classes_[Of(stacks, node).value].viable; }
  // Is the stack viable with one of `entries`, kEntryInside among them? Needs no class of a stack that is free-form over another.
  bool Viable(const StackArena& stacks, NodeId node, uint8_t entries) {
    return FreeForm(stacks, node) || (Viable(stacks, node) & entries) != 0;
  }
  // Does nothing on the right restrict what follows the stack, down to its bottom, whichever of those meant it is? Then all that the
  // parser can take is viable.
  bool Unrestricted(const StackArena& stacks, NodeId node) {
    if (open_ && FreeForm(stacks, node)) return true;
    Of(stacks, node);
    return unrestricted_[node.value];
  }
  // May W complete every item of the stack's state? Then all that the parser can take without a pop below it is viable, whatever R is. Where
  // there is no right context, yes means that all down to the bottom may be completed.
  bool FreeForm(const StackArena& stacks, NodeId node);
  // Is there no right context?
  bool open() const { return open_; }
  // Nodes from `count` on are no more.
  void ForgetNodes(size_t count) {
    if (of_node_.size() > count) of_node_.resize(count);
    if (unrestricted_.size() > count) unrestricted_.resize(count);
    if (free_form_.size() > count) free_form_.resize(count);
  }
  const Class& at(ClassId id) const { return classes_[id.value]; }
  size_t size() const { return classes_.size(); }

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
  bool open_;
  std::vector<bool> unrestricted_;  // [NodeId]
  enum class Known : uint8_t { kNot, kNo, kYes };
  std::vector<Known> free_form_;                            // [NodeId]
  std::vector<Known> completes_;                            // [LrStateId]
  std::vector<ClassId> of_node_;                            // [NodeId]; kUnknownClass: not yet
  boost::unordered_flat_map<uint64_t, ClassId> memo_;       // (class below, state, column)
  boost::unordered_flat_map<uint64_t, ClassId> free_memo_;  // (predicates, common free of the kernel, state)
  // hash of the kernel's items, of all items (in any context)
  boost::unordered_flat_map<uint64_t, std::vector<ClassId>> by_kernel_, interned_;
  static constexpr ClassId kUnknownClass{0xffffffff}, kWantedClass{0xfffffffe};
};

}  // namespace tenon::constraint
