#include "constraint/lr/stack.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <tuple>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

StackArena::StackArena(const Grammar& grammar, const LrTable& table)
    : grammar_(&grammar), table_(&table) {
  nodes_.push_back(Node{.below = kBottomNode, .state = kStartLrState});
}

NodeId StackArena::Push(NodeId below, LrStateId state, uint16_t column) {
  uint64_t key =
      static_cast<uint64_t>(below.value) << 32 | static_cast<uint64_t>(state.value) << 16 | column;
  if (trying_) {
    if (auto lasting = ids_.find(key); lasting != ids_.end()) return NodeId{lasting->second};
  }
  auto [at, fresh] =
      (trying_ ? trial_ids_ : ids_).try_emplace(key, static_cast<uint32_t>(nodes_.size()));
  if (fresh) {
    const Node& under = nodes_[below.value];
    const bool packed = IsPacked(below);
    const NodeId any = packed ? Alternatives(below)[0] : below;
    nodes_.push_back(
        Node{.below = below,
             .state = state,
             .column = column,
             .depth = under.depth + 1u,
             .over_packed = packed || under.over_packed,
             .outer = table_->EndsPart(state) ? nodes_[any.value].outer : ContextAt(any)});
  }
  return NodeId{at->second};
}

// The state after a chain of unit reductions over `base`: only the last of them makes a node.
LrStateId StackArena::AfterUnits(LrStateId base, SymbolId head, SymbolId terminal) const {
  LrStateId state = table_->Goto(base, head);
  for (size_t steps = 0; steps < kMaxUnits; ++steps) {
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
  lasting_packs_ = packs_.size();
  lasting_alternatives_ = alternatives_.size();
}

void StackArena::EndTrial() {
  trying_ = false;
  ++epoch_;
  nodes_.resize(lasting_nodes_);
  shifted_.resize(lasting_shifted_);
  packs_.resize(lasting_packs_);
  alternatives_.resize(lasting_alternatives_);
  trial_packed_.clear();
  trial_ids_.clear();
  trial_shifts_.clear();
}

NodeId StackArena::Pack(std::span<const NodeId> tops) { return PackTops(tops, kMaxAlternatives); }

NodeId StackArena::PackTops(std::span<const NodeId> tops, size_t most_alternatives) {
  std::vector<NodeId> below;
  for (NodeId top : tops) {
    const NodeId under = nodes_[top.value].below;
    if (!IsPacked(under)) {
      below.push_back(under);
      continue;
    }
    const std::span<const NodeId> alternatives = Alternatives(under);
    below.insert(below.end(), alternatives.begin(), alternatives.end());
  }
  SortUnique(below);
  if (below.size() > most_alternatives) PackAlike(below);
  const Node top = nodes_[tops[0].value];  // a copy: the next line makes nodes
  return Push(PackedOf(below), top.state, top.column);
}

void StackArena::PackAlike(std::vector<NodeId>& alternatives) {
  const auto kind = [&](NodeId id) {
    const Node& node = nodes_[id.value];
    return std::tuple(node.state, node.column, node.outer);
  };
  std::sort(alternatives.begin(), alternatives.end(),
            [&](NodeId a, NodeId b) { return kind(a) < kind(b); });
  std::vector<NodeId> packed;
  for (size_t begin = 0, end = 0; begin < alternatives.size(); begin = end) {
    while (end < alternatives.size() && kind(alternatives[end]) == kind(alternatives[begin])) ++end;
    const std::span alike = std::span(alternatives).subspan(begin, end - begin);
    packed.push_back(alike.size() == 1 ? alike[0]
                                       : PackTops(alike, std::numeric_limits<size_t>::max()));
  }
  std::sort(packed.begin(), packed.end());
  alternatives = std::move(packed);
}

NodeId StackArena::PackedOf(std::span<const NodeId> alternatives) {
  if (alternatives.size() == 1) return alternatives[0];
  const uint64_t hash = HashOf(alternatives);
  for (auto* known : {&packed_, &trial_packed_}) {
    const auto at = known->find(hash);
    if (at == known->end()) continue;
    const std::span<const NodeId> same = Alternatives(at->second);
    if (std::equal(same.begin(), same.end(), alternatives.begin(), alternatives.end()))
      return at->second;
  }
  const NodeId made{static_cast<uint32_t>(nodes_.size())};
  nodes_.push_back(Node{.below = kBottomNode,
                        .state = kNoLrState,
                        .outer = static_cast<PredicateBits>(packs_.size())});
  packs_.push_back(
      {static_cast<uint32_t>(alternatives_.size()), static_cast<uint32_t>(alternatives.size())});
  alternatives_.insert(alternatives_.end(), alternatives.begin(), alternatives.end());
  (trying_ ? trial_packed_ : packed_).try_emplace(hash, made);
  return made;
}

bool StackArena::FindBelow(NodeId node, size_t levels, std::vector<NodeId>& found) {
  found.assign(1, node);
  bool through = false;
  if (pop_of_.size() < nodes_.size()) pop_of_.resize(nodes_.size());
  for (; levels > 0; --levels) {
    ++pops_;
    popped_.clear();
    const auto pop_to = [&](NodeId below) {
      if (std::exchange(pop_of_[below.value], pops_) != pops_) popped_.push_back(below);
    };
    for (NodeId at : found) {
      const NodeId below = nodes_[at.value].below;
      if (!IsPacked(below)) {
        pop_to(below);
        continue;
      }
      through = true;
      for (NodeId alternative : Alternatives(below)) pop_to(alternative);
    }
    found.swap(popped_);
  }
  return through;
}

void StackArena::KeepOnly(std::span<NodeId* const> tops) {
  std::vector<bool> kept(nodes_.size());
  for (const NodeId* top : tops) kept[top->value] = true;
  for (size_t id = nodes_.size(); id-- > 1;) {
    if (!kept[id]) continue;
    if (!IsPacked(NodeId{static_cast<uint32_t>(id)})) {
      kept[nodes_[id].below.value] = true;
      continue;
    }
    for (NodeId alternative : Alternatives(NodeId{static_cast<uint32_t>(id)}))
      kept[alternative.value] = true;
  }
  StackArena fresh(*grammar_, *table_);
  std::vector<NodeId> renamed(nodes_.size());
  for (size_t id = 1; id < nodes_.size(); ++id) {
    if (!kept[id]) continue;
    if (!IsPacked(NodeId{static_cast<uint32_t>(id)})) {
      renamed[id] =
          fresh.Push(renamed[nodes_[id].below.value], nodes_[id].state, nodes_[id].column);
      continue;
    }
    std::vector<NodeId> alternatives;
    for (NodeId alternative : Alternatives(NodeId{static_cast<uint32_t>(id)}))
      alternatives.push_back(renamed[alternative.value]);
    renamed[id] = fresh.PackedOf(alternatives);  // ids keep their order
  }
  for (NodeId* top : tops) *top = renamed[top->value];
  fresh.epoch_ = epoch_ + 1;
  *this = std::move(fresh);
}

bool StackArena::IsNewWork(NodeId reduced) {
  if (work_.size() < kFewStacks)
    return std::find(work_.begin(), work_.end(), reduced) == work_.end();
  if (met_.empty()) {
    for (NodeId at : work_) met_.insert(at.value);
  }
  return met_.insert(reduced.value).second;
}

void StackArena::Reduce(NodeId base, SymbolId head, SymbolId terminal) {
  NodeId reduced = Push(base, AfterUnits(nodes_[base.value].state, head, terminal), kNoColumn);
  // Unit cycles (A -> B, B -> A) return to stacks already met.
  if (IsNewWork(reduced)) work_.push_back(reduced);
}

template <typename Visit>
void StackArena::ForEachReduced(NodeId top, SymbolId terminal, Visit visit) {
  work_.assign(1, top);
  if (!met_.empty()) met_.clear();
  ++reductions_;
  NoteRead(nodes_[top.value].depth);
  for (size_t i = 0; i < work_.size(); ++i) {
    const NodeId at = work_[i];
    for (const LrAction& action : table_->Actions(nodes_[at.value].state, terminal)) {
      if (action.kind != LrAction::Kind::kReduce) {
        visit(at, action);
        continue;
      }
      const Rule& rule = grammar_->rules[action.target];
      if (!nodes_[at.value].over_packed) {
        NodeId base = at;
        for (size_t k = 0; k < rule.body.size(); ++k) base = nodes_[base.value].below;
        NoteRead(nodes_[base.value].depth);
        Reduce(base, rule.head, terminal);
        continue;
      }
      const bool through = FindBelow(at, rule.body.size(), bases_);
      NoteRead(through ? 0 : nodes_[bases_[0].value].depth);
      if (reduction_of_.size() < nodes_.size()) reduction_of_.resize(nodes_.size());
      const uint64_t reduction = reductions_ << 16 | rule.head.value;
      for (NodeId base : bases_) {
        if (std::exchange(reduction_of_[base.value], reduction) != reduction)
          Reduce(base, rule.head, terminal);
      }
    }
  }
}

std::span<const NodeId> StackArena::Shift(NodeId top, SymbolId terminal, uint16_t column) {
  if (table_->Actions(nodes_[top.value].state, terminal).empty()) {
    NoteRead(nodes_[top.value].depth);
    return {};
  }
  uint64_t key =
      static_cast<uint64_t>(top.value) << 32 | static_cast<uint64_t>(terminal.value) << 16 | column;
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
  const NoteScope reads(reads_);
  ForEachReduced(top, terminal, [&](NodeId at, const LrAction& action) {
    if (action.kind != LrAction::Kind::kShift) return;
    // No two of them are equal.
    shifted_.push_back(Push(at, LrStateId{static_cast<uint16_t>(action.target)}, column));
  });
  made.count = static_cast<uint32_t>(shifted_.size()) - made.begin;
  made.reach = reads.notes().lowest;
  (trying_ ? trial_shifts_ : shifts_).emplace(key, made);
  return std::span(shifted_).subspan(made.begin, made.count);
}

NodeId StackArena::Settled(NodeId top) {
  NoteRead(nodes_[top.value].depth);
  for (size_t steps = 0; steps < kMaxUnits && !nodes_[top.value].over_packed; ++steps) {
    std::span<const LrItem> items = table_->items(nodes_[top.value].state);
    if (items.size() != 1 || items[0].rule.value >= grammar_->rules.size()) break;
    const Rule& rule = grammar_->rules[items[0].rule.value];
    if (items[0].dot != rule.body.size()) break;
    for (size_t k = 0; k < rule.body.size(); ++k) top = nodes_[top.value].below;
    NoteRead(nodes_[top.value].depth);
    top = Push(top, table_->Goto(nodes_[top.value].state, rule.head), kNoColumn);
  }
  return top;
}

size_t StackArena::memory_bytes() const {
  constexpr size_t kMemoEntry = 96;  // a node of the hash table with a short list on the heap
  return nodes_.capacity() * sizeof(Node) + ids_.bucket_count() * 13 + shifts_.size() * kMemoEntry +
         packs_.capacity() * sizeof(Alternation) + alternatives_.capacity() * sizeof(NodeId) +
         (pop_of_.capacity() + reduction_of_.capacity()) * sizeof(uint64_t);
}

bool StackArena::AcceptsEnd(NodeId top) {
  if (top == kBottomNode) return grammar_->start_nullable;
  bool accepted = false;
  ForEachReduced(top, table_->end_terminal(), [&](NodeId, const LrAction& action) {
    accepted |= action.kind == LrAction::Kind::kAccept;
  });
  return accepted;
}

}  // namespace tenon::constraint
