#include "tests/oracle/earley_demand.h"

#include <algorithm>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

namespace tenon::oracle {

using namespace constraint;

namespace {

bool Meets(const Bits& a, const uint64_t* b) {
  for (size_t w = 0; w < a.size(); ++w) {
    if (a[w] & b[w]) return true;
  }
  return false;
}

struct Mix {
  size_t operator()(uint64_t x) const {
    x ^= x >> 32;
    x *= 0x9e3779b97f4a7c15u;
    return x ^ x >> 29;
  }
};

}  // namespace

// Agenda-driven Earley; items of known origin carry an automaton node, those of unknown origin a
// demand node.
class EarleyDemand {
 public:
  EarleyDemand(const GrammarIndex& index, RightAutomaton& automaton)
      : index_(index), automaton_(automaton) {
    size_t rules = index.grammar().rules.size() + 1;
    for (uint32_t r = 0; r < rules; ++r) {
      dotted_begin_.push_back(static_cast<uint32_t>(dotted_.size()));
      for (uint16_t dot = 0; dot <= index.Length(RuleId{r}); ++dot) {
        SymbolId next = dot < index.Length(RuleId{r}) ? index.Body(RuleId{r}, dot) : kComplete;
        dotted_.push_back({RuleId{r}, dot, next});
      }
    }
    LabelNodes();
  }

  DemandGraph::Parts Build() {
    graph_.children.emplace_back();  // family 0: no children
    seen_.reserve(automaton_.size() * 32);
    expected_ids_.reserve(automaton_.size() * 16);
    for (const RightAutomaton::Entry& entry : automaton_.entries()) {
      for (uint32_t d = 0; d < dotted_.size(); ++d) {
        if (!Useful(d, entry.node.value)) continue;
        DemandNodeId node = InternEnd(d, entry.kind);
        Add(d, kUnknown | node.value, entry.node.value);
      }
    }
    while (!agenda_.empty()) {
      Item item = agenda_.back();
      agenda_.pop_back();
      Process(item);
    }
    return std::move(graph_);
  }

 private:
  static constexpr SymbolId kComplete{0xffff};
  static constexpr uint32_t kUnknown = 0x80000000u;

  struct Dotted {
    RuleId rule;
    uint16_t dot;
    SymbolId next;  // kComplete behind the last symbol
  };
  struct Item {
    uint32_t dotted, origin, position;
    bool operator==(const Item&) const = default;
  };
  struct ItemHash {
    size_t operator()(const Item& i) const {
      return Mix()(static_cast<uint64_t>(i.origin) << 32 | i.position) * 31 + Mix()(i.dotted);
    }
  };

  void LabelNodes() {
    for (uint32_t n = 0; n < automaton_.size(); ++n)
      automaton_.edges(RightNodeId{n});  // makes the nodes behind it
    size_t words = index_.words();
    labels_.assign(automaton_.size() * words, 0);
    size_t end = index_.grammar().lr_terminals.size();
    for (uint32_t n = 0; n < automaton_.size(); ++n) {
      uint64_t* bits = &labels_[n * words];
      for (const RightEdge& edge : automaton_.edges(RightNodeId{n})) {
        for (SymbolId c : automaton_.label(edge.label))
          bits[c.value / 64] |= uint64_t{1} << c.value % 64;
      }
      if (automaton_.is_final(RightNodeId{n})) bits[end / 64] |= uint64_t{1} << end % 64;
    }
  }

  const uint64_t* Labels(uint32_t position) const { return &labels_[position * index_.words()]; }

  // Can the item go on from here, by what the automaton's edges say?
  bool Useful(uint32_t dotted, uint32_t position) const {
    const Dotted& d = dotted_[dotted];
    if (d.next != kComplete) return Meets(index_.First(d.next), Labels(position));
    if (d.rule == index_.augmented()) return automaton_.is_final(RightNodeId{position});
    return Meets(index_.Follow(index_.Head(d.rule)), Labels(position));
  }

  void Add(uint32_t dotted, uint32_t origin, uint32_t position) {
    if (!Useful(dotted, position)) return;
    Item item{dotted, origin, position};
    if (seen_.insert(item).second) agenda_.push_back(item);
  }

  void Process(const Item& item) {
    const Dotted& d = dotted_[item.dotted];
    if (d.next == kComplete) {
      if (item.origin & kUnknown)
        CompleteUnknown(DemandNodeId{item.origin & ~kUnknown}, item.position);
      else
        CompleteKnown(index_.Head(d.rule), item.origin, item.position);
    } else if (index_.grammar().IsLrTerminal(d.next)) {
      Scan(item);
    } else {
      Predict(item, d.next);
    }
  }

  void Scan(const Item& item) {
    for (const RightEdge& edge : automaton_.edges(RightNodeId{item.position})) {
      const Dotted& d = dotted_[item.dotted];
      if (!index_.ScansAny(index_.DottedOf(d.rule, d.dot), automaton_.label(edge.label))) continue;
      uint32_t origin = item.origin;
      if (edge.kind == RightEdge::Kind::kDedent && origin & kUnknown) {
        origin = kUnknown | WithInterval(DemandNodeId{origin & ~kUnknown}, edge.lo, edge.hi).value;
      }
      Add(item.dotted + 1, origin, edge.target.value);
    }
  }

  // A nonterminal expected at a position: lists of the items that wait for it and of the positions
  // where it has ended. Lists are links in two pools: most hold one or two entries, and a vector
  // each would cost more than all the rest.
  struct Expected {
    uint32_t waiting = kNoLink, ends = kNoLink;
  };
  template <typename T>
  struct Link {
    T value;
    uint32_t next;
  };
  static constexpr uint32_t kNoLink = 0xffffffffu;

  template <typename T>
  static void Prepend(std::vector<Link<T>>& pool, uint32_t& head, const T& value) {
    pool.push_back({value, head});
    head = static_cast<uint32_t>(pool.size() - 1);
  }

  Expected& At(SymbolId nonterminal, uint32_t position, bool* fresh) {
    auto [at, inserted] =
        expected_ids_.try_emplace(static_cast<uint64_t>(position) << 16 | nonterminal.value,
                                  static_cast<uint32_t>(expected_.size()));
    *fresh = inserted;
    if (inserted) expected_.emplace_back();
    return expected_[at->second];
  }

  void Predict(const Item& item, SymbolId nonterminal) {
    bool fresh = false;
    Expected& expected = At(nonterminal, item.position, &fresh);
    Prepend(waiting_, expected.waiting, item);
    for (uint32_t e = expected.ends; e != kNoLink; e = ends_of_[e].next)
      Add(item.dotted + 1, item.origin, ends_of_[e].value);
    if (!fresh) return;
    for (RuleId rule : index_.RulesOf(nonterminal))
      Add(dotted_begin_[rule.value], item.position, item.position);
  }

  void CompleteKnown(SymbolId head, uint32_t origin, uint32_t end) {
    bool fresh = false;
    Expected& expected = At(head, origin, &fresh);
    for (uint32_t e = expected.ends; e != kNoLink; e = ends_of_[e].next) {
      if (ends_of_[e].value == end) return;
    }
    Prepend(ends_of_, expected.ends, end);
    for (uint32_t w = expected.waiting; w != kNoLink; w = waiting_[w].next) {
      const Item& waiting = waiting_[w].value;
      Add(waiting.dotted + 1, waiting.origin, end);
    }
  }

  void CompleteUnknown(DemandNodeId node, uint32_t end) {
    RuleId rule = graph_.nodes[node.value].rule;
    if (rule == index_.augmented()) {
      if (automaton_.is_final(RightNodeId{end})) graph_.roots.push_back(node);
      return;
    }
    for (const LrItem& item : index_.ItemsAfter(index_.Head(rule))) {
      uint32_t dotted = dotted_begin_[item.rule.value] + item.dot;
      if (!Useful(dotted, end)) continue;
      auto [at, fresh] =
          mids_.try_emplace(static_cast<uint64_t>(end) << 20 | dotted,
                            DemandNodeId{static_cast<uint32_t>(graph_.nodes.size())});
      DemandNodeId parent = at->second;
      if (fresh) {
        DemandNode made;
        made.rule = item.rule;
        made.dot = item.dot;
        made.mid = true;
        made.family = static_cast<uint32_t>(graph_.children.size());
        graph_.nodes.push_back(made);
        graph_.children.emplace_back();
      }
      graph_.children[graph_.nodes[parent.value].family].push_back(node);
      if (fresh) Add(dotted, kUnknown | parent.value, end);
    }
  }

  DemandNodeId InternEnd(uint32_t dotted, GapEntry entry) {
    auto [at, fresh] = ends_.try_emplace(static_cast<uint64_t>(dotted) << 8 | entry,
                                         DemandNodeId{static_cast<uint32_t>(graph_.nodes.size())});
    if (fresh) {
      DemandNode made;
      made.rule = dotted_[dotted].rule;
      made.dot = dotted_[dotted].dot;
      made.entries = entry;
      graph_.nodes.push_back(made);
    }
    return at->second;
  }

  DemandNodeId WithInterval(DemandNodeId node, uint16_t lo, uint16_t hi) {
    uint64_t key = static_cast<uint64_t>(node.value) << 32 | static_cast<uint64_t>(lo) << 16 | hi;
    auto [at, fresh] =
        intervals_.try_emplace(key, DemandNodeId{static_cast<uint32_t>(graph_.nodes.size())});
    if (fresh) {
      DemandNode made = graph_.nodes[node.value];
      made.lo = lo;
      made.hi = hi;
      graph_.nodes.push_back(made);
    }
    return at->second;
  }

  const GrammarIndex& index_;
  RightAutomaton& automaton_;
  DemandGraph::Parts graph_;
  std::vector<Dotted> dotted_;
  std::vector<uint32_t> dotted_begin_;  // [RuleId]
  std::vector<uint64_t> labels_;        // [automaton node][word] columns on its edges, and the end
  std::vector<Item> agenda_;
  boost::unordered_flat_set<Item, ItemHash> seen_;
  boost::unordered_flat_map<uint64_t, uint32_t, Mix>
      expected_ids_;  // (position, nonterminal) -> expected_
  std::vector<Expected> expected_;
  std::vector<Link<Item>> waiting_;
  std::vector<Link<uint32_t>> ends_of_;
  boost::unordered_flat_map<uint64_t, DemandNodeId, Mix> ends_, mids_, intervals_;
};

DemandGraph EarleyDemandGraph(const GrammarIndex& index, RightAutomaton& automaton,
                              const Yields& yields) {
  return DemandGraph(EarleyDemand(index, automaton).Build(), automaton.wordless(), yields);
}

}  // namespace tenon::oracle
