// Canonical LR(1) states of a small grammar, by the book: the oracle for
// constraint/lr/state_splitter. Shares no code with the engine.
//
// Source: Aho, Lam, Sethi, Ullman, Compilers (2006), section 4.7.2. For grammars without empty
// bodies.
// Cost: exponential in places, for grammars of a few rules. Thread rule: immutable after
// construction.
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

namespace tenon::oracle {

class CanonicalLr {
 public:
  struct Rule {
    size_t head = 0;
    std::vector<size_t> body;  // symbols below `terminals` are terminals
  };
  using Core = std::set<std::pair<
      size_t, size_t>>;  // (rule, dot) of the kernel; the rule behind the last is S' -> start
  // What LR(1) leaves open: a look-ahead (`terminals`: the end) for which one state of that kernel
  // has several actions.
  using Conflicts = std::set<std::pair<Core, size_t>>;

  CanonicalLr(std::vector<Rule> rules, size_t terminals, size_t start)
      : rules_(std::move(rules)), terminals_(terminals) {
    rules_.push_back({0, {start}});
    Run();
  }
  const Conflicts& conflicts() const { return conflicts_; }
  // As LALR(1) has them: states of equal kernels taken together.
  const Conflicts& merged_conflicts() const { return merged_conflicts_; }

 private:
  using Item = std::tuple<size_t, size_t, size_t>;  // rule, dot, look-ahead
  using Items = std::set<Item>;
  using Actions = std::map<size_t, std::set<size_t>>;  // [look-ahead] rules that end, kShift
  static constexpr size_t kShift = static_cast<size_t>(-1);

  std::set<size_t> First(size_t symbol) const {
    std::set<size_t> seen{symbol}, first;
    for (std::vector<size_t> work{symbol}; !work.empty();) {
      const size_t x = work.back();
      work.pop_back();
      if (x < terminals_) first.insert(x);
      for (size_t r = 0; r + 1 < rules_.size(); ++r) {
        if (rules_[r].head == x && seen.insert(rules_[r].body[0]).second)
          work.push_back(rules_[r].body[0]);
      }
    }
    return first;
  }

  Items Close(Items items) const {
    std::vector<Item> work(items.begin(), items.end());
    while (!work.empty()) {
      const auto [rule, dot, ahead] = work.back();
      work.pop_back();
      const std::vector<size_t>& body = rules_[rule].body;
      if (dot == body.size() || body[dot] < terminals_) continue;
      const std::set<size_t> aheads =
          dot + 1 < body.size() ? First(body[dot + 1]) : std::set<size_t>{ahead};
      for (size_t r = 0; r + 1 < rules_.size(); ++r) {
        if (rules_[r].head != body[dot]) continue;
        for (const size_t a : aheads) {
          if (items.emplace(r, 0, a).second) work.emplace_back(r, 0, a);
        }
      }
    }
    return items;
  }

  void Run() {
    std::set<Items> known;
    std::map<Core, Actions> merged;
    std::vector<Items> work{{{rules_.size() - 1, 0, terminals_}}};  // kernels
    known.insert(work[0]);
    while (!work.empty()) {
      const Items kernel = std::move(work.back());
      work.pop_back();
      Core core;
      for (const auto& [rule, dot, ahead] : kernel) core.emplace(rule, dot);
      std::map<size_t, Items> next;
      Actions actions;
      for (const auto& [rule, dot, ahead] : Close(kernel)) {
        const std::vector<size_t>& body = rules_[rule].body;
        if (dot == body.size()) {
          actions[ahead].insert(rule);
          continue;
        }
        next[body[dot]].emplace(rule, dot + 1, ahead);
        if (body[dot] < terminals_) actions[body[dot]].insert(kShift);
      }
      Note(core, actions, conflicts_);
      for (const auto& [ahead, of] : actions) merged[core][ahead].insert(of.begin(), of.end());
      for (auto& [symbol, items] : next) {
        if (known.insert(items).second) work.push_back(std::move(items));
      }
    }
    for (const auto& [core, actions] : merged) Note(core, actions, merged_conflicts_);
  }

  static void Note(const Core& core, const Actions& actions, Conflicts& conflicts) {
    for (const auto& [ahead, of] : actions) {
      if (of.size() > 1) conflicts.emplace(core, ahead);
    }
  }

  std::vector<Rule> rules_;
  size_t terminals_;
  Conflicts conflicts_, merged_conflicts_;
};

}  // namespace tenon::oracle
