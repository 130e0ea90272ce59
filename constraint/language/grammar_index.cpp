#include "constraint/language/grammar_index.h"

#include <algorithm>

namespace tenon::constraint {

GrammarIndex::GrammarIndex(const Grammar& grammar, const LrTable& table)
    : grammar_(grammar), table_(table), words_(WordsFor(grammar.lr_terminals.size() + 1)) {
  size_t symbols = grammar.symbol_count();
  first_.assign(symbols, Bits(words_));
  follow_.assign(symbols, Bits(words_));
  rules_of_.resize(symbols);
  items_after_.resize(symbols);
  for (uint32_t r = 0; r < grammar.rules.size(); ++r) {
    const Rule& rule = grammar.rules[r];
    rules_of_[rule.head.value].push_back(RuleId{r});
    for (size_t i = 0; i < rule.body.size(); ++i) {
      items_after_[rule.body[i].value].push_back({RuleId{r}, static_cast<uint16_t>(i + 1)});
    }
  }
  items_after_[grammar.start.value].push_back({augmented(), 1});
  for (uint16_t c = 0; c < grammar.lr_terminals.size(); ++c) {
    SetBit(first_[c], c);
    if (!grammar.lr_terminals[c].reads_as) continue;
    SymbolId target = *grammar.lr_terminals[c].reads_as;
    fallbacks_.push_back(SymbolId{c});
    // The fixpoint below carries it to every FIRST and FOLLOW with the target.
    SetBit(first_[target.value], c);
    for (const LrItem& item : items_after_[target.value]) {
      if (table.AlwaysReads({item.rule, static_cast<uint16_t>(item.dot - 1)}, SymbolId{c}))
        items_after_[c].push_back(item);
    }
  }
  SetBit(follow_[grammar.start.value], grammar.lr_terminals.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : grammar.rules) {
      changed |= MergeBits(first_[rule.head.value], first_[rule.body[0].value]);
      for (size_t i = 0; i < rule.body.size(); ++i) {
        if (grammar.IsLrTerminal(rule.body[i])) continue;
        bool last = i + 1 == rule.body.size();
        changed |= MergeBits(follow_[rule.body[i].value],
                             last ? follow_[rule.head.value] : first_[rule.body[i + 1].value]);
      }
    }
  }
  NumberItems();
  FindLeftCorners();
  FindExpansions();
}

void GrammarIndex::NumberItems() {
  inner_before_.resize(grammar_.symbol_count());
  for (uint32_t r = 0; r <= grammar_.rules.size(); ++r) {
    RuleId rule{r};
    dotted_begin_.push_back(static_cast<uint32_t>(dotted_.size()));
    for (uint16_t dot = 0; dot <= Length(rule); ++dot) {
      dotted_.push_back({rule, dot, dot < Length(rule) ? Body(rule, dot) : kComplete});
      left_recursive_.push_back(dot == 1 && Body(rule, 0) == Head(rule));
      if (dot > 0 && dot < Length(rule))
        inner_before_[Body(rule, dot).value].push_back(DottedOf(rule, dot));
    }
  }
  begins_.resize(items_after_.size());
  for (size_t symbol = 0; symbol < items_after_.size(); ++symbol) {
    for (const LrItem& item : items_after_[symbol]) {
      if (item.dot != 1 || item.rule == augmented()) continue;
      begins_[symbol].push_back(
          {DottedOf(item.rule, 1), static_cast<uint32_t>(NonterminalIndex(Head(item.rule)))});
    }
  }
}

void GrammarIndex::FindLeftCorners() {
  size_t count = grammar_.nonterminals.size();
  left_corners_.assign(count, Bits(WordsFor(count)));
  for (size_t n = 0; n < count; ++n) SetBit(left_corners_[n], n);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : grammar_.rules) {
      if (grammar_.IsLrTerminal(rule.body[0])) continue;
      changed |= MergeBits(left_corners_[NonterminalIndex(rule.head)],
                           left_corners_[NonterminalIndex(rule.body[0])]);
    }
  }
  FindLists();
}

void GrammarIndex::FindLists() {
  size_t count = grammar_.nonterminals.size();
  std::vector<Bits> elements(count, Bits(WordsFor(count)));  // [list] used in its elements
  is_list_.assign(count, false);
  std::vector<size_t> lists;
  for (const Rule& rule : grammar_.rules) {
    if (rule.body[0] != rule.head) continue;
    size_t n = NonterminalIndex(rule.head);
    if (!is_list_[n]) lists.push_back(n);
    is_list_[n] = true;
    for (size_t i = 1; i < rule.body.size(); ++i) {
      if (!grammar_.IsLrTerminal(rule.body[i])) SetBit(elements[n], NonterminalIndex(rule.body[i]));
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (const size_t n : lists) {
      for (const size_t m : lists) {
        if (HasBit(elements[n], m)) changed |= MergeBits(elements[n], elements[m]);
      }
    }
  }
  for (const size_t n : lists) {
    bool nested = HasBit(elements[n], n);
    for (size_t m = 0; m < count; ++m)
      nested |= m != n && HasBit(left_corners_[n], m) && HasBit(left_corners_[m], n);
    if (nested) is_list_[n] = false;
  }
  for (size_t n = 0; n < count; ++n) {
    SymbolId self{static_cast<uint16_t>(grammar_.lr_terminals.size() + n)};
    std::span<const RuleId> rules = RulesOf(self);
    bool renames =
        rules.size() == 1 && Length(rules[0]) == 1 && !grammar_.IsLrTerminal(Body(rules[0], 0));
    list_of_.push_back(renames && IsList(Body(rules[0], 0)) ? Body(rules[0], 0) : self);
    list_in_.push_back(FindListIn(self));
  }
}

std::optional<SymbolId> GrammarIndex::FindListIn(SymbolId nonterminal) const {
  const auto is_nonterminal = [&](SymbolId s) { return !grammar_.IsLrTerminal(s); };
  for (RuleId rule : RulesOf(nonterminal)) {
    const SymbolId list = Body(rule, 0);
    if (Length(rule) != 1 || !is_nonterminal(list) || list == nonterminal || !IsList(list))
      continue;
    const auto begins =
        std::count_if(RulesOf(nonterminal).begin(), RulesOf(nonterminal).end(), [&](RuleId other) {
          return is_nonterminal(Body(other, 0)) && IsLeftCorner(Body(other, 0), list);
        });
    if (begins == 1) return list;
  }
  return std::nullopt;
}

bool GrammarIndex::ScansAny(DottedId d, std::span<const SymbolId> label) const {
  if (std::binary_search(label.begin(), label.end(), dotted(d).next)) return true;
  return std::any_of(fallbacks_.begin(), fallbacks_.end(), [&](SymbolId f) {
    return std::binary_search(label.begin(), label.end(), f) && Scans(d, f);
  });
}

void GrammarIndex::FindExpansions() {
  std::vector<uint16_t> first(grammar_.symbol_count(), kNoItem);
  for (uint16_t state = 0; state < table_.state_count(); ++state) {
    std::span<const LrItem> items = table_.items(LrStateId{state});
    const size_t kernel = table_.kernel_size(LrStateId{state});
    state_begin_.push_back(static_cast<uint32_t>(expanded_at_.size()));
    for (size_t i = items.size(); i-- > kernel;)
      first[Head(items[i].rule).value] = static_cast<uint16_t>(i);
    for (const LrItem& item : items)
      expanded_at_.push_back(item.dot < Length(item.rule) ? first[Body(item.rule, item.dot).value]
                                                          : kNoItem);
    for (size_t i = kernel; i < items.size(); ++i) first[Head(items[i].rule).value] = kNoItem;
  }
}

}  // namespace tenon::constraint
