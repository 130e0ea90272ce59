#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string_view>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "constraint/base/base.h"
#include "constraint/lr/fallback.h"
#include "constraint/lr/state_splitter.h"
#include "constraint/lr/table.h"

namespace tenon::constraint {

namespace {
// Bound the memory of a table that is being built.
constexpr size_t kMaxStates = 60000;
constexpr size_t kMaxCells = 30'000'000;   // states * symbols; up to 30 bytes each
constexpr size_t kMaxItems = 10'000'000;   // of all states; 8 bytes each
constexpr size_t kMaxStateItems = 0xfffe;  // numbers of 16 bits, and one for none
constexpr size_t kMaxActionLists = 0xffff;

// " IF expression statement . ELSE statement"
std::string BodyText(const Grammar& grammar, const LrItem& item) {
  std::string out;
  for (size_t dot = 0; dot <= grammar.LengthOf(item.rule); ++dot) {
    if (dot == item.dot) out += " .";
    if (dot < grammar.LengthOf(item.rule))
      out += " " + grammar.SymbolName(grammar.SymbolAt(item.rule, dot));
  }
  return out;
}

std::string HeadText(const Grammar& grammar, RuleId rule, std::string augmented) {
  return rule == grammar.augmented() ? augmented
                                     : grammar.SymbolName(grammar.rules[rule.value].head);
}
}  // namespace

// Builds in four passes: LR(0) states, nonterminal transitions, their Follow sets, actions. Where
// LR(1) resolves a conflict, the last three run once more, on split states. Packed at last.
class LrTableBuilder {
 public:
  explicit LrTableBuilder(const Grammar& grammar)
      : grammar_(grammar),
        max_states_(std::min(kMaxStates, kMaxCells / grammar.symbol_count())),
        words_(WordsFor(grammar.lr_terminals.size() + 1)) {
    rules_of_.resize(grammar.symbol_count());
    for (uint32_t r = 0; r < grammar.rules.size(); ++r)
      rules_of_[grammar.rules[r].head.value].push_back(RuleId{r});
    table_.lr_terminals_ = grammar.lr_terminals.size();
    table_.symbols_ = grammar.symbol_count();
  }

  tl::expected<LrTable, GrammarError> Build() {
    if (auto ok = BuildStates(); !ok) return tl::unexpected(ok.error());
    if (auto ok = BuildChanges(); !ok) return tl::unexpected(ok.error());
    if (!FillTable()) return tl::unexpected(TooManyLists());
    if (table_.conflicts_.empty() || FallsBack()) return Packed();
    auto split = SplitStates(grammar_, {table_.items_, table_.kernel_sizes_, goto_},
                             table_.conflicts_, max_states_);
    if (!split) return Packed();
    table_.items_ = std::move(split->items);
    table_.kernel_sizes_ = std::move(split->kernel_sizes);
    goto_ = std::move(split->go_to);
    ForgetActions();
    if (auto ok = BuildChanges(); !ok) return tl::unexpected(ok.error());
    if (!FillTable()) return tl::unexpected(TooManyLists());
    JoinConflicts();
    return Packed();
  }

 private:
  // False: the numbers of lists of actions do not suffice.
  bool FillTable() {
    CollectTransitions();
    ComputeFollow();
    FillActions();
    return table_.single_actions_ + table_.several_.size() <= kMaxActionLists;
  }

  GrammarError TooMany(std::string_view what, size_t most) const {
    return {GrammarErrorCode::kTooLarge, grammar_.path, 0, 0,
            fmt::format("the parser would need more than {} {}; split the grammar, or large "
                        "optional groups",
                        most, what)};
  }
  GrammarError TooManyLists() const { return TooMany("kinds of actions", kMaxActionLists); }

  LrStateId Goto(LrStateId state, SymbolId symbol) const {
    return goto_[state.value * table_.symbols_ + symbol.value];
  }

  void PackGoto() {
    std::vector<SparseRows::Row> rows(table_.items_.size());
    for (size_t s = 0; s < rows.size(); ++s) {
      for (size_t x = 0; x < table_.symbols_; ++x) {
        const LrStateId to = goto_[s * table_.symbols_ + x];
        if (to != kNoLrState) rows[s].emplace_back(static_cast<uint16_t>(x), to.value);
      }
    }
    table_.goto_ = SparseRows::Of(rows, table_.symbols_, kNoLrState.value);
  }

  LrTable Packed() {
    if (table_.goto_.row_count() == 0) PackGoto();
    table_.cells_ = SparseRows::Of(lists_, table_.lr_terminals_ + 1, 0);
    return std::move(table_);
  }

  // Where a keyword is read as a name depends on its LALR(1) cells, so such a table is not split.
  bool FallsBack() const {
    return std::any_of(grammar_.lr_terminals.begin(), grammar_.lr_terminals.end(),
                       [](const LrTerminal& c) { return c.reads_as.has_value(); });
  }

  void ForgetActions() {
    transitions_.clear();
    follow_.clear();
    lookback_.clear();
    table_.actions_.clear();
    table_.several_.clear();
    table_.changes_.clear();
    table_.ends_part_.clear();
    table_.conflicts_.clear();
  }

  // A conflict of several copies of a state is listed once, with the most actions.
  void JoinConflicts() {
    std::map<std::pair<std::vector<LrItem>, SymbolId>, LrConflict> known;
    for (LrConflict& conflict : table_.conflicts_) {
      const std::vector<LrItem>& items = table_.items_[conflict.state.value];
      const auto kernel = items.begin() + table_.kernel_sizes_[conflict.state.value];
      const auto [at, fresh] =
          known.try_emplace({{items.begin(), kernel}, conflict.terminal}, conflict);
      if (!fresh && conflict.actions.size() > at->second.actions.size())
        at->second = std::move(conflict);
    }
    table_.conflicts_.clear();
    for (auto& [place, conflict] : known) table_.conflicts_.push_back(std::move(conflict));
    std::sort(table_.conflicts_.begin(), table_.conflicts_.end(),
              [](const LrConflict& a, const LrConflict& b) {
                return std::pair(a.state, a.terminal) < std::pair(b.state, b.terminal);
              });
  }

  std::vector<LrItem> Closure(const std::vector<LrItem>& kernel) const {
    std::vector<LrItem> items = kernel;
    std::vector<bool> added(grammar_.symbol_count());
    for (size_t i = 0; i < items.size(); ++i) {
      if (items[i].dot == grammar_.LengthOf(items[i].rule)) continue;
      SymbolId next = grammar_.SymbolAt(items[i].rule, items[i].dot);
      if (grammar_.IsLrTerminal(next) || added[next.value]) continue;
      added[next.value] = true;
      for (RuleId rule : rules_of_[next.value]) items.push_back({rule, 0});
    }
    return items;
  }

  tl::expected<void, GrammarError> BuildStates() {
    std::map<std::vector<LrItem>, uint16_t> ids;
    std::vector<std::vector<LrItem>> kernels{{{grammar_.augmented(), 0}}};
    ids[kernels[0]] = 0;
    size_t item_count = 0;
    for (size_t s = 0; s < kernels.size(); ++s) {
      std::vector<LrItem> items = Closure(kernels[s]);
      item_count += items.size();
      if (items.size() > kMaxStateItems)
        return tl::unexpected(TooMany("items of rules in a state", kMaxStateItems));
      if (item_count > kMaxItems) return tl::unexpected(TooMany("items of rules", kMaxItems));
      table_.kernel_sizes_.push_back(static_cast<uint16_t>(kernels[s].size()));
      goto_.resize((s + 1) * table_.symbols_, kNoLrState);
      std::map<uint16_t, std::vector<LrItem>> successors;
      for (const LrItem& item : items) {
        if (item.dot < grammar_.LengthOf(item.rule)) {
          successors[grammar_.SymbolAt(item.rule, item.dot).value].push_back(
              {item.rule, static_cast<uint16_t>(item.dot + 1)});
        }
      }
      table_.items_.push_back(std::move(items));
      for (auto& [symbol, kernel] : successors) {
        std::sort(kernel.begin(), kernel.end());
        auto [at, fresh] = ids.try_emplace(kernel, static_cast<uint16_t>(kernels.size()));
        if (fresh) kernels.push_back(kernel);
        if (kernels.size() > max_states_) return tl::unexpected(TooMany("states", max_states_));
        goto_[s * table_.symbols_ + symbol] = LrStateId{at->second};
      }
    }
    return {};
  }

  // Kernel items before a terminal, or complete ones, do not decide the context.
  tl::expected<void, GrammarError> BuildChanges() {
    auto next_of = [&](const LrItem& item) -> std::optional<SymbolId> {
      if (item.dot == grammar_.LengthOf(item.rule) ||
          grammar_.IsLrTerminal(grammar_.SymbolAt(item.rule, item.dot)))
        return std::nullopt;
      return grammar_.SymbolAt(item.rule, item.dot);
    };
    for (size_t s = 0; s < table_.items_.size(); ++s) {
      std::span<const LrItem> items = table_.items_[s];
      std::optional<std::pair<ContextChange, LrItem>> known;
      for (size_t k = 0; k < items.size(); ++k) {
        const bool kernel = k < table_.kernel_sizes_[s];
        const std::optional<SymbolId> next = next_of(items[k]);
        if (!next) continue;
        const ContextChange change = grammar_.ChangeOf(*next);
        if (!kernel && change.empty()) continue;
        if (!kernel || (known && !(known->first == change)))
          return tl::unexpected(
              UnclearContext(items[k], known ? std::optional(known->second) : std::nullopt));
        known = {change, items[k]};
      }
      table_.changes_.push_back(known ? known->first : ContextChange{});
      const LrItem& first = items[0];
      table_.ends_part_.push_back(
          first.dot > 0 &&
          !grammar_.ChangeOf(grammar_.SymbolAt(first.rule, first.dot - 1u)).empty());
    }
    return {};
  }

  GrammarError UnclearContext(const LrItem& item, std::optional<LrItem> other) const {
    return GrammarError{
        GrammarErrorCode::kMechanism, grammar_.path, 0, 0,
        fmt::format(
            "the parser cannot tell whether the context changes at the '.' of '{}'{}; a '#+' or "
            "'#-' stands behind something that sets its part apart, a keyword or a ':', in every "
            "rule that begins alike",
            ItemText(grammar_, item),
            other ? fmt::format(" or not, in '{}'", ItemText(grammar_, *other)) : std::string())};
  }

  // Nonterminal transitions (p, A), and DR(p, A): the LR terminals that can be shifted after it.
  void CollectTransitions() {
    size_t states = table_.items_.size();
    transition_of_.assign(states * table_.symbols_, -1);
    for (size_t p = 0; p < states; ++p) {
      for (size_t a = grammar_.lr_terminals.size(); a < table_.symbols_; ++a) {
        LrStateId to = goto_[p * table_.symbols_ + a];
        if (to == kNoLrState) continue;
        transition_of_[p * table_.symbols_ + a] = static_cast<int>(transitions_.size());
        transitions_.push_back(
            {LrStateId{static_cast<uint16_t>(p)}, SymbolId{static_cast<uint16_t>(a)}});
        Bits follow(words_);
        for (size_t c = 0; c < grammar_.lr_terminals.size(); ++c) {
          if (goto_[to.value * table_.symbols_ + c] != kNoLrState) SetBit(follow, c);
        }
        if (p == 0 && SymbolId{static_cast<uint16_t>(a)} == grammar_.start)
          SetBit(follow, table_.lr_terminals_);
        follow_.push_back(std::move(follow));
      }
    }
  }

  // Follow(p, A) also holds Follow(p', B) where B -> beta A and p' --beta--> p ("includes"): a work
  // list to the fixpoint.
  void ComputeFollow() {
    std::vector<std::vector<int>> included_by(transitions_.size());  // [(p', B)] -> all (p, A)
    for (size_t t = 0; t < transitions_.size(); ++t) {
      auto [p, head] = transitions_[t];
      for (RuleId rule : rules_of_[head.value]) {
        LrStateId at = p;
        size_t n = grammar_.LengthOf(rule);
        for (size_t i = 0; i + 1 < n; ++i) at = Goto(at, grammar_.SymbolAt(rule, i));
        SymbolId last = grammar_.SymbolAt(rule, n - 1);
        if (!grammar_.IsLrTerminal(last)) {
          included_by[t].push_back(transition_of_[at.value * table_.symbols_ + last.value]);
        }
        lookback_.push_back({Goto(at, last), rule, static_cast<int>(t)});
      }
    }
    std::vector<int> work(transitions_.size());
    std::vector<bool> queued(transitions_.size(), true);
    for (size_t t = 0; t < work.size(); ++t) work[t] = static_cast<int>(t);
    while (!work.empty()) {
      int from = work.back();
      work.pop_back();
      queued[from] = false;
      for (int to : included_by[from]) {
        if (MergeBits(follow_[to], follow_[from]) && !queued[to]) {
          queued[to] = true;
          work.push_back(to);
        }
      }
    }
  }

  void FillActions() {
    size_t lr_terminals = grammar_.lr_terminals.size();
    std::vector<std::vector<LrAction>> cells(table_.items_.size() * (lr_terminals + 1));
    for (size_t s = 0; s < table_.items_.size(); ++s) {
      for (size_t c = 0; c < lr_terminals; ++c) {
        LrStateId to = goto_[s * table_.symbols_ + c];
        if (to != kNoLrState)
          cells[s * (lr_terminals + 1) + c].push_back({LrAction::Kind::kShift, to.value});
      }
    }
    boost::unordered_flat_map<uint64_t, Bits> reduced;  // (state, rule) -> its look-aheads
    for (const auto& [state, rule, transition] : lookback_) {
      const LrAction action{LrAction::Kind::kReduce, rule.value};
      Bits& before =
          reduced.try_emplace(uint64_t{state.value} << 32 | rule.value, words_).first->second;
      for (size_t w = 0; w < words_; ++w) {
        uint64_t left = follow_[transition][w] & ~before[w];
        before[w] |= left;
        for (; left != 0; left &= left - 1)
          cells[state.value * (lr_terminals + 1) + w * 64 +
                static_cast<size_t>(std::countr_zero(left))]
              .push_back(action);
      }
    }
    LrStateId accepting = Goto(kStartLrState, grammar_.start);
    cells[accepting.value * (lr_terminals + 1) + lr_terminals].push_back(
        {LrAction::Kind::kAccept, 0});
    if (FallsBack()) {
      PackGoto();
      table_.unsure_ = FillFallbacks(grammar_, table_, cells);
    }
    ListActions(cells);
  }

  // Gives each list of actions a number: first those of one action, then the others.
  void ListActions(const LrCells& cells) {
    const size_t columns = grammar_.lr_terminals.size() + 1;
    boost::unordered_flat_map<uint64_t, uint16_t> single;  // most cells have one action
    std::map<std::vector<LrAction>, uint16_t> several;
    table_.actions_.push_back({LrAction::Kind::kAccept, 0});  // of the empty list: never read
    for (const std::vector<LrAction>& cell : cells) {
      if (cell.size() != 1) continue;
      const auto next = static_cast<uint16_t>(table_.actions_.size());
      if (single.try_emplace(KeyOf(cell[0]), next).second) table_.actions_.push_back(cell[0]);
    }
    table_.single_actions_ = table_.actions_.size();
    lists_.assign(table_.items_.size(), {});
    for (size_t i = 0; i < cells.size(); ++i) {
      const std::vector<LrAction>& cell = cells[i];
      if (cell.empty()) continue;
      const LrStateId state{static_cast<uint16_t>(i / columns)};
      const SymbolId lr_terminal{static_cast<uint16_t>(i % columns)};
      const auto next = static_cast<uint16_t>(table_.single_actions_ + table_.several_.size());
      const uint16_t list = cell.size() == 1 ? single.at(KeyOf(cell[0]))
                                             : several.try_emplace(cell, next).first->second;
      lists_[state.value].emplace_back(lr_terminal.value, list);
      if (cell.size() == 1) continue;
      if (list == next) {
        table_.several_.push_back(
            {static_cast<uint32_t>(table_.actions_.size()), static_cast<uint32_t>(cell.size())});
        table_.actions_.insert(table_.actions_.end(), cell.begin(), cell.end());
      }
      const bool copied =
          lr_terminal != table_.end_terminal() && grammar_.lr_terminals[lr_terminal.value].reads_as;
      if (!copied) table_.conflicts_.push_back({state, lr_terminal, cell});
    }
  }

  static uint64_t KeyOf(const LrAction& action) {
    return uint64_t{action.target} << 8 | static_cast<uint8_t>(action.kind);
  }

  struct Transition {
    LrStateId from;
    SymbolId nonterminal;
  };
  struct Lookback {
    LrStateId state;  // where the rule is complete
    RuleId rule;
    int transition;  // its head's transition
  };

  const Grammar& grammar_;
  const size_t max_states_;
  const size_t words_;
  LrTable table_;
  std::vector<LrStateId> goto_;                // [state][symbol]
  std::vector<SparseRows::Row> lists_;         // [state] (LR terminal, list of actions)
  std::vector<std::vector<RuleId>> rules_of_;  // [symbol]
  std::vector<Transition> transitions_;
  std::vector<int> transition_of_;  // [state][symbol] index into transitions_, -1: none
  std::vector<Bits> follow_;        // [transition] LR terminals and, last, the end of the text
  std::vector<Lookback> lookback_;
};

tl::expected<LrTable, GrammarError> LrTable::Build(const Grammar& grammar) {
  return LrTableBuilder(grammar).Build();
}

std::string ItemText(const Grammar& grammar, const LrItem& item) {
  return HeadText(grammar, item.rule, "the whole text") + ":" + BodyText(grammar, item);
}

std::string LrTable::Dump(const Grammar& grammar) const {
  std::string out;
  for (size_t s = 0; s < items_.size(); ++s) {
    out += fmt::format("state {}\n", s);
    for (size_t i = 0; i < kernel_sizes_[s]; ++i) {
      const LrItem& item = items_[s][i];
      out +=
          fmt::format("  {} ->{}\n", HeadText(grammar, item.rule, "S'"), BodyText(grammar, item));
    }
  }
  for (const LrConflict& conflict : conflicts_) {
    out += fmt::format("conflict in state {} on {}: {} actions\n", conflict.state.value,
                       conflict.terminal.value == lr_terminals_
                           ? "the end"
                           : grammar.SymbolName(conflict.terminal),
                       conflict.actions.size());
  }
  return out;
}

}  // namespace tenon::constraint
