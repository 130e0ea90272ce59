#include "constraint/gap/viability_class.h"

#include <algorithm>
#include <iterator>

namespace tenon::constraint {

namespace {

bool MergeInto(std::vector<DemandNodeId>& into, const std::vector<DemandNodeId>& from) {
  if (std::includes(into.begin(), into.end(), from.begin(), from.end())) return false;
  std::vector<DemandNodeId> merged;
  std::set_union(into.begin(), into.end(), from.begin(), from.end(), std::back_inserter(merged));
  into = std::move(merged);
  return true;
}

}  // namespace

ViabilityClasses::ViabilityClasses(const GrammarIndex& index, const LrTable& table, const DemandGraph& graph,
                                   const Yields& yields, std::optional<SymbolId> indent, bool open)
    : index_(index), table_(table), graph_(graph), yields_(yields), indent_(indent), open_(open) {}

bool ViabilityClasses::AllFree(const Class& of) {
  return std::all_of(of.items.begin(), of.items.end(), [](const ItemInfo& item) { return item.free & kEntryInside; });
}

ClassId ViabilityClasses::Of(const StackArena& stacks, NodeId node) {
  if (of_node_.size() < stacks.size()) {
    of_node_.resize(stacks.size(), kUnknownClass);
    unrestricted_.resize(stacks.size());
  }
  std::vector<NodeId> path;
  while (of_node_[node.value] == kUnknownClass) {
    path.push_back(node);
    if (node == kBottomNode) break;
    node = stacks.node(node).below;
  }
  for (auto it = path.rbegin(); it != path.rend(); ++it) {
    const StackArena::Node& n = stacks.node(*it);
    of_node_[it->value] = *it == kBottomNode ? Bottom() : Push(of_node_[n.below.value], n.state, n.column);
    unrestricted_[it->value] =
        (*it == kBottomNode || unrestricted_[n.below.value]) && AllFree(classes_[of_node_[it->value].value]);
  }
  return of_node_[path.empty() ? node.value : path.front().value];
}

ClassId ViabilityClasses::Bottom() {
  Class made;
  made.state = kStartLrState;
  made.items.resize(table_.items(kStartLrState).size());
  if (open_) made.items[0].free = kEntryInside | kEntryMid | kEntryLine | kEntryLexeme;
  made.items[0].shared.assign(graph_.roots().begin(), graph_.roots().end());
  std::sort(made.items[0].shared.begin(), made.items[0].shared.end());
  Close(made);
  return Intern(std::move(made));
}

ClassId ViabilityClasses::Push(ClassId below, LrStateId state, uint16_t column) {
  uint64_t key = static_cast<uint64_t>(below.value) << 32 | static_cast<uint64_t>(state.value) << 16 | column;
  if (auto at = memo_.find(key); at != memo_.end()) return at->second;
  Class made;
  made.state = state;
  std::span<const LrItem> items = table_.items(state);
  made.items.resize(items.size());
  const Class& from = classes_[below.value];
  std::span<const LrItem> from_items = table_.items(from.state);
  for (size_t k = 0; k < table_.kernel_size(state); ++k) {
    LrItem source{items[k].rule, static_cast<uint16_t>(items[k].dot - 1)};
    size_t i = std::find(from_items.begin(), from_items.end(), source) - from_items.begin();
    const ItemInfo& info = from.items[i];
    made.items[k].free = info.free;
    if (column == kSealedColumn) continue;  // R lies behind all of it
    bool over_indent = indent_ && index_.Body(source.rule, source.dot) == *indent_;
    for (DemandNodeId j : info.shared) {
      const DemandNode& node = graph_.node(j);
      if (items[k].dot > (node.mid ? node.dot - 1 : node.dot)) continue;
      if (over_indent && column != kNoColumn && (column < node.lo || column > node.hi)) continue;
      made.items[k].shared.push_back(j);
    }
  }
  Close(made);
  ClassId id = Intern(std::move(made));
  memo_.emplace(key, id);
  return id;
}

// Expands to the fixpoint: free and shared only grow.
void ViabilityClasses::Close(Class& made) const {
  std::span<const LrItem> items = table_.items(made.state);
  const Grammar& grammar = index_.grammar();
  // Closure items of a nonterminal lie together, in the order of its rules.
  boost::unordered_flat_map<uint16_t, size_t> first_item;
  for (size_t i = items.size(); i-- > table_.kernel_size(made.state);) first_item[index_.Head(items[i].rule).value] = i;
  std::vector<size_t> work;
  std::vector<bool> queued(items.size());
  for (size_t i = 0; i < items.size(); ++i) {
    if (made.items[i].free == 0 && made.items[i].shared.empty()) continue;
    work.push_back(i);
    queued[i] = true;
  }
  while (!work.empty()) {
    size_t i = work.back();
    work.pop_back();
    queued[i] = false;
    const LrItem& item = items[i];
    size_t length = index_.Length(item.rule), l = item.dot;
    if (l == length) continue;
    SymbolId next = index_.Body(item.rule, l);
    if (grammar.IsColumn(next)) continue;
    uint8_t free = graph_.Owing(made.items[i].free, l + 1 == length, yields_.Productive(item.rule, l + 1, length));
    boost::unordered_flat_map<uint32_t, std::vector<DemandNodeId>> children;  // by rule
    for (DemandNodeId id : made.items[i].shared) {
      const DemandNode& node = graph_.node(id);
      size_t r = node.mid ? node.dot - 1 : node.dot;
      if (node.mid && r == l) {
        for (DemandNodeId child : graph_.children(id)) children[graph_.node(child).rule.value].push_back(child);
      } else if (l < r) {
        free |= graph_.Owing(node.entries, l + 1 == r, yields_.Productive(item.rule, l + 1, r));
      }
    }
    size_t at = first_item.at(next.value);
    for (RuleId rule : index_.RulesOf(next)) {
      ItemInfo& target = made.items[at];
      bool changed = (target.free | free) != target.free;
      target.free |= free;
      if (auto found = children.find(rule.value); found != children.end()) {
        std::sort(found->second.begin(), found->second.end());
        found->second.erase(std::unique(found->second.begin(), found->second.end()), found->second.end());
        changed |= MergeInto(target.shared, found->second);
      }
      if (changed && !queued[at]) {
        queued[at] = true;
        work.push_back(at);
      }
      ++at;
    }
  }
  made.viable = ViableEntries(made);
}

uint8_t ViabilityClasses::ViableEntries(const Class& made) const {
  uint8_t viable = 0;
  std::span<const LrItem> items = table_.items(made.state);
  for (size_t i = 0; i < items.size(); ++i) {
    size_t l = items[i].dot, length = index_.Length(items[i].rule);
    if (made.items[i].free)
      viable |= graph_.Owing(made.items[i].free, l == length, yields_.Productive(items[i].rule, l, length));
    for (DemandNodeId id : made.items[i].shared) {
      const DemandNode& node = graph_.node(id);
      size_t r = node.mid ? node.dot - 1 : node.dot;
      if (l <= r) viable |= graph_.Owing(node.entries, l == r, yields_.Productive(items[i].rule, l, r));
    }
  }
  return viable;
}

ClassId ViabilityClasses::Intern(Class made) {
  uint64_t hash = made.state.value;
  auto mix = [&](uint64_t x) {
    hash = (hash ^ x) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  };
  for (const ItemInfo& info : made.items) {
    mix(info.free + 0x100u);
    for (DemandNodeId id : info.shared) mix(id.value + 0x1000u);
  }
  std::vector<ClassId>& same = interned_[hash];
  for (ClassId id : same) {
    const Class& other = classes_[id.value];
    if (other.state == made.state && other.items == made.items) return id;
  }
  ClassId id{static_cast<uint32_t>(classes_.size())};
  same.push_back(id);
  classes_.push_back(std::move(made));
  return id;
}

}  // namespace tenon::constraint
