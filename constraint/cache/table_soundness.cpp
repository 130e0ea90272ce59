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
      count_ += Length(RuleId{r}) + 1;
    }
  }
  size_t count() const { return count_; }
  bool Exists(const LrItem& item) const {
    return item.rule.value < begins_.size() && item.dot <= Length(item.rule);
  }
  size_t Number(const LrItem& item) const { return begins_[item.rule.value] + item.dot; }
  RuleId augmented() const { return RuleId{static_cast<uint32_t>(grammar_.rules.size())}; }
  size_t Length(RuleId rule) const {
    return rule == augmented() ? 1 : grammar_.rules[rule.value].body.size();
  }
  SymbolId Body(RuleId rule, size_t i) const {
    return rule == augmented() ? grammar_.start : grammar_.rules[rule.value].body[i];
  }

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
           states > 0 && states < kNoLrState.value &&
           table_.cells_.size() == states * (lr_terminals + 1) &&
           table_.goto_.size() == states * table_.symbols_ &&
           table_.kernel_sizes_.size() == states && table_.changes_.size() == states &&
           table_.ends_part_.size() == states && !table_.action_lists_.empty() &&
           table_.action_lists_[0].empty();
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
    const auto exists = [states](LrStateId to) {
      return to == kNoLrState || (to.value < states && to != kStartLrState);
    };
    const auto list_exists = [this](uint16_t cell) { return cell < table_.action_lists_.size(); };
    if (table_.items_[0][0] != LrItem{numbers_.augmented(), 0}) return false;
    for (const auto& actions : table_.action_lists_) {
      for (const LrAction& action : actions) {
        const bool reduces = action.kind == LrAction::Kind::kReduce;
        if (action.target >= (reduces ? grammar_.rules.size() : states)) return false;
      }
    }
    return std::all_of(table_.goto_.begin(), table_.goto_.end(), exists) &&
           std::all_of(table_.cells_.begin(), table_.cells_.end(), list_exists);
  }

  // Every item has the edge over its next symbol. An item that begins here has one over its head.
  bool ItemsGoOn(uint16_t s) const {
    for (const LrItem& item : table_.items_[s]) {
      const bool complete = item.dot == numbers_.Length(item.rule);
      if (!complete && table_.Goto(LrStateId{s}, numbers_.Body(item.rule, item.dot)) == kNoLrState)
        return false;
      if (item.dot > 0 || (s == 0 && item.rule == numbers_.augmented())) continue;
      if (item.rule == numbers_.augmented() ||
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
        if (numbers_.Body(item.rule, item.dot) != SymbolId{x} || !Holds(s, item)) return false;
      }
    }
    return true;
  }

  bool ActionsFollowItems(uint16_t s) const {
    const size_t lr_terminals = table_.lr_terminals_;
    const std::span cells = std::span(table_.cells_).subspan(s * (lr_terminals + 1));
    for (size_t c = 0; c <= lr_terminals; ++c) {
      if (cells[c] == 0) continue;  // most cells have no action
      for (const LrAction& action : table_.action_lists_[cells[c]]) {
        const RuleId rule{action.target};
        switch (action.kind) {
          case LrAction::Kind::kShift:
            if (c == lr_terminals ||
                !Shifts(LrStateId{s}, SymbolId{static_cast<uint16_t>(c)}, action.target))
              return false;
            break;
          case LrAction::Kind::kReduce:
            if (!Holds(s, {rule, static_cast<uint16_t>(numbers_.Length(rule))})) return false;
            break;
          case LrAction::Kind::kAccept:
            if (!Holds(s, {numbers_.augmented(), 1})) return false;
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
