#include "constraint/closing/planner.h"

#include <algorithm>
#include <functional>
#include <queue>
#include <set>
#include <span>
#include <utility>

namespace tenon::constraint {

namespace {

uint32_t Sum(uint32_t a, uint32_t b) { return std::min(a + b, kNoYield); }

bool IsSubset(PredicateBits part, PredicateBits of) { return (part & ~of) == 0; }

// Where both sides meet in the node's rule: before the symbol that R is in, or begins with.
size_t MeetingDot(const DemandNode& node) { return node.mid ? node.dot - 1u : node.dot; }

constexpr std::array<bool, 2> kWhetherUnended{false, true};  // the second with `%terminator`

// Of the first `most` bits, each subset. The empty one is the first, the full one the last.
std::vector<PredicateBits> SubsetsOf(PredicateBits bits, size_t most) {
  std::vector<PredicateBits> subsets{0};
  for (; bits != 0 && most > 0; bits &= bits - 1, --most) {
    const PredicateBits first = bits & -bits;
    for (size_t i = 0, count = subsets.size(); i < count; ++i)
      subsets.push_back(subsets[i] | first);
  }
  return subsets;
}

}  // namespace

Planner::Planner(SharedGap& gap, std::stop_token stop, PredicateBits wanted)
    : gap_(gap),
      index_(gap.index()),
      graph_(gap.graph()),
      stop_(std::move(stop)),
      owed_sets_(SubsetsOf(wanted, kMaxWanted)),
      line_ends_(gap.mover().layout().line_ends().has_terminator()) {
  ComputeDown();
}

void Planner::ComputeDown() {
  size_t n = graph_.size();
  std::vector<std::vector<uint32_t>> parents(n);
  for (uint32_t i = 0; i < n; ++i) {
    for (DemandNodeId child : graph_.children(DemandNodeId{i})) parents[child.value].push_back(i);
  }
  for (GapEntry entry : {kEntryWithinLine, kEntryLine, kEntryLexeme}) ComputeDown(entry, parents);
}

void Planner::ComputeDown(GapEntry entry, const std::vector<std::vector<uint32_t>>& parents) {
  auto& down = down_[Index(entry)];
  auto& child_cost = child_cost_[Index(entry)];
  auto& child = child_[Index(entry)];
  const LastTerminal wanted = Wanted(entry);
  const size_t states = graph_.size() * owed_sets_.size() * 2;
  down.assign(states, kNoYield);
  child_cost.assign(states, kNoYield);
  child.assign(states, {});
  // (cost, At), the cheapest first: so a cost is final when it is taken.
  std::priority_queue<std::pair<uint32_t, size_t>, std::vector<std::pair<uint32_t, size_t>>,
                      std::greater<>>
      work;
  const auto offer = [&](Owing to, uint32_t cost, Owing below) {
    const size_t at = At(to);
    if (cost >= child_cost[at]) return;
    const DemandNode& node = graph_.node(to.node);
    child_cost[at] = cost;
    child[at] = below;
    down[at] = Sum(gap_.yields().Between(node.rule, 0, MeetingDot(node),
                                         to.unended ? wanted : LastTerminal::kAny),
                   cost);
    work.emplace(down[at], at);
  };
  for (uint32_t i = 0; i < graph_.size(); ++i) {
    const DemandNode& node = graph_.node(DemandNodeId{i});
    if (node.mid || !(node.entries & entry)) continue;
    const auto last = static_cast<uint8_t>(owed_sets_.size() - 1);
    std::optional<uint8_t> owed = last;
    if (node.dot < index_.Length(node.rule))
      owed = OwedOutside(index_.Body(node.rule, node.dot), last);
    if (owed) offer({DemandNodeId{i}, *owed, wanted != LastTerminal::kAny}, 0, {});
  }
  while (!work.empty() && !stopped()) {
    const auto [cost, at] = work.top();
    work.pop();
    if (cost != down[at]) continue;
    const Owing below = OwingAt(at);
    const DemandNode& node = graph_.node(below.node);
    const RuleId rule = node.rule;
    const bool unended = below.unended && MeetingDot(node) == 0;
    if (rule == index_.augmented()) continue;  // nothing is above it
    const auto owed = OwedOutside(index_.Head(rule), below.owed);
    if (!owed) continue;
    for (uint32_t parent : parents[below.node.value])
      offer({DemandNodeId{parent}, *owed, unended}, cost, below);
  }
}

Planner::Owing Planner::OwingAt(size_t at) const {
  const size_t sets = owed_sets_.size();
  return {DemandNodeId{static_cast<uint32_t>(at / 2 / sets)}, static_cast<uint8_t>(at / 2 % sets),
          at % 2 != 0};
}

LastTerminal Planner::Wanted(GapEntry entry) const {
  if (!line_ends_ || entry == kEntryLexeme) return LastTerminal::kAny;
  return entry == kEntryLine ? LastTerminal::kEndsPhrase : LastTerminal::kGoesOn;
}

std::optional<uint8_t> Planner::OwedOutside(SymbolId symbol, uint8_t owed) const {
  if (owed == 0) return 0;
  const ContextChange change = index_.grammar().ChangeOf(symbol);
  const PredicateBits outside = owed_sets_[owed] & ~change.on;
  if ((outside & change.off) != 0) return std::nullopt;
  return static_cast<uint8_t>(std::find(owed_sets_.begin(), owed_sets_.end(), outside) -
                              owed_sets_.begin());
}

PredicateBits Planner::ContextOf(NodeId node, const LrItem& item) const {
  const StackArena& stacks = gap_.mover().stacks();
  return item.dot == 0 ? stacks.ContextAt(node) : stacks.node(node).outer;
}

NodeId Planner::BeginOf(NodeId node, const LrItem& item, GapEntry entry) {
  StackArena& stacks = gap_.mover().stacks();
  if (!stacks.node(node).over_packed) {
    for (size_t level = item.dot; level > 0; --level) node = stacks.node(node).below;
    return node;
  }
  std::vector<NodeId> begins;
  stacks.FindBelow(node, item.dot, begins);
  if (begins.size() == 1 || item.rule == index_.augmented()) return begins[0];
  return *std::min_element(begins.begin(), begins.end(), [&](NodeId a, NodeId b) {
    const auto cost = [&](NodeId begin) {
      const ReturnCosts costs = RetOf(begin, item.rule, entry);
      return std::min(costs[0], costs[1]);
    };
    return std::pair(cost(a), a) < std::pair(cost(b), b);
  });
}

Planner::Step Planner::Completed(const LrItem& item, size_t dot, bool ends_phrase,
                                 const ReturnCosts& ret) const {
  const size_t end = index_.Length(item.rule);
  if (dot == end) return {ret[ends_phrase], {}};
  if (!line_ends_) return {Sum(gap_.yields().Between(item.rule, dot, end), ret[0]), {}};
  Step best;
  for (const LastTerminal last : {LastTerminal::kGoesOn, LastTerminal::kEndsPhrase}) {
    const uint32_t cost = Sum(gap_.yields().Between(item.rule, dot, end, last),
                              ret[last == LastTerminal::kEndsPhrase]);
    if (cost < best.cost) best = {cost, {}, last};
  }
  return best;
}

Planner::Step Planner::Best(const LrItem& item, size_t dot, bool ends_phrase,
                            const std::vector<DemandNodeId>& shared, PredicateBits context,
                            const ReturnCosts& ret, GapEntry entry) const {
  const LastTerminal wanted = Wanted(entry);
  Step best = Completed(item, dot, ends_phrase, ret);
  for (DemandNodeId id : shared) {
    const size_t r = MeetingDot(graph_.node(id));
    if (dot > r) continue;
    for (const bool unended : std::span(kWhetherUnended).first(line_ends_ ? 2 : 1)) {
      if (unended && dot == r && ends_phrase != (wanted == LastTerminal::kEndsPhrase)) continue;
      const LastTerminal last = unended ? wanted : LastTerminal::kAny;
      const uint32_t yield = gap_.yields().Between(item.rule, dot, r, last);
      for (uint8_t owed = 0; owed < owed_sets_.size(); ++owed) {
        if (!IsSubset(owed_sets_[owed], context)) continue;
        const Owing join{id, owed, unended};
        const uint32_t cost = Sum(yield, child_cost_[Index(entry)][At(join)]);
        if (cost < best.cost) best = {cost, join, last};
      }
    }
  }
  return best;
}

Planner::ReturnCosts Planner::RetOf(NodeId begin, RuleId rule, GapEntry entry) {
  ReturnCosts costs{kNoYield, kNoYield};
  if (rule == index_.augmented()) return costs;
  const Level& level = LevelOf(begin, entry);
  for (size_t ends_phrase = 0; ends_phrase <= (line_ends_ ? 1 : 0); ++ends_phrase) {
    if (const Return* found = In(level, index_.Head(rule), ends_phrase != 0))
      costs[ends_phrase] = found->cost;
  }
  return costs;
}

const Planner::Return* Planner::In(const Level& level, SymbolId nonterminal, bool ends_phrase) {
  if (level.returns.empty()) return nullptr;
  const std::vector<SymbolId>& all = level.waits->nonterminals;
  const auto at = std::lower_bound(all.begin(), all.end(), nonterminal);
  if (at == all.end() || *at != nonterminal) return nullptr;
  return &level.returns[static_cast<size_t>(at - all.begin()) + (ends_phrase ? all.size() : 0)];
}

const Planner::Waits& Planner::WaitsOf(LrStateId state) {
  const auto [known, fresh] = waits_.try_emplace(state);
  Waits& made = known->second;
  if (!fresh) return made;
  const std::span<const LrItem> items = gap_.language().table.items(state);
  const auto next_of = [this](const LrItem& item) -> std::optional<SymbolId> {
    if (item.dot == index_.Length(item.rule)) return std::nullopt;
    const SymbolId next = index_.Body(item.rule, item.dot);
    return index_.grammar().IsLrTerminal(next) ? std::nullopt : std::optional(next);
  };
  for (const LrItem& item : items) {
    if (const auto next = next_of(item)) made.nonterminals.push_back(*next);
  }
  SortUnique(made.nonterminals);
  const auto place_of = [&made](std::optional<SymbolId> symbol) {
    if (!symbol) return kNone;
    const auto at = std::lower_bound(made.nonterminals.begin(), made.nonterminals.end(), *symbol);
    return at != made.nonterminals.end() && *at == *symbol
               ? static_cast<uint16_t>(at - made.nonterminals.begin())
               : kNone;
  };
  for (const LrItem& item : items) {
    made.next.push_back(place_of(next_of(item)));
    made.head.push_back(item.rule == index_.augmented() ? kNone : place_of(index_.Head(item.rule)));
  }
  return made;
}

const Planner::Level& Planner::LevelOf(NodeId node, GapEntry entry) {
  auto& levels = levels_[Index(entry)];
  if (auto at = levels.find(node); at != levels.end()) return at->second;
  if (stopped()) return no_level_;
  // Deep stacks: the levels below come first, from the bottom, so that the recursion below stays
  // shallow.
  const StackArena& stacks = gap_.mover().stacks();
  std::set<NodeId> missing;  // ascending: a node is newer than those below it
  std::vector<NodeId> work{node};
  const auto want = [&](NodeId id) {
    if (!levels.contains(id) && missing.insert(id).second) work.push_back(id);
  };
  while (!work.empty()) {
    const NodeId at = work.back();
    work.pop_back();
    if (at == kBottomNode) continue;
    const NodeId below = stacks.node(at).below;
    if (!stacks.IsPacked(below)) {
      want(below);
    } else {
      for (NodeId alternative : stacks.Alternatives(below)) want(alternative);
    }
  }
  for (NodeId below : missing) {
    if (stopped()) return no_level_;
    LevelOf(below, entry);
  }

  const ViabilityClasses::Class& cls =
      gap_.classes().at(gap_.classes().Of(gap_.mover().stacks(), node));
  std::span<const LrItem> items = gap_.language().table.items(cls.state);
  const Waits& waits = WaitsOf(cls.state);
  const size_t count = waits.nonterminals.size();
  Level level{&waits, std::vector<Return>(count * (line_ends_ ? 2 : 1))};
  bool bottom = node == kBottomNode;
  for (bool changed = true; changed;) {  // closure items return to this very level
    changed = false;
    for (size_t i = 0; i < items.size(); ++i) {
      const LrItem& item = items[i];
      if (waits.next[i] == kNone) continue;
      ReturnCosts ret{kNoYield, kNoYield};
      if (item.dot != 0 && !bottom) {
        ret = RetOf(BeginOf(node, item, entry), item.rule, entry);
      } else if (waits.head[i] != kNone) {
        ret[0] = level.returns[waits.head[i]].cost;
        if (line_ends_) ret[1] = level.returns[waits.head[i] + count].cost;
      }
      for (size_t ends_phrase = 0; ends_phrase <= (line_ends_ ? 1 : 0); ++ends_phrase) {
        const Step step = Best(item, item.dot + 1u, ends_phrase != 0, cls.items[i].shared,
                               ContextOf(node, item), ret, entry);
        Return& best = level.returns[waits.next[i] + ends_phrase * count];
        if (step.cost < best.cost) {
          best = {step.cost, static_cast<uint16_t>(i), step};
          changed = true;
        }
      }
    }
  }
  return levels.emplace(node, std::move(level)).first->second;
}

void Planner::Spell(RuleId rule, size_t begin, size_t end, LastTerminal last,
                    std::vector<SymbolId>& out) const {
  for (size_t i = begin; i < end; ++i)
    gap_.yields().Append(index_.Body(rule, i), out, i + 1 == end ? last : LastTerminal::kAny);
}

void Planner::SpellDown(Owing from, GapEntry entry, std::vector<SymbolId>& out) const {
  while (graph_.node(from.node).mid) {
    from = child_[Index(entry)][At(from)];
    const DemandNode& node = graph_.node(from.node);
    Spell(node.rule, 0, MeetingDot(node), from.unended ? Wanted(entry) : LastTerminal::kAny, out);
  }
}

std::optional<Plan> Planner::Find(NodeId top, bool ends_phrase, GapEntry entry) {
  const ViabilityClasses::Class& cls =
      gap_.classes().at(gap_.classes().Of(gap_.mover().stacks(), top));
  std::span<const LrItem> items = gap_.language().table.items(cls.state);
  std::vector<ViabilityClasses::ItemInfo> infos = cls.items;
  Step best;
  size_t chosen = 0;
  for (size_t i = 0; i < items.size(); ++i) {
    Step step = Best(items[i], items[i].dot, ends_phrase, infos[i].shared, ContextOf(top, items[i]),
                     RetOf(BeginOf(top, items[i], entry), items[i].rule, entry), entry);
    if (step.cost < best.cost) {
      best = step;
      chosen = i;
    }
  }
  if (best.cost >= kNoYield || stopped()) return std::nullopt;
  Plan plan;
  plan.entry = entry;
  plan.cost = best.cost;
  LrItem item = items[chosen];
  size_t dot = item.dot;
  NodeId begin = BeginOf(top, item, entry);
  while (!best.join) {
    if (stopped()) return std::nullopt;
    Spell(item.rule, dot, index_.Length(item.rule), best.last, plan.terminals);
    if (best.last != LastTerminal::kAny) ends_phrase = best.last == LastTerminal::kEndsPhrase;
    const Return* parent = In(LevelOf(begin, entry), index_.Head(item.rule), ends_phrase);
    if (!parent) return std::nullopt;
    LrStateId state = gap_.mover().stacks().node(begin).state;
    item = gap_.language().table.items(state)[parent->item];
    dot = item.dot + 1u;
    begin = BeginOf(begin, item, entry);
    best = parent->step;
  }
  Spell(item.rule, dot, MeetingDot(graph_.node(best.join->node)), best.last, plan.terminals);
  SpellDown(*best.join, entry, plan.terminals);
  return plan;
}

}  // namespace tenon::constraint
