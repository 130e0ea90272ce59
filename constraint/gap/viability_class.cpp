#include "constraint/gap/viability_class.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <boost/container/small_vector.hpp>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

// False: it is there.
bool Insert(DemandNodeId id, std::vector<DemandNodeId>& ascending) {
  auto at = std::lower_bound(ascending.begin(), ascending.end(), id);
  if (at != ascending.end() && *at == id) return false;
  ascending.insert(at, id);
  return true;
}

uint64_t Mixed(uint64_t hash, const ViabilityClasses::ItemInfo& info) {
  hash = HashWith(hash, info.free + 0x100u);
  for (DemandNodeId id : info.shared) hash = HashWith(hash, id.value + 0x1000u);
  return hash;
}

}  // namespace

ViabilityClasses::ViabilityClasses(const GrammarIndex& index, const LrTable& table,
                                   const DemandGraph& graph, const Yields& yields,
                                   std::optional<SymbolId> indent, bool open, bool seals)
    : index_(index),
      table_(table),
      graph_(graph),
      yields_(yields),
      indent_(indent),
      open_(open),
      seals_(seals) {}

bool ViabilityClasses::AllFree(const Class& of) {
  return std::all_of(of.items.begin(), of.items.end(),
                     [](const ItemInfo& item) { return item.free & kEntryInside; });
}

uint8_t ViabilityClasses::CommonFree(std::span<const ItemInfo> items) {
  const uint8_t free = items.empty() ? 0 : items.front().free;
  const bool common = std::all_of(items.begin(), items.end(), [free](const ItemInfo& item) {
    return item.free == free && item.shared.empty();
  });
  return common ? free : 0;
}

ClassId ViabilityClasses::Of(const StackArena& stacks, NodeId node) {
  if (of_node_.size() < stacks.size()) {
    of_node_.resize(stacks.size(), kUnknownClass);
    unrestricted_.resize(stacks.size());
  }
  if (of_node_[node.value] != kUnknownClass) return of_node_[node.value];
  std::vector<NodeId> unknown;
  const auto want = [&](NodeId id) {
    if (of_node_[id.value] != kUnknownClass) return;
    of_node_[id.value] = kWantedClass;
    unknown.push_back(id);
  };
  want(node);
  for (size_t i = 0; i < unknown.size(); ++i) {
    if (unknown[i] == kBottomNode) continue;
    const NodeId below = stacks.node(unknown[i]).below;
    if (!stacks.IsPacked(below)) {
      want(below);
    } else {
      for (NodeId alternative : stacks.Alternatives(below)) want(alternative);
    }
  }
  std::sort(unknown.begin(), unknown.end());  // a node below has a smaller id
  for (NodeId id : unknown) Settle(stacks, id);
  return of_node_[node.value];
}

bool ViabilityClasses::FreeForm(const StackArena& stacks, NodeId node) {
  if (free_form_.size() < stacks.size()) free_form_.resize(stacks.size(), Known::kNot);
  boost::container::small_vector<NodeId, 16> above;
  for (NodeId at = node; free_form_[at.value] == Known::kNot; at = stacks.node(at).below) {
    above.push_back(at);
    if (at == kBottomNode || stacks.IsPacked(at)) break;
  }
  for (; !above.empty(); above.pop_back()) {
    const NodeId at = above.back();
    const StackArena::Node& n = stacks.node(at);
    Known& known = free_form_[at.value];
    known = Known::kNo;
    if (stacks.IsPacked(at)) continue;  // the classes of its alternatives are asked for
    const bool over_free = at != kBottomNode && free_form_[n.below.value] == Known::kYes;
    const auto free_by_class = [&] {
      const Class& made = classes_[Of(stacks, at).value];
      return AllFree(made) && (made.viable & kEntryInside);
    };
    const bool asks_class = !open_ || at == kBottomNode;  // else it holds down to the bottom
    if ((over_free && CompletesAll(n.state)) || (asks_class && free_by_class()))
      known = Known::kYes;
  }
  return free_form_[node.value] == Known::kYes;
}

// Where W may complete all kernel items of the state, may it complete all that they expand to?
bool ViabilityClasses::CompletesAll(LrStateId state) {
  if (completes_.empty()) completes_.resize(table_.state_count(), Known::kNot);
  Known& known = completes_[state.value];
  if (known == Known::kNot) {
    Class made;
    made.state = state;
    made.items.resize(table_.items(state).size());
    for (size_t i = 0; i < table_.kernel_size(state); ++i) made.items[i].free = kEntryInside;
    Close(made);
    known = AllFree(made) && (made.viable & kEntryInside) ? Known::kYes : Known::kNo;
  }
  return known == Known::kYes;
}

// From the class below, which is known.
void ViabilityClasses::Settle(const StackArena& stacks, NodeId node) {
  if (node == kBottomNode) {
    of_node_[node.value] = Bottom();
    unrestricted_[node.value] = AllFree(classes_[of_node_[node.value].value]);
    return;
  }
  const StackArena::Node& n = stacks.node(node);
  bool unrestricted = true;
  const auto over = [&](NodeId below) {
    const ClassId made = Push(of_node_[below.value], n.state, n.column);
    unrestricted = unrestricted && unrestricted_[below.value] && AllFree(classes_[made.value]);
    return made;
  };
  if (!stacks.IsPacked(n.below)) {
    of_node_[node.value] = over(n.below);
  } else {
    std::vector<ClassId> classes;
    for (NodeId alternative : stacks.Alternatives(n.below)) classes.push_back(over(alternative));
    of_node_[node.value] = Union(classes);
  }
  unrestricted_[node.value] = unrestricted;
}

ClassId ViabilityClasses::Union(std::span<const ClassId> classes) {
  std::vector<ClassId> different(classes.begin(), classes.end());
  SortUnique(different);
  if (different.size() == 1) return different[0];
  Class made = classes_[different[0].value];
  std::vector<DemandNodeId> both;
  for (ClassId id : std::span(different).subspan(1)) {
    const Class& other = classes_[id.value];
    made.viable |= other.viable;
    for (size_t i = 0; i < made.items.size(); ++i) {
      made.items[i].free |= other.items[i].free;
      both.clear();
      std::set_union(made.items[i].shared.begin(), made.items[i].shared.end(),
                     other.items[i].shared.begin(), other.items[i].shared.end(),
                     std::back_inserter(both));
      made.items[i].shared = both;
    }
  }
  return Intern(std::move(made));
}

ClassId ViabilityClasses::Bottom() {
  Class made;
  made.state = kStartLrState;
  made.items.resize(table_.items(kStartLrState).size());
  if (open_) made.items[0].free = kEntryInside | kEntryWithinLine | kEntryLine | kEntryLexeme;
  made.items[0].shared.assign(graph_.roots().begin(), graph_.roots().end());
  std::sort(made.items[0].shared.begin(), made.items[0].shared.end());
  Close(made);
  return Intern(std::move(made));
}

ClassId ViabilityClasses::Push(ClassId below, LrStateId state, uint16_t column) {
  const uint64_t key =
      static_cast<uint64_t>(below.value) << 32 | static_cast<uint64_t>(state.value) << 16 | column;
  if (auto at = memo_.find(key); at != memo_.end()) return at->second;
  const Class& from = classes_[below.value];
  const PredicateBits outer =
      table_.EndsPart(state) ? from.outer : table_.change(from.state).Applied(from.outer);
  // If R has no part in any item, the stack below does not matter.
  const auto on_free = [&](uint8_t free) -> ClassId& {
    const uint64_t free_key =
        static_cast<uint64_t>(outer) << 32 | static_cast<uint64_t>(free) << 16 | state.value;
    return free_memo_.try_emplace(free_key, kUnknownClass).first->second;
  };
  if (from.common_free != 0) {
    if (const ClassId known = on_free(from.common_free); known != kUnknownClass) {
      memo_.emplace(key, known);
      return known;
    }
  }
  std::span<const LrItem> items = table_.items(state);
  std::span<const LrItem> from_items = table_.items(from.state);
  boost::container::small_vector<ItemInfo, 8> kernel(table_.kernel_size(state));
  for (size_t k = 0; k < kernel.size(); ++k) {
    LrItem source{items[k].rule, static_cast<uint16_t>(items[k].dot - 1)};
    // A rule that begins there stands in the closure (that of the whole text is the start's
    // kernel).
    size_t at = source.dot > 0 || from.state == kStartLrState ? 0 : table_.kernel_size(from.state);
    const ItemInfo& info = from.items[std::find(from_items.begin() + at, from_items.end(), source) -
                                      from_items.begin()];
    kernel[k].free = info.free;
    if (column == kSealedColumn && seals_) continue;  // R lies after all of it
    bool over_indent = indent_ && index_.Body(source.rule, source.dot) == *indent_;
    for (DemandNodeId j : info.shared) {
      const DemandNode& node = graph_.node(j);
      if (items[k].dot > (node.mid ? node.dot - 1 : node.dot)) continue;
      if (over_indent && column != kNoColumn && (column < node.lo || column > node.hi)) continue;
      kernel[k].shared.push_back(j);
    }
  }
  const uint8_t free = CommonFree(kernel);
  const ClassId id = OfKernel(state, outer, kernel);
  memo_.emplace(key, id);
  if (free != 0) on_free(free) = id;
  return id;
}

// The class of these kernel items, from which the other items follow. Takes them.
ClassId ViabilityClasses::OfKernel(LrStateId state, PredicateBits outer,
                                   std::span<ItemInfo> kernel) {
  uint64_t hash = static_cast<uint64_t>(outer) << 16 | state.value;
  for (const ItemInfo& info : kernel) hash = Mixed(hash, info);
  const auto is_same = [&](ClassId id) {
    const Class& other = classes_[id.value];
    return other.state == state && other.outer == outer &&
           std::equal(kernel.begin(), kernel.end(), other.items.begin());
  };
  return by_kernel_.FindOrAdd(hash, is_same, [&] {
    Class made;
    made.state = state;
    made.outer = outer;
    made.items.resize(table_.items(state).size());
    std::move(kernel.begin(), kernel.end(), made.items.begin());
    Close(made);
    return Intern(std::move(made));
  });
}

// Expands to the fixpoint: free and shared only grow.
void ViabilityClasses::Close(Class& made) const {
  std::span<const LrItem> items = table_.items(made.state);
  std::span<const uint16_t> expanded_at = index_.ExpandedAt(made.state);
  boost::container::small_vector<uint16_t, 128> work;
  boost::container::small_vector<bool, 256> queued(items.size(), false);
  // [item] where a nonterminal's items begin: the entries that they all have as free
  boost::container::small_vector<uint8_t, 256> given(items.size(), 0);
  auto queue = [&](size_t i) {
    if (!queued[i]) work.push_back(static_cast<uint16_t>(i));
    queued[i] = true;
  };
  for (size_t i = 0; i < items.size(); ++i) {
    if (made.items[i].free != 0 || !made.items[i].shared.empty()) queue(i);
  }
  while (!work.empty()) {
    size_t i = work.back();
    work.pop_back();
    queued[i] = false;
    const size_t first = expanded_at[i];
    if (first == GrammarIndex::kNoItem) continue;
    const LrItem& item = items[i];
    size_t length = index_.Length(item.rule), l = item.dot;
    std::span<const RuleId> rules = index_.RulesOf(index_.Body(item.rule, l));
    uint8_t free = 0;
    if (made.items[i].free != 0)
      free = graph_.Owing(made.items[i].free, l + 1 == length,
                          yields_.Productive(item.rule, l + 1, length));
    for (size_t s = 0; s < made.items[i].shared.size(); ++s) {
      const DemandNode& node = graph_.node(made.items[i].shared[s]);
      size_t r = node.mid ? node.dot - 1 : node.dot;
      if (node.mid && r == l) {
        for (DemandNodeId child : graph_.children(made.items[i].shared[s])) {
          auto rule = std::lower_bound(rules.begin(), rules.end(), graph_.node(child).rule);
          if (rule == rules.end() || *rule != graph_.node(child).rule) continue;
          size_t at = first + static_cast<size_t>(rule - rules.begin());
          if (Insert(child, made.items[at].shared)) queue(at);
        }
      } else if (l < r) {
        free |= graph_.Owing(node.entries, l + 1 == r, yields_.Productive(item.rule, l + 1, r));
      }
    }
    if ((given[first] | free) == given[first]) continue;
    given[first] |= free;
    for (size_t at = first; at < first + rules.size(); ++at) {
      uint8_t before = std::exchange(made.items[at].free, made.items[at].free | free);
      if (made.items[at].free != before) queue(at);
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
      viable |= graph_.Owing(made.items[i].free, l == length,
                             yields_.Productive(items[i].rule, l, length));
    for (DemandNodeId id : made.items[i].shared) {
      const DemandNode& node = graph_.node(id);
      size_t r = node.mid ? node.dot - 1 : node.dot;
      if (l <= r)
        viable |= graph_.Owing(node.entries, l == r, yields_.Productive(items[i].rule, l, r));
    }
  }
  return viable;
}

ClassId ViabilityClasses::Intern(Class made) {
  uint64_t hash = made.state.value;
  for (const ItemInfo& info : made.items) hash = Mixed(hash, info);
  std::vector<ClassId>& same = interned_[hash];
  ClassId id{static_cast<uint32_t>(classes_.size())};
  made.in_any_context = id;
  for (ClassId known : same) {
    const Class& other = classes_[known.value];
    if (other.state != made.state || other.items != made.items) continue;
    if (other.outer == made.outer) return known;
    made.in_any_context = other.in_any_context;
  }
  same.push_back(id);
  made.common_free = CommonFree(made.items);
  classes_.push_back(std::move(made));
  return id;
}

}  // namespace tenon::constraint
