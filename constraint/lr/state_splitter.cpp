#include "constraint/lr/state_splitter.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

constexpr uint32_t kNone = 0xffffffffu;

class StateSplitter {
 public:
  StateSplitter(const Grammar& grammar, const LrAutomaton& automaton,
                std::span<const LrConflict> conflicts)
      : grammar_(grammar),
        automaton_(automaton),
        conflicts_(conflicts),
        words_(WordsFor(grammar.lr_terminals.size() + 1)),
        predecessors_(automaton.items.size()),
        edges_(automaton.items.size()),
        heads_(automaton.items.size()),
        pairs_(automaton.items.size()) {
    const size_t symbols = grammar.symbol_count();
    for (uint16_t s = 0; s < automaton.items.size(); ++s) {
      for (uint16_t x = 0; x < symbols; ++x) {
        const LrStateId to = automaton.go_to[s * symbols + x];
        if (to == kNoLrState) continue;
        edges_[s].push_back({x, to.value});
        predecessors_[to.value].push_back(s);
      }
    }
    FindFirst();
  }

  std::optional<LrAutomaton> Split(size_t max_states) {
    std::map<uint16_t, std::vector<const LrConflict*>> by_terminal;
    for (const LrConflict& conflict : conflicts_)
      by_terminal[conflict.terminal.value].push_back(&conflict);
    std::vector<const LrConflict*> resolved;
    for (const auto& [lr_terminal, conflicts] : by_terminal) {
      FindPairs(conflicts);
      FollowPairs();
      for (const LrConflict* conflict : conflicts) {
        if (IsResolved(*conflict)) resolved.push_back(conflict);
      }
    }
    if (resolved.empty()) return std::nullopt;
    FindPairs(resolved);
    if (!MakeCopies(max_states)) return std::nullopt;
    MergeCopies(resolved);
    return Automaton();
  }

 private:
  // [pair of the state] does the item have the look-ahead?
  using Present = std::string;
  struct Pair {
    uint16_t kernel;    // item of the state
    uint16_t terminal;  // LR terminal, or the end of the text
    auto operator<=>(const Pair&) const = default;
  };
  // The sources of the look-aheads of a nonterminal's rules in a state that expects it.
  struct Head {
    Bits own;                       // look-aheads whatever lies below
    std::vector<uint16_t> kernels;  // items whose look-aheads are handed on
  };
  struct Edge {
    uint16_t symbol;
    uint16_t to;
  };
  struct Copy {
    uint16_t state;
    Present present;
    std::vector<uint32_t> to;  // [edge of the state]
  };

  std::span<const LrItem> Kernel(size_t state) const {
    return std::span(automaton_.items[state]).first(automaton_.kernel_sizes[state]);
  }
  uint16_t KernelIndex(size_t state, LrItem item) const {
    const std::span<const LrItem> kernel = Kernel(state);
    const auto at = std::lower_bound(kernel.begin(), kernel.end(), item);
    assert(at != kernel.end() && *at == item &&
           "a state's kernel holds what its edges' kernels came from");
    return static_cast<uint16_t>(at - kernel.begin());
  }

  void FindFirst() {
    first_.assign(grammar_.symbol_count(), Bits(words_));
    for (size_t c = 0; c < grammar_.lr_terminals.size(); ++c) SetBit(first_[c], c);
    for (bool changed = true; changed;) {
      changed = false;
      for (const Rule& rule : grammar_.rules)
        changed |= MergeBits(first_[rule.head.value], first_[rule.body[0].value]);
    }
  }

  // REQUIRES: the nonterminal follows a dot of the state.
  const Head& HeadOf(uint16_t state, SymbolId nonterminal) {
    auto& heads = heads_[state];
    if (heads.empty()) {
      const std::vector<LrItem>& items = automaton_.items[state];
      std::vector<std::pair<uint16_t, uint16_t>> handed;  // (from, to): at the right end of a rule
      for (uint16_t i = 0; i < items.size(); ++i) {
        const LrItem& item = items[i];
        if (item.dot == grammar_.LengthOf(item.rule) ||
            grammar_.IsLrTerminal(grammar_.SymbolAt(item.rule, item.dot)))
          continue;
        const uint16_t next = grammar_.SymbolAt(item.rule, item.dot).value;
        Head& head = heads.try_emplace(next, Head{Bits(words_), {}}).first->second;
        if (item.dot + 1u < grammar_.LengthOf(item.rule))
          MergeBits(head.own, first_[grammar_.SymbolAt(item.rule, item.dot + 1u).value]);
        else if (i < automaton_.kernel_sizes[state])
          head.kernels.push_back(i);
        else
          handed.emplace_back(grammar_.rules[item.rule.value].head.value, next);
      }
      for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [from, to] : handed) {
          const Head source = heads.at(from);
          Head& head = heads.at(to);
          changed |= MergeBits(head.own, source.own);
          for (const uint16_t k : source.kernels) {
            if (std::find(head.kernels.begin(), head.kernels.end(), k) != head.kernels.end())
              continue;
            head.kernels.push_back(k);
            changed = true;
          }
        }
      }
    }
    return heads.at(nonterminal.value);
  }

  uint32_t PairIndex(uint16_t state, Pair pair) const {
    const auto at = std::lower_bound(pairs_[state].begin(), pairs_[state].end(), pair);
    return at == pairs_[state].end() || *at != pair
               ? kNone
               : static_cast<uint32_t>(at - pairs_[state].begin());
  }

  // Finds the pairs that matter for these conflicts.
  void FindPairs(const std::vector<const LrConflict*>& conflicts) {
    for (const uint16_t s : with_pairs_) pairs_[s].clear();
    with_pairs_.clear();
    std::vector<std::pair<uint16_t, Pair>> work;
    const auto add = [&](uint16_t state, Pair pair) {
      std::vector<Pair>& pairs = pairs_[state];
      const auto at = std::lower_bound(pairs.begin(), pairs.end(), pair);
      if (at != pairs.end() && *at == pair) return;
      if (pairs.empty()) with_pairs_.push_back(state);
      pairs.insert(at, pair);
      work.emplace_back(state, pair);
    };
    for (const LrConflict* conflict : conflicts) {
      for (const LrAction& action : conflict->actions) {
        if (action.kind != LrAction::Kind::kReduce) continue;
        add(conflict->state.value, {ReducedAt(*conflict, action), conflict->terminal.value});
      }
    }
    while (!work.empty()) {
      const auto [state, pair] = work.back();
      work.pop_back();
      const LrItem item = Kernel(state)[pair.kernel];
      if (item.dot == 0) continue;  // the start's
      for (const uint16_t p : predecessors_[state]) {
        if (item.dot > 1 || item.rule == grammar_.augmented()) {
          add(p, {KernelIndex(p, {item.rule, static_cast<uint16_t>(item.dot - 1)}), pair.terminal});
          continue;
        }
        const Head& head = HeadOf(p, grammar_.rules[item.rule.value].head);
        if (HasBit(head.own, pair.terminal)) continue;  // it has the look-ahead whatever lies below
        for (const uint16_t k : head.kernels) add(p, {k, pair.terminal});
      }
    }
  }

  uint16_t ReducedAt(const LrConflict& conflict, const LrAction& action) const {
    const RuleId rule{action.target};
    return KernelIndex(conflict.state.value,
                       {rule, static_cast<uint16_t>(grammar_.LengthOf(rule))});
  }

  // The look-aheads present in `to` when `from`, with `present`, goes to it.
  Present Follow(uint16_t from, const Present& present, uint16_t to) {
    Present result(pairs_[to].size(), 0);
    const auto has = [&](uint16_t kernel, uint16_t lr_terminal) {
      return present[PairIndex(from, {kernel, lr_terminal})] != 0;
    };
    for (size_t i = 0; i < result.size(); ++i) {
      const auto [kernel, lr_terminal] = pairs_[to][i];
      const LrItem item = Kernel(to)[kernel];
      if (item.dot > 1 || item.rule == grammar_.augmented()) {
        result[i] =
            has(KernelIndex(from, {item.rule, static_cast<uint16_t>(item.dot - 1)}), lr_terminal);
        continue;
      }
      const Head& head = HeadOf(from, grammar_.rules[item.rule.value].head);
      result[i] = HasBit(head.own, lr_terminal) ||
                  std::any_of(head.kernels.begin(), head.kernels.end(),
                              [&, c = lr_terminal](uint16_t k) { return has(k, c); });
    }
    return result;
  }

  // After the start symbol only the end of the text can follow.
  Present StartPresent() const {
    Present present;
    for (const Pair& pair : pairs_[0])
      present.push_back(pair.terminal == grammar_.lr_terminals.size());
    return present;
  }

  // Finds the sets that may be present in each state with pairs, without making copies of other
  // states.
  void FollowPairs() {
    present_.clear();
    std::vector<std::pair<uint16_t, Present>> work;
    const auto reach = [&](uint16_t state, Present present) {
      if (pairs_[state].empty()) return;
      std::vector<Present>& known = present_[state];
      if (std::find(known.begin(), known.end(), present) != known.end()) return;
      known.push_back(present);
      work.emplace_back(state, std::move(present));
    };
    reach(0, StartPresent());
    for (const uint16_t state : with_pairs_) {
      for (const uint16_t p : predecessors_[state]) {
        if (pairs_[p].empty()) reach(state, Follow(p, {}, state));
      }
    }
    while (!work.empty()) {
      const auto [state, present] = std::move(work.back());
      work.pop_back();
      for (const Edge& edge : edges_[state]) {
        if (!pairs_[edge.to].empty()) reach(edge.to, Follow(state, present, edge.to));
      }
    }
  }

  // Is at most one action left, whatever set is present?
  bool IsResolved(const LrConflict& conflict) {
    const auto& known = present_[conflict.state.value];
    return std::all_of(known.begin(), known.end(), [&](const Present& present) {
      size_t left = 0;
      for (const LrAction& action : conflict.actions) {
        if (action.kind != LrAction::Kind::kReduce)
          ++left;
        else
          left += present[PairIndex(conflict.state.value,
                                    {ReducedAt(conflict, action), conflict.terminal.value})] != 0;
      }
      return left <= 1;
    });
  }

  bool MakeCopies(size_t max_states) {
    std::map<std::pair<uint16_t, Present>, uint32_t> ids;
    const auto copy_of = [&](uint16_t state, Present present) {
      const auto [at, fresh] =
          ids.try_emplace({state, std::move(present)}, static_cast<uint32_t>(copies_.size()));
      if (fresh) copies_.push_back({state, at->first.second, {}});
      return at->second;
    };
    copy_of(0, StartPresent());
    for (size_t c = 0; c < copies_.size(); ++c) {
      const uint16_t state = copies_[c].state;
      const Present present = copies_[c].present;
      std::vector<uint32_t> to;
      for (const Edge& edge : edges_[state])
        to.push_back(copy_of(edge.to, Follow(state, present, edge.to)));
      copies_[c].to = std::move(to);
      if (copies_.size() > max_states) return false;
    }
    return true;
  }

  // Moore's partition refinement: at first by state and by the actions left of its own resolved
  // conflicts, then by the classes that the edges lead to.
  void MergeCopies(const std::vector<const LrConflict*>& resolved) {
    // [state] pairs of its conflicts.
    std::vector<std::vector<uint32_t>> own(automaton_.items.size());
    for (const LrConflict* conflict : resolved) {
      for (const LrAction& action : conflict->actions) {
        if (action.kind != LrAction::Kind::kReduce) continue;
        const uint16_t state = conflict->state.value;
        own[state].push_back(
            PairIndex(state, {ReducedAt(*conflict, action), conflict->terminal.value}));
      }
    }
    std::map<std::pair<uint16_t, Present>, uint32_t> first;
    class_of_.clear();
    for (const Copy& copy : copies_) {
      Present left;
      for (const uint32_t pair : own[copy.state]) left += copy.present[pair];
      class_of_.push_back(
          first.try_emplace({copy.state, std::move(left)}, static_cast<uint32_t>(first.size()))
              .first->second);
    }
    for (classes_ = first.size();;) {
      std::map<std::vector<uint32_t>, uint32_t> finer;
      std::vector<uint32_t> next;
      for (size_t c = 0; c < copies_.size(); ++c) {
        std::vector<uint32_t> key{class_of_[c]};
        for (const uint32_t to : copies_[c].to) key.push_back(class_of_[to]);
        next.push_back(
            finer.try_emplace(std::move(key), static_cast<uint32_t>(finer.size())).first->second);
      }
      class_of_ = std::move(next);
      if (finer.size() == classes_) return;
      classes_ = finer.size();
    }
  }

  LrAutomaton Automaton() const {
    // The first copy of a state keeps its number.
    std::vector<uint32_t> number(classes_, kNone), example(classes_);
    std::vector<bool> taken(automaton_.items.size());
    auto fresh = static_cast<uint32_t>(automaton_.items.size());
    for (uint32_t c = 0; c < copies_.size(); ++c) {
      if (number[class_of_[c]] != kNone) continue;
      const uint16_t state = copies_[c].state;
      number[class_of_[c]] = taken[state] ? fresh++ : state;
      example[class_of_[c]] = c;
      taken[state] = true;
    }
    LrAutomaton made = automaton_;
    const size_t symbols = grammar_.symbol_count();
    made.items.resize(fresh);
    made.kernel_sizes.resize(fresh);
    made.go_to.resize(fresh * symbols, kNoLrState);
    for (uint32_t k = 0; k < classes_; ++k) {
      const Copy& copy = copies_[example[k]];
      made.items[number[k]] = automaton_.items[copy.state];
      made.kernel_sizes[number[k]] = automaton_.kernel_sizes[copy.state];
      for (size_t e = 0; e < copy.to.size(); ++e) {
        made.go_to[number[k] * symbols + edges_[copy.state][e].symbol] =
            LrStateId{static_cast<uint16_t>(number[class_of_[copy.to[e]]])};
      }
    }
    return made;
  }

  const Grammar& grammar_;
  const LrAutomaton& automaton_;
  const std::span<const LrConflict> conflicts_;
  size_t words_;
  std::vector<Bits> first_;                                       // [symbol]
  std::vector<std::vector<uint16_t>> predecessors_;               // [state]
  std::vector<std::vector<Edge>> edges_;                          // [state]
  std::vector<boost::unordered_flat_map<uint16_t, Head>> heads_;  // [state][nonterminal]
  std::vector<std::vector<Pair>> pairs_;                          // [state] that matter, ascending
  std::vector<uint16_t> with_pairs_;                              // states
  std::map<uint16_t, std::vector<Present>> present_;              // of states with pairs
  std::vector<Copy> copies_;
  std::vector<uint32_t> class_of_;  // [copy]
  size_t classes_ = 0;
};

}  // namespace

std::optional<LrAutomaton> SplitStates(const Grammar& grammar, const LrAutomaton& automaton,
                                       std::span<const LrConflict> conflicts, size_t max_states) {
  return StateSplitter(grammar, automaton, conflicts).Split(max_states);
}

size_t CountCopies(const LrTable& table) {
  std::set<std::vector<LrItem>> kernels;
  for (uint16_t s = 0; s < table.state_count(); ++s) {
    const auto items = table.items(LrStateId{s});
    kernels.emplace(items.begin(),
                    items.begin() + static_cast<ptrdiff_t>(table.kernel_size(LrStateId{s})));
  }
  return table.state_count() - kernels.size();
}

}  // namespace tenon::constraint
