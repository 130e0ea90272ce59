#include "constraint/lr/look_through.h"

#include <algorithm>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {}  // namespace

LookThrough::LookThrough(const Grammar& grammar, const LrTable& table,
                         const std::vector<bool>& doubtful)
    : states_(table.state_count()),
      cells_(grammar.lr_terminals.size() * table.state_count()),
      targets_(1) {  // index 0 is unused: an empty range is never the first one
  std::vector<std::vector<LrStateId>> before(states_);
  shifted_to_.resize(grammar.lr_terminals.size());
  for (uint16_t s = 0; s < states_; ++s) {
    for (uint16_t x = 0; x < grammar.symbol_count(); ++x) {
      LrStateId to = table.Goto(LrStateId{s}, SymbolId{x});
      if (to == kNoLrState) continue;
      before[to.value].push_back(LrStateId{s});
      if (x < grammar.lr_terminals.size()) shifted_to_[x].push_back(to);
    }
  }
  for (auto& states : before) SortUnique(states);
  for (auto& states : shifted_to_) SortUnique(states);
  reductions_.resize(states_);
  for (uint16_t s = 0; s < states_; ++s) {
    for (const LrItem& item : table.items(LrStateId{s}).first(table.kernel_size(LrStateId{s}))) {
      if (item.rule.value >= grammar.rules.size()) continue;
      const Rule& rule = grammar.rules[item.rule.value];
      if (item.dot != rule.body.size()) continue;
      std::vector<LrStateId> bases{LrStateId{s}};
      for (size_t k = 0; k < rule.body.size(); ++k) {
        std::vector<LrStateId> below;
        for (LrStateId b : bases)
          below.insert(below.end(), before[b.value].begin(), before[b.value].end());
        SortUnique(below);
        bases = std::move(below);
      }
      Reduction made{item.rule.value, {}};
      for (LrStateId base : bases) {
        LrStateId to = table.Goto(base, rule.head);
        if (to != kNoLrState) made.to.push_back(to);
      }
      SortUnique(made.to);
      reductions_[s].push_back(std::move(made));
    }
  }
  std::vector<Visit> visits(states_);
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c)
    Search(table, doubtful, SymbolId{c}, visits);
  reductions_.clear();
  known_.clear();
}

void LookThrough::SetTargets(std::span<const LrStateId> targets, Cell& cell) {
  if (targets.empty()) return;
  auto& same = known_[HashOf(targets)];
  for (const auto& [begin, end] : same) {
    if (!std::equal(targets.begin(), targets.end(), targets_.begin() + begin,
                    targets_.begin() + end))
      continue;
    cell.targets_begin = begin;
    cell.targets_end = end;
    return;
  }
  cell.targets_begin = static_cast<uint32_t>(targets_.size());
  targets_.insert(targets_.end(), targets.begin(), targets.end());
  cell.targets_end = static_cast<uint32_t>(targets_.size());
  same.emplace_back(cell.targets_begin, cell.targets_end);
}

// Finds for each state the shifts and failures that its reductions lead to. Reductions may form
// cycles, and all states of a cycle have the same answer. So strongly connected components are
// settled as a whole (Tarjan 1972).
void LookThrough::Search(const LrTable& table, const std::vector<bool>& doubtful,
                         SymbolId lr_terminal, std::vector<Visit>& visits) {
  std::vector<uint16_t> open, seen;
  uint32_t next_index = 0;
  auto begin = [&](uint16_t s) {
    visits[s].index = visits[s].low = ++next_index;
    open.push_back(s);
    seen.push_back(s);
    for (const LrAction& action : table.Actions(LrStateId{s}, lr_terminal)) {
      if (action.kind != LrAction::Kind::kReduce) continue;
      for (const Reduction& reduction : reductions_[s]) {
        if (reduction.rule != action.target) continue;
        for (LrStateId to : reduction.to) visits[s].edges.push_back(to.value);
      }
    }
  };
  auto settle = [&](uint16_t root) {
    size_t first = open.size();
    do --first;
    while (open[first] != root);
    Cell made;
    made.may_fail = false;
    std::vector<LrStateId> found;
    for (size_t i = first; i < open.size(); ++i) {
      uint16_t s = open[i];
      std::span<const LrAction> actions = table.Actions(LrStateId{s}, lr_terminal);
      made.may_fail |= actions.empty();
      for (const LrAction& action : actions) {
        if (action.kind != LrAction::Kind::kShift) continue;
        found.push_back(LrStateId{static_cast<uint16_t>(action.target)});
        made.may_fail |= doubtful[action.target];
      }
      for (uint16_t to : visits[s].edges) {
        made.may_fail |= doubtful[to];
        if (!visits[to].settled) continue;  // of the same component
        const Cell& other = cells_[lr_terminal.value * states_ + to];
        made.may_fail |= other.may_fail;
        found.insert(found.end(), targets_.begin() + other.targets_begin,
                     targets_.begin() + other.targets_end);
      }
    }
    SortUnique(found);
    SetTargets(found, made);
    for (size_t i = first; i < open.size(); ++i) {
      cells_[lr_terminal.value * states_ + open[i]] = made;
      visits[open[i]].settled = true;
    }
    open.resize(first);
  };
  struct Frame {
    uint16_t state;
    size_t edge = 0;
  };
  for (uint16_t s = 0; s < states_; ++s) {
    if (visits[s].index || table.Actions(LrStateId{s}, lr_terminal).empty()) continue;
    std::vector<Frame> path{{s}};
    begin(s);
    while (!path.empty()) {
      Frame& frame = path.back();
      if (frame.edge < visits[frame.state].edges.size()) {
        uint16_t to = visits[frame.state].edges[frame.edge++];
        if (!visits[to].index) {
          begin(to);
          path.push_back({to});
        } else if (!visits[to].settled) {
          visits[frame.state].low = std::min(visits[frame.state].low, visits[to].index);
        }
        continue;
      }
      uint16_t done = frame.state;
      path.pop_back();
      if (!path.empty())
        visits[path.back().state].low = std::min(visits[path.back().state].low, visits[done].low);
      if (visits[done].low == visits[done].index) settle(done);
    }
  }
  for (uint16_t s : seen) {
    visits[s].index = visits[s].low = 0;
    visits[s].settled = false;
    visits[s].edges.clear();
  }
}

}  // namespace tenon::constraint
