#include "constraint/lr/stack.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tenon::constraint {

StackArena::StackArena(const Grammar& grammar, const LrTable& table) : grammar_(&grammar), table_(&table) {
  nodes_.push_back(Node{kBottomNode, kStartLrState, kNoColumn, 0, 0});
}

NodeId StackArena::Push(NodeId below, LrStateId state, uint16_t column) {
  uint64_t key = static_cast<uint64_t>(below.value) << 32 | static_cast<uint64_t>(state.value) << 16 | column;
  if (trying_) {
    if (auto lasting = ids_.find(key); lasting != ids_.end()) return NodeId{lasting->second};
  }
  auto [at, fresh] = (trying_ ? trial_ids_ : ids_).try_emplace(key, static_cast<uint32_t>(nodes_.size()));
  if (fresh) {
    const Node& under = nodes_[below.value];
    nodes_.push_back(
        Node{below, state, column, under.depth + 1, table_->EndsPart(state) ? under.outer : ContextAt(below)});
  }
  return NodeId{at->second};
}

// Where a chain of rules with one symbol each ends, the parser standing in `base`: only the last of them makes a node.
LrStateId StackArena::AfterUnits(LrStateId base, SymbolId head, SymbolId terminal) const {
  LrStateId state = table_->Goto(base, head);
  for (size_t steps = 0; steps < kMostUnits; ++steps) {
    std::span<const LrAction> actions = table_->Actions(state, terminal);
    if (actions.size() != 1 || actions[0].kind != LrAction::Kind::kReduce) break;
    const Rule& unit = grammar_->rules[actions[0].target];
    if (unit.body.size() != 1) break;
    state = table_->Goto(base, unit.head);
  }
  return state;
}

void StackArena::BeginTrial() {
  assert(!trying_);
  trying_ = true;
  lasting_nodes_ = nodes_.size();
  lasting_shifted_ = shifted_.size();
}

void StackArena::EndTrial() {
  trying_ = false;
  nodes_.resize(lasting_nodes_);
  shifted_.resize(lasting_shifted_);
  trial_ids_.clear();
  trial_shifts_.clear();
}

template <typename Visit>
void StackArena::ForEachReduced(NodeId top, SymbolId terminal, Visit visit) {
  work_.assign(1, top);
  NoteRead(nodes_[top.value].depth);
  for (size_t i = 0; i < work_.size(); ++i) {
    NodeId at = work_[i];
    for (const LrAction& action : table_->Actions(nodes_[at.value].state, terminal)) {
      if (action.kind != LrAction::Kind::kReduce) {
        visit(at, action);
        continue;
      }
      const Rule& rule = grammar_->rules[action.target];
      NodeId base = at;
      for (size_t k = 0; k < rule.body.size(); ++k) base = nodes_[base.value].below;
      NoteRead(nodes_[base.value].depth);
      NodeId reduced = Push(base, AfterUnits(nodes_[base.value].state, rule.head, terminal), kNoColumn);
      // Unit cycles (A -> B, B -> A) come back to stacks already met.
      if (std::find(work_.begin(), work_.end(), reduced) == work_.end()) work_.push_back(reduced);
    }
  }
}

std::span<const NodeId> StackArena::Shift(NodeId top, SymbolId terminal, uint16_t column) {
  if (table_->Actions(nodes_[top.value].state, terminal).empty()) {
    NoteRead(nodes_[top.value].depth);
    return {};
  }
  uint64_t key = static_cast<uint64_t>(top.value) << 32 | static_cast<uint64_t>(terminal.value) << 16 | column;
  for (auto* memo : {&shifts_, &trial_shifts_}) {
    auto at = memo->find(key);
    if (at == memo->end()) {
      if (!trying_) break;
      continue;
    }
    NoteRead(at->second.reach);
    return std::span(shifted_).subspan(at->second.begin, at->second.count);
  }
  Shifted made{static_cast<uint32_t>(shifted_.size()), 0, 0};
  uint32_t read_before = std::exchange(lowest_read_, 0xffffffffu);
  ForEachReduced(top, terminal, [&](NodeId at, const LrAction& action) {
    if (action.kind != LrAction::Kind::kShift) return;
    NodeId to = Push(at, LrStateId{static_cast<uint16_t>(action.target)}, column);
    if (std::find(shifted_.begin() + made.begin, shifted_.end(), to) == shifted_.end()) shifted_.push_back(to);
  });
  made.count = static_cast<uint32_t>(shifted_.size()) - made.begin;
  made.reach = lowest_read_;
  NoteRead(read_before);
  (trying_ ? trial_shifts_ : shifts_).emplace(key, made);
  return std::span(shifted_).subspan(made.begin, made.count);
}

size_t StackArena::memory_bytes() const {
  constexpr size_t kMemoEntry = 96;  // a node of the hash table with a short list on the heap
  return nodes_.capacity() * sizeof(Node) + ids_.bucket_count() * 13 + shifts_.size() * kMemoEntry;
}

bool StackArena::AcceptsEnd(NodeId top) {
  if (top == kBottomNode) return grammar_->start_nullable;
  bool accepted = false;
  ForEachReduced(top, table_->end_column(),
                 [&](NodeId, const LrAction& action) { accepted |= action.kind == LrAction::Kind::kAccept; });
  return accepted;
}

}  // namespace tenon::constraint
