#include "constraint/lr/fallback.h"

#include <algorithm>

#include "constraint/base/base.h"

namespace tenon::constraint {

namespace {

class FallbackFiller {
 public:
  FallbackFiller(const Grammar& grammar, const LrTable& table, LrCells& cells)
      : grammar_(grammar), table_(table), cells_(cells), predecessors_(table.state_count()) {
    for (uint16_t s = 0; s < table.state_count(); ++s) {
      for (uint16_t x = 0; x < grammar.symbol_count(); ++x) {
        LrStateId to = table.Goto(LrStateId{s}, SymbolId{x});
        if (to != kNoLrState) predecessors_[to.value].push_back(LrStateId{s});
      }
    }
  }

  std::vector<std::pair<SymbolId, LrItem>> Run() {
    std::vector<std::pair<SymbolId, LrItem>> unsure;
    for (uint16_t c = 0; c < grammar_.lr_terminals.size(); ++c) {
      if (!grammar_.lr_terminals[c].reads_as) continue;
      Prepare(SymbolId{c});
      for (LrItem item : UnsureItems()) unsure.emplace_back(SymbolId{c}, item);
      FillCells(SymbolId{c});
    }
    std::sort(unsure.begin(), unsure.end());
    return unsure;
  }

 private:
  std::vector<LrAction>& Cell(LrStateId state, SymbolId lr_terminal) {
    return cells_[state.value * (grammar_.lr_terminals.size() + 1) + lr_terminal.value];
  }

  // Collects each state's actions on the keyword itself.
  void Prepare(SymbolId fallback) {
    const LrTerminal& lr_terminal = grammar_.lr_terminals[fallback.value];
    target_ = *lr_terminal.reads_as;
    keyword_actions_.assign(table_.state_count(), {});
    for (uint16_t c = 0; c < grammar_.lr_terminals.size(); ++c) {
      if (grammar_.lr_terminals[c].terminal != lr_terminal.terminal ||
          grammar_.lr_terminals[c].reads_as)
        continue;
      for (uint16_t s = 0; s < table_.state_count(); ++s) {
        const std::vector<LrAction>& cell = Cell(LrStateId{s}, SymbolId{c});
        keyword_actions_[s].insert(keyword_actions_[s].end(), cell.begin(), cell.end());
      }
    }
  }

  void FillCells(SymbolId fallback) {
    for (uint16_t s = 0; s < table_.state_count(); ++s) {
      std::vector<LrAction>& cell = Cell(LrStateId{s}, fallback);
      if (keyword_actions_[s].empty()) {
        cell = Cell(LrStateId{s}, target_);
        continue;
      }
      for (const LrAction& action : keyword_actions_[s]) {
        bool known = std::find(cell.begin(), cell.end(), action) != cell.end();
        if (action.kind == LrAction::Kind::kReduce && !known) cell.push_back(action);
      }
    }
  }

  // The states reached by reducing `rule`, which is complete in `state`.
  std::vector<LrStateId> Reduced(LrStateId state, RuleId rule) const {
    const Rule& reduced = grammar_.rules[rule.value];
    std::vector<LrStateId> at{state};
    for (size_t i = 0; i < reduced.body.size(); ++i) {
      std::vector<LrStateId> below;
      for (LrStateId s : at) {
        below.insert(below.end(), predecessors_[s.value].begin(), predecessors_[s.value].end());
      }
      SortUnique(below);
      at = std::move(below);
    }
    std::vector<LrStateId> to;
    for (LrStateId s : at) {
      if (LrStateId next = table_.Goto(s, reduced.head); next != kNoLrState) to.push_back(next);
    }
    return to;
  }

  // Items before the target terminal in a state that has an action for the keyword, or in a state
  // that is reached by a reduction which the target makes and the keyword does not.
  std::vector<LrItem> UnsureItems() {
    std::vector<bool> unsure(table_.state_count());
    std::vector<LrStateId> work;
    auto follow = [&](LrStateId state, bool all) {
      for (const LrAction& action : Cell(state, target_)) {
        if (action.kind != LrAction::Kind::kReduce) continue;
        const std::vector<LrAction>& known = keyword_actions_[state.value];
        if (!all && std::find(known.begin(), known.end(), action) != known.end()) continue;
        for (LrStateId to : Reduced(state, RuleId{action.target})) {
          if (unsure[to.value]) continue;
          unsure[to.value] = true;
          work.push_back(to);
        }
      }
    };
    for (uint16_t s = 0; s < table_.state_count(); ++s) {
      if (!keyword_actions_[s].empty()) follow(LrStateId{s}, false);
    }
    while (!work.empty()) {
      LrStateId state = work.back();
      work.pop_back();
      follow(state, true);
    }
    std::vector<LrItem> items;
    for (uint16_t s = 0; s < table_.state_count(); ++s) {
      if (keyword_actions_[s].empty() && !unsure[s]) continue;
      for (const LrItem& item : table_.items(LrStateId{s})) {
        if (item.dot < grammar_.LengthOf(item.rule) &&
            grammar_.SymbolAt(item.rule, item.dot) == target_)
          items.push_back(item);
      }
    }
    SortUnique(items);
    return items;
  }

  const Grammar& grammar_;
  const LrTable& table_;
  LrCells& cells_;
  std::vector<std::vector<LrStateId>> predecessors_;    // [state]
  std::vector<std::vector<LrAction>> keyword_actions_;  // [state]
  SymbolId target_;
};

}  // namespace

std::vector<std::pair<SymbolId, LrItem>> FillFallbacks(const Grammar& grammar, const LrTable& table,
                                                       LrCells& cells) {
  bool any = std::any_of(grammar.lr_terminals.begin(), grammar.lr_terminals.end(),
                         [](const LrTerminal& c) { return c.reads_as.has_value(); });
  if (!any) return {};
  return FallbackFiller(grammar, table, cells).Run();
}

}  // namespace tenon::constraint
