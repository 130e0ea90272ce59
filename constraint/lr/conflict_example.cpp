#include "constraint/lr/conflict_example.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

namespace tenon::constraint {

namespace {
constexpr uint32_t kEndless = 0x3fffffff;
constexpr uint32_t kMaxTerminals = 10000;  // of an example: a longer one explains nothing
}  // namespace

ConflictExplainer::ConflictExplainer(const Grammar& grammar, const LrTable& table)
    : grammar_(grammar),
      table_(table),
      least_(grammar.symbol_count(), kEndless),
      shortest_(grammar.symbol_count()),
      first_(grammar.symbol_count(), Bits(WordsFor(grammar.lr_terminals.size()))),
      predecessors_(table.state_count()),
      accessing_(table.state_count()) {
  for (size_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    least_[c] = 1;
    SetBit(first_[c], c);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = 0; r < grammar.rules.size(); ++r) {
      const Rule& rule = grammar.rules[r];
      uint32_t sum = 0;
      for (SymbolId s : rule.body) sum = std::min(sum + least_[s.value], kEndless);
      if (sum < least_[rule.head.value]) {
        least_[rule.head.value] = sum;
        shortest_[rule.head.value] = RuleId{r};
        changed = true;
      }
      changed |= MergeBits(first_[rule.head.value], first_[rule.body[0].value]);
    }
  }
  for (uint16_t p = 0; p < table.state_count(); ++p) {
    for (uint16_t s = 0; s < grammar.symbol_count(); ++s) {
      LrStateId to = table.Goto(LrStateId{p}, SymbolId{s});
      if (to == kNoLrState) continue;
      predecessors_[to.value].push_back(LrStateId{p});
      accessing_[to.value] = SymbolId{s};
    }
  }
}

bool ConflictExplainer::BeginsWith(SymbolId symbol, SymbolId lr_terminal) const {
  return lr_terminal.value < grammar_.lr_terminals.size() &&
         HasBit(first_[symbol.value], lr_terminal.value);
}

void ConflictExplainer::Spell(SymbolId symbol, std::vector<SymbolId>& out) const {
  std::vector<SymbolId> work{symbol};
  while (!work.empty()) {
    const SymbolId next = work.back();
    work.pop_back();
    if (grammar_.IsLrTerminal(next)) {
      out.push_back(next);
      continue;
    }
    const std::vector<SymbolId>& body = grammar_.rules[shortest_[next.value].value].body;
    work.insert(work.end(), body.rbegin(), body.rend());
  }
}

// Dijkstra's algorithm backwards; the path forward is read off the links.
std::optional<std::vector<SymbolId>> ConflictExplainer::ShortestBefore(LrStateId state,
                                                                       const LrItem& item,
                                                                       SymbolId lr_terminal,
                                                                       bool must_follow) const {
  struct Node {
    LrStateId state;
    LrItem item;
    bool must;  // the text after the item's rule must begin with the LR terminal
    auto operator<=>(const Node&) const = default;
  };
  struct Known {
    uint32_t cost = kEndless;
    bool settled = false;
    std::optional<Node> next;  // on the path to the conflict
  };
  using Entry = std::pair<uint32_t, Node>;
  std::map<Node, Known> known;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  auto offer = [&](const Node& node, uint32_t cost, std::optional<Node> next) {
    Known& at = known[node];
    if (cost >= at.cost) return;
    at = {cost, false, next};
    queue.emplace(cost, node);
  };
  offer({state, item, must_follow}, 0, std::nullopt);
  while (!queue.empty()) {
    auto [cost, node] = queue.top();
    if (cost > kMaxTerminals) return std::nullopt;
    queue.pop();
    if (known[node].settled) continue;
    known[node].settled = true;
    if (node.item.rule == grammar_.augmented() && node.item.dot == 0) {
      if (node.must && lr_terminal != table_.end_terminal()) continue;
      std::vector<SymbolId> before;
      for (std::optional<Node> at = node; at; at = known[*at].next) {
        std::optional<Node> next = known[*at].next;
        if (next && next->item.dot == at->item.dot + 1)
          Spell(accessing_[next->state.value], before);
      }
      return before;
    }
    if (node.item.dot > 0) {
      LrItem back{node.item.rule, static_cast<uint16_t>(node.item.dot - 1)};
      for (LrStateId p : predecessors_[node.state.value]) {
        std::span<const LrItem> items = table_.items(p);
        if (std::find(items.begin(), items.end(), back) == items.end()) continue;
        offer({p, back, node.must}, cost + least_[accessing_[node.state.value].value], node);
      }
      continue;
    }
    for (const LrItem& parent : table_.items(node.state)) {
      size_t length = grammar_.LengthOf(parent.rule);
      if (parent.dot >= length ||
          grammar_.SymbolAt(parent.rule, parent.dot) != grammar_.rules[node.item.rule.value].head)
        continue;
      bool last = parent.dot + 1u == length;
      if (node.must && !last &&
          !BeginsWith(grammar_.SymbolAt(parent.rule, parent.dot + 1), lr_terminal))
        continue;
      offer({node.state, parent, node.must && last}, cost, node);
    }
  }
  return std::nullopt;
}

std::vector<ConflictReading> ConflictExplainer::Readings(const LrConflict& found) const {
  LrConflict conflict = found;
  if (found.terminal.value < grammar_.lr_terminals.size())  // in rules, a fallback is its target
    conflict.terminal =
        grammar_.lr_terminals[found.terminal.value].reads_as.value_or(found.terminal);
  std::vector<ConflictReading> readings;
  const std::vector<SymbolId>* reduced = nullptr;  // the shortest text of a reduction
  for (const LrAction& action : conflict.actions) {
    if (action.kind != LrAction::Kind::kReduce) continue;
    LrItem item{RuleId{action.target},
                static_cast<uint16_t>(grammar_.LengthOf(RuleId{action.target}))};
    auto before = ShortestBefore(conflict.state, item, conflict.terminal, true);
    if (before) readings.push_back({action, item, std::move(*before)});
  }
  for (const ConflictReading& reading : readings) {
    if (!reduced || reading.before.size() < reduced->size()) reduced = &reading.before;
  }
  std::vector<ConflictReading> others;
  for (const LrAction& action : conflict.actions) {
    if (action.kind == LrAction::Kind::kReduce) continue;
    bool shift = action.kind == LrAction::Kind::kShift;
    for (const LrItem& item : table_.items(conflict.state)) {
      bool complete = item.dot == grammar_.LengthOf(item.rule);
      bool fits = shift ? !complete && grammar_.SymbolAt(item.rule, item.dot) == conflict.terminal
                        : complete && item.rule == grammar_.augmented();
      if (!fits) continue;
      // Every text that leads to a state leads to each of its items.
      auto before = reduced ? std::optional(*reduced)
                            : ShortestBefore(conflict.state, item, conflict.terminal, false);
      if (!before) continue;
      others.push_back({action, item, std::move(*before)});
      break;
    }
  }
  readings.insert(readings.begin(), others.begin(), others.end());
  return readings;
}

std::string TerminalsText(const Grammar& grammar, const std::vector<SymbolId>& lr_terminals) {
  std::string out;
  for (SymbolId lr_terminal : lr_terminals)
    out += (out.empty() ? "" : " ") + grammar.SymbolName(lr_terminal);
  return out.empty() ? "(the beginning)" : out;
}

}  // namespace tenon::constraint
