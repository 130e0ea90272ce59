#include "constraint/lr/conflict_example.h"

#include <algorithm>
#include <map>
#include <queue>
#include <tuple>

namespace tenon::constraint {

namespace {
constexpr uint32_t kEndless = 0x3fffffff;
}

ConflictExplainer::ConflictExplainer(const Grammar& grammar, const LrTable& table)
    : grammar_(grammar),
      table_(table),
      least_(grammar.symbol_count(), kEndless),
      shortest_(grammar.symbol_count()),
      first_(grammar.symbol_count(),
             std::vector<uint64_t>((grammar.lr_terminals.size() + 63) / 64)),
      predecessors_(table.state_count()),
      accessing_(table.state_count()) {
  for (size_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    least_[c] = 1;
    first_[c][c / 64] |= uint64_t{1} << c % 64;
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
      for (size_t w = 0; w < first_[0].size(); ++w) {
        uint64_t merged = first_[rule.head.value][w] | first_[rule.body[0].value][w];
        changed |= merged != first_[rule.head.value][w];
        first_[rule.head.value][w] = merged;
      }
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

size_t ConflictExplainer::Length(RuleId rule) const {
  return rule.value == grammar_.rules.size() ? 1 : grammar_.rules[rule.value].body.size();
}

SymbolId ConflictExplainer::Body(RuleId rule, size_t i) const {
  return rule.value == grammar_.rules.size() ? grammar_.start : grammar_.rules[rule.value].body[i];
}

bool ConflictExplainer::BeginsWith(SymbolId symbol, SymbolId lr_terminal) const {
  return lr_terminal.value < grammar_.lr_terminals.size() &&
         first_[symbol.value][lr_terminal.value / 64] >> lr_terminal.value % 64 & 1;
}

void ConflictExplainer::Spell(SymbolId symbol, std::vector<SymbolId>& out) const {
  if (grammar_.IsLrTerminal(symbol)) {
    out.push_back(symbol);
    return;
  }
  for (SymbolId s : grammar_.rules[shortest_[symbol.value].value].body) Spell(s, out);
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
    queue.pop();
    if (known[node].settled) continue;
    known[node].settled = true;
    if (node.item.rule.value == grammar_.rules.size() && node.item.dot == 0) {
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
      size_t length = Length(parent.rule);
      if (parent.dot >= length ||
          Body(parent.rule, parent.dot) != grammar_.rules[node.item.rule.value].head)
        continue;
      bool last = parent.dot + 1u == length;
      if (node.must && !last && !BeginsWith(Body(parent.rule, parent.dot + 1), lr_terminal))
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
    LrItem item{RuleId{action.target}, static_cast<uint16_t>(Length(RuleId{action.target}))};
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
      bool complete = item.dot == Length(item.rule);
      bool fits = shift ? !complete && Body(item.rule, item.dot) == conflict.terminal
                        : complete && item.rule.value == grammar_.rules.size();
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

std::string ItemText(const Grammar& grammar, const LrItem& item) {
  bool augmented = item.rule.value == grammar.rules.size();
  std::vector<SymbolId> body =
      augmented ? std::vector<SymbolId>{grammar.start} : grammar.rules[item.rule.value].body;
  std::string out =
      (augmented ? "the whole text" : grammar.SymbolName(grammar.rules[item.rule.value].head)) +
      ":";
  for (size_t i = 0; i <= body.size(); ++i) {
    if (i == item.dot) out += " .";
    if (i < body.size()) out += " " + grammar.SymbolName(body[i]);
  }
  return out;
}

std::string TerminalsText(const Grammar& grammar, const std::vector<SymbolId>& lr_terminals) {
  std::string out;
  for (SymbolId lr_terminal : lr_terminals)
    out += (out.empty() ? "" : " ") + grammar.SymbolName(lr_terminal);
  return out.empty() ? "(the beginning)" : out;
}

}  // namespace tenon::constraint
