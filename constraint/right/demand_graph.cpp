#include "constraint/right/demand_graph.h"

#include <algorithm>
#include <numeric>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

// Gathers the nodes above a gap from the spine.
class Gatherer {
 public:
  Gatherer(const GrammarIndex& index, RightAutomaton& automaton, RightSpine& spine, Seam seam)
      : index_(index), automaton_(automaton), spine_(spine), seam_(seam) {
    parts_.children.emplace_back();
  }

  // Begins every item at every entry, completes the spine, and makes nodes from the gap upwards:
  // each End node, then its parents, up to the roots.
  bool Gather(bool whole, const std::stop_token& stop) {
    BeginAll(whole);
    if (!spine_.Complete(stop)) return false;
    for (const RightAutomaton::Entry& entry : automaton_.entries(seam_)) {
      for (const SpineVertexId vertex : spine_.inner(entry.node)) {
        if (spine_.IsLive(vertex))
          AddParents(EndNode(spine_.vertex(vertex).dotted, entry.kind), vertex);
      }
    }
    for (const Start& start : starts_) {
      if (spine_.IsLive(start.vertex)) AddParents(EndNode(start.dotted, start.entry), start.vertex);
    }
    while (!work_.empty()) {
      if (stop.stop_requested()) return false;
      auto [node, vertex, chain] = work_.back();
      work_.pop_back();
      if (chain) {
        for (const RightSpine::Parent& parent : spine_.exits(*chain)) AddParent(node, parent);
      } else {
        AddParents(node, vertex);
      }
    }
    SortUnique(parts_.roots);
    for (std::vector<DemandNodeId>& children : parts_.children) SortUnique(children);
    return true;
  }
  DemandGraph::Parts Take() { return std::move(parts_); }

 private:
  struct Start {
    DottedId dotted;
    GapEntry entry;
    SpineVertexId vertex;
  };
  struct Work {
    DemandNodeId node;
    SpineVertexId vertex;
    std::optional<uint32_t> chain;
  };

  // The items in which the gap may lie. A first or last dot is left out, since the item above says
  // the same. The start rule has no item above it: its last dot counts, and its first where L is
  // empty.
  void BeginAll(bool whole) {
    for (const RightAutomaton::Entry& entry : automaton_.entries(seam_)) {
      spine_.BeginInner(entry.node);
      for (size_t dot = whole ? 0 : 1; dot <= 1; ++dot) {
        const DottedId item = index_.DottedOf(index_.augmented(), dot);
        if (auto vertex = spine_.BeginStart(entry.node, item))
          starts_.push_back({item, entry.kind, *vertex});
      }
    }
  }

  DemandNodeId NewNode(DottedId dotted, bool mid, uint8_t entries) {
    DemandNode made;
    made.rule = index_.dotted(dotted).rule;
    made.dot = index_.dotted(dotted).dot;
    made.mid = mid;
    made.entries = entries;
    if (mid) {
      made.family = static_cast<uint32_t>(parts_.children.size());
      parts_.children.emplace_back();
    }
    parts_.nodes.push_back(made);
    return DemandNodeId{static_cast<uint32_t>(parts_.nodes.size() - 1)};
  }

  DemandNodeId EndNode(DottedId dotted, GapEntry entry) {
    auto [at, fresh] = ends_.try_emplace(uint64_t{dotted.value} << 8 | entry);
    if (fresh) at->second = NewNode(dotted, false, entry);
    return at->second;
  }

  // The node of a vertex, or of its chain.
  DemandNodeId MidNode(SpineVertexId vertex) {
    DottedId dotted = spine_.vertex(vertex).dotted;
    std::optional<uint32_t> chain = spine_.ChainOf(vertex);
    uint64_t key = chain ? uint64_t{1} << 63 | uint64_t{*chain} << 24 | dotted.value : vertex.value;
    auto [at, fresh] = mids_.try_emplace(key);
    if (fresh) {
      at->second = NewNode(dotted, true, 0);
      work_.push_back({at->second, vertex, chain});
    }
    return at->second;
  }

  // The variant of a node whose item has scanned the end of a block with a column in [lo, hi].
  DemandNodeId WithInterval(DemandNodeId node, uint16_t lo, uint16_t hi) {
    if (lo == 0 && hi == kMaxColumn) return node;
    auto [at, fresh] = intervals_.try_emplace(uint64_t{node.value} << 32 | uint64_t{lo} << 16 | hi);
    if (fresh) {
      DemandNode made = parts_.nodes[node.value];
      made.lo = lo;
      made.hi = hi;
      at->second = DemandNodeId{static_cast<uint32_t>(parts_.nodes.size())};
      parts_.nodes.push_back(made);
    }
    return at->second;
  }

  void AddParents(DemandNodeId node, SpineVertexId vertex) {
    RightSpine::Parents parents = spine_.ParentsOf(vertex);
    for (const RightSpine::Parent& root : parents.roots)
      parts_.roots.push_back(WithInterval(node, root.lo, root.hi));
    for (const RightSpine::Parent& parent : parents.parents) AddParent(node, parent);
  }

  void AddParent(DemandNodeId node, const RightSpine::Parent& parent) {
    DemandNodeId child = WithInterval(node, parent.lo, parent.hi);
    DemandNodeId above = MidNode(parent.vertex);
    parts_.children[parts_.nodes[above.value].family].push_back(child);
  }

  const GrammarIndex& index_;
  RightAutomaton& automaton_;
  RightSpine& spine_;
  const Seam seam_;
  std::vector<Start> starts_;  // items of the start rule
  DemandGraph::Parts parts_;
  std::vector<Work> work_;  // nodes whose parents are not yet known
  boost::unordered_flat_map<uint64_t, DemandNodeId> ends_, mids_, intervals_;
};

}  // namespace

std::optional<DemandGraph> DemandGraph::Build(const GrammarIndex& index, RightAutomaton& automaton,
                                              const Yields& yields, RightSpine& spine, bool whole,
                                              const std::stop_token& stop, Seam seam) {
  Gatherer gatherer(index, automaton, spine, seam);
  if (!gatherer.Gather(whole, stop)) return std::nullopt;
  return DemandGraph(gatherer.Take(), automaton.wordless(), yields);
}

DemandGraph::DemandGraph(Parts parts, uint8_t wordless, const Yields& yields)
    : nodes_(std::move(parts.nodes)),
      children_(std::move(parts.children)),
      roots_(std::move(parts.roots)),
      wordless_(wordless) {
  KeepReachable();
  ComputeEntries(yields);
}

void DemandGraph::KeepReachable() {
  constexpr uint32_t kUnseen = 0xffffffffu;
  std::vector<uint32_t> renamed(nodes_.size(), kUnseen), families(children_.size(), kUnseen);
  std::vector<DemandNode> nodes;
  std::vector<std::vector<DemandNodeId>> children(1);
  families[0] = 0;
  auto visit = [&](DemandNodeId& id) {
    if (renamed[id.value] == kUnseen) {
      renamed[id.value] = static_cast<uint32_t>(nodes.size());
      nodes.push_back(nodes_[id.value]);
    }
    id.value = renamed[id.value];
  };
  for (DemandNodeId& root : roots_) visit(root);
  for (size_t i = 0; i < nodes.size(); ++i) {
    uint32_t family = nodes[i].family;
    if (families[family] == kUnseen) {
      families[family] = static_cast<uint32_t>(children.size());
      for (DemandNodeId& child : children_[family]) visit(child);
      children.push_back(std::move(children_[family]));
    }
    nodes[i].family = families[family];
  }
  nodes_ = std::move(nodes);
  children_ = std::move(children);
}

// The entries that W can reach through a node that the left side does not share: the prefix that W
// owes there must have a text.
uint8_t DemandGraph::Reach(const DemandNode& node, const Yields& yields) const {
  size_t owed = node.mid ? node.dot - 1 : node.dot;
  return Owing(node.entries, owed == 0, yields.Productive(node.rule, 0, owed));
}

void DemandGraph::ComputeEntries(const Yields& yields) {
  // The parents of node n: parents[begins[n]] and those after it.
  std::vector<uint32_t> begins(nodes_.size() + 1), parents;
  for (const DemandNode& node : nodes_) {
    for (DemandNodeId child : children_[node.family]) ++begins[child.value];
  }
  std::partial_sum(begins.begin(), begins.end(), begins.begin());
  parents.resize(begins.back());
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    for (DemandNodeId child : children_[nodes_[n].family]) parents[--begins[child.value]] = n;
  }
  std::vector<uint32_t> work;
  for (uint32_t n = 0; n < nodes_.size(); ++n) {
    if (!nodes_[n].mid) work.push_back(n);
  }
  while (!work.empty()) {
    uint32_t n = work.back();
    work.pop_back();
    uint8_t reach = Reach(nodes_[n], yields);
    for (uint32_t i = begins[n]; i < begins[n + 1]; ++i) {
      const uint32_t parent = parents[i];
      uint8_t merged = nodes_[parent].entries | reach;
      if (merged == nodes_[parent].entries) continue;
      nodes_[parent].entries = merged;
      work.push_back(parent);
    }
  }
}

}  // namespace tenon::constraint
