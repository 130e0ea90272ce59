#include "constraint/lr/look_through.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <utility>

#include "constraint/base/base.h"

namespace tenon::constraint {

// Fills the cells, one LR terminal after another.
class LookThrough::Builder {
 public:
  Builder(const Grammar& grammar, const LrTable& table, const std::vector<bool>& doubtful,
          LookThrough& out)
      : grammar_(grammar),
        table_(table),
        doubtful_(doubtful),
        out_(out),
        before_(out.states_),
        reductions_(out.states_),
        active_(grammar.lr_terminals.size()),
        visits_(out.states_),
        slots_(out.states_) {}

  void Build() {
    FindTransitions();
    FindReductions();
    for (uint16_t s = 0; s < out_.states_; ++s) {
      for (uint16_t c = 0; c < active_.size(); ++c) {
        if (!table_.Actions(LrStateId{s}, SymbolId{c}).empty()) active_[c].push_back(s);
      }
    }
    for (uint16_t c = 0; c < active_.size(); ++c) Search(SymbolId{c});
  }

 private:
  // A rule that is complete in a state: the states after its reduction.
  struct Reduction {
    uint32_t rule;
    std::vector<LrStateId> to;
  };
  struct Visit {
    uint32_t index = 0, low = 0;      // of Tarjan's algorithm; 0: not seen
    uint32_t component = kUnsettled;  // its strongly connected component
  };
  // A state on the path of the search, and the edge that is followed next.
  struct Frame {
    uint16_t state;
    uint32_t action = 0, edge = 0;
  };
  static constexpr uint32_t kUnsettled = 0xffffffffu;

  void FindTransitions();
  void FindReductions();
  void Search(SymbolId lr_terminal);
  void FindShifts(SymbolId lr_terminal);
  void Begin(uint16_t state);
  std::optional<uint16_t> NextEdge(Frame& frame, SymbolId lr_terminal) const;
  void Settle(uint16_t root, SymbolId lr_terminal);
  uint32_t ListOf(std::span<const uint64_t> set);
  std::span<const LrStateId> ToAfter(uint16_t state, const LrAction& action) const;

  const Grammar& grammar_;
  const LrTable& table_;
  const std::vector<bool>& doubtful_;
  LookThrough& out_;
  std::vector<std::vector<LrStateId>> before_;      // [state] the states with a transition to it
  std::vector<std::vector<Reduction>> reductions_;  // [state]
  std::vector<std::vector<uint16_t>> active_;       // [LR terminal] the states with an action

  // Of the search for one LR terminal.
  std::vector<LrStateId> shifted_;  // the states that it is shifted to, ascending
  std::vector<Visit> visits_;       // [state]; unseen before a search and after it
  std::vector<uint32_t> slots_;     // [state] its index in shifted_
  std::vector<uint16_t> open_, seen_;
  size_t words_ = 0;            // of a set of shifted_
  Bits sets_;                   // [component] the targets, a set of shifted_
  std::vector<uint32_t> keys_;  // [component] as cells_

  IdsByHash<uint32_t> lists_;  // in targets_
  std::vector<LrStateId> list_;
};

LookThrough::LookThrough(const Grammar& grammar, const LrTable& table,
                         const std::vector<bool>& doubtful)
    : states_(table.state_count()),
      cells_(grammar.lr_terminals.size() * table.state_count(), kNoTargets << 1 | 1),
      targets_(1),
      shifted_to_(grammar.lr_terminals.size()) {
  Builder(grammar, table, doubtful, *this).Build();
}

void LookThrough::Builder::FindTransitions() {
  // [state] the symbol over which it was met last: mostly a state is entered over one symbol alone.
  std::vector<std::optional<uint16_t>> over(out_.states_);
  for (uint16_t s = 0; s < out_.states_; ++s) {
    for (uint16_t x = 0; x < grammar_.symbol_count(); ++x) {
      const LrStateId to = table_.Goto(LrStateId{s}, SymbolId{x});
      if (to == kNoLrState) continue;
      std::vector<LrStateId>& before = before_[to.value];
      if (before.empty() || before.back() != LrStateId{s}) before.push_back(LrStateId{s});
      if (std::exchange(over[to.value], x) != x && x < active_.size())
        out_.shifted_to_[x].push_back(to);
    }
  }
  for (auto& states : out_.shifted_to_) SortUnique(states);
}

void LookThrough::Builder::FindReductions() {
  std::vector<uint32_t> met(out_.states_, 0);  // [state] the last round in which it was met
  uint32_t round = 0;
  std::vector<LrStateId> bases, below;
  for (uint16_t s = 0; s < out_.states_; ++s) {
    size_t popped = 0;  // of `bases`
    bases.assign(1, LrStateId{s});
    const auto items = table_.items(LrStateId{s}).first(table_.kernel_size(LrStateId{s}));
    for (const LrItem& item : items) {
      if (item.rule.value >= grammar_.rules.size()) continue;
      const Rule& rule = grammar_.rules[item.rule.value];
      if (item.dot != rule.body.size()) continue;
      if (popped > item.dot) {
        popped = 0;
        bases.assign(1, LrStateId{s});
      }
      for (; popped < item.dot; ++popped) {
        ++round;
        below.clear();
        for (LrStateId b : bases) {
          for (LrStateId from : before_[b.value]) {
            if (std::exchange(met[from.value], round) != round) below.push_back(from);
          }
        }
        bases.swap(below);
      }
      Reduction& made = reductions_[s].emplace_back(Reduction{item.rule.value, {}});
      ++round;
      for (LrStateId base : bases) {
        const LrStateId to = table_.Goto(base, rule.head);
        if (to != kNoLrState && std::exchange(met[to.value], round) != round) made.to.push_back(to);
      }
    }
  }
}

std::span<const LrStateId> LookThrough::Builder::ToAfter(uint16_t state,
                                                         const LrAction& action) const {
  if (action.kind != LrAction::Kind::kReduce) return {};
  const std::vector<Reduction>& made = reductions_[state];
  const auto at = std::find_if(made.begin(), made.end(),
                               [&](const Reduction& r) { return r.rule == action.target; });
  if (at == made.end()) return {};
  return at->to;
}

// The states that the terminal is shifted to, and their slots.
void LookThrough::Builder::FindShifts(SymbolId lr_terminal) {
  shifted_.clear();
  for (const uint16_t s : active_[lr_terminal.value]) {
    for (const LrAction& action : table_.Actions(LrStateId{s}, lr_terminal)) {
      if (action.kind == LrAction::Kind::kShift)
        shifted_.push_back(LrStateId{static_cast<uint16_t>(action.target)});
    }
  }
  SortUnique(shifted_);
  for (uint32_t i = 0; i < shifted_.size(); ++i) slots_[shifted_[i].value] = i;
  words_ = WordsFor(shifted_.size());
}

void LookThrough::Builder::Begin(uint16_t state) {
  open_.push_back(state);
  seen_.push_back(state);
  visits_[state].index = visits_[state].low = static_cast<uint32_t>(seen_.size());
}

std::optional<uint16_t> LookThrough::Builder::NextEdge(Frame& frame, SymbolId lr_terminal) const {
  const std::span<const LrAction> actions = table_.Actions(LrStateId{frame.state}, lr_terminal);
  for (; frame.action < actions.size(); ++frame.action, frame.edge = 0) {
    const std::span<const LrStateId> to = ToAfter(frame.state, actions[frame.action]);
    if (frame.edge < to.size()) return to[frame.edge++].value;
  }
  return std::nullopt;
}

// Finds for each state the shifts and failures that its reductions lead to. Reductions may form
// cycles, and all states of a cycle have the same answer. So strongly connected components are
// settled as a whole (Tarjan 1972).
void LookThrough::Builder::Search(SymbolId lr_terminal) {
  FindShifts(lr_terminal);
  sets_.clear();
  keys_.clear();
  std::vector<Frame> path;
  for (const uint16_t s : active_[lr_terminal.value]) {
    if (visits_[s].index) continue;
    path.push_back({s});
    Begin(s);
    while (!path.empty()) {
      Visit& visit = visits_[path.back().state];
      if (const std::optional<uint16_t> to = NextEdge(path.back(), lr_terminal)) {
        if (!visits_[*to].index) {
          Begin(*to);
          path.push_back({*to});
        } else if (visits_[*to].component == kUnsettled) {
          visit.low = std::min(visit.low, visits_[*to].index);
        }
        continue;
      }
      const uint16_t done = path.back().state;
      path.pop_back();
      if (!path.empty()) {
        uint32_t& low = visits_[path.back().state].low;
        low = std::min(low, visit.low);
      }
      if (visit.low == visit.index) Settle(done, lr_terminal);
    }
  }
  uint32_t* const cells = &out_.cells_[lr_terminal.value * out_.states_];
  for (const uint16_t s : seen_) {
    cells[s] = keys_[visits_[s].component];
    visits_[s] = {};
  }
  seen_.clear();
}

// Settles the component whose first state is `root`: the open states from `root` on.
void LookThrough::Builder::Settle(uint16_t root, SymbolId lr_terminal) {
  const auto component = static_cast<uint32_t>(keys_.size());
  sets_.resize(sets_.size() + words_);
  const auto set_of = [this](uint32_t c) { return std::span(sets_).subspan(c * words_, words_); };
  const std::span<uint64_t> set = set_of(component);
  bool may_fail = false;
  size_t first = open_.size();
  do {
    const uint16_t s = open_[--first];
    const std::span<const LrAction> actions = table_.Actions(LrStateId{s}, lr_terminal);
    may_fail |= actions.empty();
    for (const LrAction& action : actions) {
      if (action.kind == LrAction::Kind::kShift) {
        SetBit(set, slots_[action.target]);
        may_fail |= doubtful_[action.target];
      }
      uint32_t last = kUnsettled;
      for (const LrStateId to : ToAfter(s, action)) {
        may_fail |= doubtful_[to.value];
        const uint32_t other = visits_[to.value].component;
        if (other == kUnsettled || other == last) continue;  // of the same component
        last = other;
        may_fail |= keys_[other] & 1;
        MergeBits(set, set_of(other));
      }
    }
  } while (open_[first] != root);
  for (size_t i = first; i < open_.size(); ++i) visits_[open_[i]].component = component;
  open_.resize(first);
  keys_.push_back(ListOf(set) << 1 | static_cast<uint32_t>(may_fail));
}

// The list of a set of shifted_; equal lists are stored once.
uint32_t LookThrough::Builder::ListOf(std::span<const uint64_t> set) {
  list_.clear();
  for (size_t w = 0; w < set.size(); ++w) {
    for (uint64_t bits = set[w]; bits != 0; bits &= bits - 1)
      list_.push_back(shifted_[w * 64 + static_cast<size_t>(std::countr_zero(bits))]);
  }
  if (list_.empty()) return kNoTargets;
  std::vector<LrStateId>& targets = out_.targets_;
  const auto is_same = [&](uint32_t list) {
    return targets[list].value == list_.size() &&
           std::equal(list_.begin(), list_.end(), targets.begin() + list + 1);
  };
  return lists_.FindOrAdd(HashOf(std::span<const LrStateId>(list_)), is_same, [&] {
    const auto made = static_cast<uint32_t>(targets.size());
    targets.push_back(LrStateId{static_cast<uint16_t>(list_.size())});
    targets.insert(targets.end(), list_.begin(), list_.end());
    return made;
  });
}

}  // namespace tenon::constraint
