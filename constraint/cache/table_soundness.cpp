#include <algorithm>
#include <span>
#include <vector>

#include "constraint/cache/language_fields.h"
#include "constraint/cache/soundness.h"

namespace tenon::constraint {

namespace {

// Items by number, the items of a rule side by side; the augmented rule comes last.
class ItemNumbers {
 public:
  explicit ItemNumbers(const Grammar& grammar) : grammar_(grammar) {
    for (uint32_t r = 0; r <= grammar.rules.size(); ++r) {
      begins_.push_back(count_);
      count_ += grammar.LengthOf(RuleId{r}) + 1;
    }
  }
  size_t count() const { return count_; }
  bool Exists(const LrItem& item) const {
    return item.rule.value < begins_.size() && item.dot <= grammar_.LengthOf(item.rule);
  }
  size_t Number(const LrItem& item) const { return begins_[item.rule.value] + item.dot; }

 private:
  const Grammar& grammar_;
  std::vector<size_t> begins_;
  size_t count_ = 0;
};

}  // namespace

class TableInspector {
 public:
  TableInspector(const LrTable& table, const Grammar& grammar)
      : table_(table), grammar_(grammar), numbers_(grammar), stamp_(numbers_.count(), kNoStamp) {}

  bool IsSound() {
    if (!HasItsSizes() || !IndicesExist()) return false;
    for (uint16_t s = 0; s < table_.items_.size(); ++s) {
      for (const LrItem& item : table_.items_[s]) stamp_[numbers_.Number(item)] = s;
      if (!ItemsGoOn(s) || !EdgesMoveItems(s) || !ActionsFollowItems(s)) return false;
    }
    return RemarksAreSound();
  }

 private:
  static constexpr uint32_t kNoStamp = 0xffffffffu;

  std::span<const LrItem> Kernel(LrStateId s) const {
    return std::span(table_.items_[s.value]).first(table_.kernel_sizes_[s.value]);
  }
  bool Holds(uint16_t s, const LrItem& item) const { return stamp_[numbers_.Number(item)] == s; }

  bool HasItsSizes() const {
    const size_t states = table_.items_.size(), lr_terminals = grammar_.lr_terminals.size();
    return table_.lr_terminals_ == lr_terminals && table_.symbols_ == grammar_.symbol_count() &&
           states > 0 && states < kNoLrState.value && table_.cells_.row_count() == states &&
           table_.cells_.HasColumns(lr_terminals + 1) && table_.goto_.row_count() == states &&
           table_.goto_.HasColumns(table_.symbols_) && table_.kernel_sizes_.size() == states &&
           table_.changes_.size() == states && table_.ends_part_.size() == states &&
           table_.single_actions_ > 0 && table_.single_actions_ <= table_.actions_.size();
  }

  // The start has the augmented item for its kernel; other kernels' dots have moved, all other
  // items' have not.
  bool IndicesExist() const {
    const size_t states = table_.items_.size();
    for (size_t s = 0; s < states; ++s) {
      const size_t kernel = table_.kernel_sizes_[s];
      if (kernel == 0 || kernel > table_.items_[s].size() || (s == 0 && kernel != 1)) return false;
      for (size_t i = 0; i < table_.items_[s].size(); ++i) {
        const LrItem& item = table_.items_[s][i];
        if (!numbers_.Exists(item) || (item.dot > 0) != (i < kernel && s > 0)) return false;
      }
    }
    const auto exists = [states](uint16_t to) {
      return to == kNoLrState.value || (to < states && to != kStartLrState.value);
    };
    const size_t lists = table_.single_actions_ + table_.several_.size();
    const auto list_exists = [lists](uint16_t list) { return list < lists; };
    const auto lies_within = [this](const LrTable::ActionRange& several) {
      return several.begin <= table_.actions_.size() &&
             several.count <= table_.actions_.size() - several.begin;
    };
    if (table_.items_[0][0] != LrItem{grammar_.augmented(), 0}) return false;
    for (const LrAction& action : table_.actions_) {
      const bool reduces = action.kind == LrAction::Kind::kReduce;
      if (action.target >= (reduces ? grammar_.rules.size() : states)) return false;
    }
    const std::span gotos = table_.goto_.values(), cells = table_.cells_.values();
    return std::all_of(table_.several_.begin(), table_.several_.end(), lies_within) &&
           std::all_of(gotos.begin(), gotos.end(), exists) &&
           std::all_of(cells.begin(), cells.end(), list_exists);
  }

  // Every item has the edge over its next symbol. An item that begins here has one over its head.
  bool ItemsGoOn(uint16_t s) const {
    for (const LrItem& item : table_.items_[s]) {
      const bool complete = item.dot == grammar_.LengthOf(item.rule);
      if (!complete &&
          table_.Goto(LrStateId{s}, grammar_.SymbolAt(item.rule, item.dot)) == kNoLrState)
        return false;
      if (item.dot > 0 || (s == 0 && item.rule == grammar_.augmented())) continue;
      if (item.rule == grammar_.augmented() ||
          table_.Goto(LrStateId{s}, grammar_.rules[item.rule.value].head) == kNoLrState)
        return false;
    }
    return true;
  }

  bool EdgesMoveItems(uint16_t s) const {
    for (uint16_t x = 0; x < table_.symbols_; ++x) {
      const LrStateId to = table_.Goto(LrStateId{s}, SymbolId{x});
      if (to == kNoLrState) continue;
      for (LrItem item : Kernel(to)) {
        --item.dot;
        if (grammar_.SymbolAt(item.rule, item.dot) != SymbolId{x} || !Holds(s, item)) return false;
      }
    }
    return true;
  }

  bool ActionsFollowItems(uint16_t s) const {
    const size_t lr_terminals = table_.lr_terminals_;
    for (size_t c = 0; c <= lr_terminals; ++c) {
      const SymbolId lr_terminal{static_cast<uint16_t>(c)};
      for (const LrAction& action : table_.Actions(LrStateId{s}, lr_terminal)) {
        const RuleId rule{action.target};
        switch (action.kind) {
          case LrAction::Kind::kShift:
            if (c == lr_terminals || !Shifts(LrStateId{s}, lr_terminal, action.target))
              return false;
            break;
          case LrAction::Kind::kReduce:
            if (!Holds(s, {rule, static_cast<uint16_t>(grammar_.LengthOf(rule))})) return false;
            break;
          case LrAction::Kind::kAccept:
            if (!Holds(s, {grammar_.augmented(), 1})) return false;
            break;
        }
      }
    }
    return true;
  }

  bool Shifts(LrStateId state, SymbolId lr_terminal, uint32_t target) const {
    const std::optional<SymbolId> reads_as = grammar_.lr_terminals[lr_terminal.value].reads_as;
    return table_.Goto(state, lr_terminal).value == target ||
           (reads_as && table_.Goto(state, *reads_as).value == target);
  }

  bool RemarksAreSound() const {
    const auto conflict_is_sound = [this](const LrConflict& conflict) {
      if (conflict.state.value >= table_.items_.size() ||
          conflict.terminal.value > table_.lr_terminals_)
        return false;
      const std::span<const LrAction> actions = table_.Actions(conflict.state, conflict.terminal);
      return std::equal(conflict.actions.begin(), conflict.actions.end(), actions.begin(),
                        actions.end());
    };
    const auto unsure_is_sound = [this](const std::pair<SymbolId, LrItem>& unsure) {
      return unsure.first.value < table_.lr_terminals_ && numbers_.Exists(unsure.second);
    };
    return std::all_of(table_.conflicts_.begin(), table_.conflicts_.end(), conflict_is_sound) &&
           std::all_of(table_.unsure_.begin(), table_.unsure_.end(), unsure_is_sound);
  }

  const LrTable& table_;
  const Grammar& grammar_;
  const ItemNumbers numbers_;
  std::vector<uint32_t> stamp_;  // [item] the last state that was seen to hold it
};

bool IsSound(const LrTable& table, const Grammar& grammar) {
  return TableInspector(table, grammar).IsSound();
}

}  // namespace tenon::constraint
