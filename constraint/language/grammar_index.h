// Facts about a grammar that every gap needs: FIRST, FOLLOW, occurrences of symbols, left corners,
// lists, and numbers for items.
//
// Example: call: NAME "(" args ")"   args: args "," NAME | NAME
//
//   FIRST(call) = {NAME}        LR terminals that a text of the symbol can begin with
//   FOLLOW(args) = {")", ","}   LR terminals, or the end, that can come after it
//   ItemsAfter(args)            items whose dot is after args: call -> NAME "(" args . ")" and
//                               args -> args . "," NAME
//   left corners of args        {args}: the nonterminals B with args =>* B w, args included
//   IsList(args)                true
//
// Definition. A is a *list* if it has a rule A -> A t, no other left corner of A has A as its own
// left corner, and no element t expects A again. In e -> e "+" e the element expects e: no list.
//
// The grammar is epsilon-free, so FIRST of a rule is FIRST of its first symbol. The items of a rule
// have consecutive numbers, so the item after d's next symbol is d + 1.
//
// Source: Aho, Lam, Sethi, Ullman, Compilers (2006), section 4.4.2. Cost: once a language, 0.1 ms
// for Python. Thread rule: immutable after construction; grammar and table must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "constraint/base/base.h"
#include "constraint/lr/lr.h"

namespace tenon::constraint {

// An item by number.
struct DottedId {
  uint32_t value = 0;
  auto operator<=>(const DottedId&) const = default;
};

class GrammarIndex {
 public:
  static constexpr SymbolId kComplete{0xffff};
  GrammarIndex(const Grammar& grammar, const LrTable& table);

  const Grammar& grammar() const { return grammar_; }
  RuleId augmented() const { return grammar_.augmented(); }
  size_t Length(RuleId rule) const { return grammar_.LengthOf(rule); }
  SymbolId Body(RuleId rule, size_t i) const { return grammar_.SymbolAt(rule, i); }
  SymbolId Head(RuleId rule) const {
    return rule == augmented() ? SymbolId{0xffff} : grammar_.rules[rule.value].head;
  }
  // Sets of LR terminals and, last, the end of the text.
  const Bits& First(SymbolId s) const { return first_[s.value]; }
  const Bits& Follow(SymbolId nonterminal) const { return follow_[nonterminal.value]; }
  std::span<const RuleId> RulesOf(SymbolId nonterminal) const {
    return rules_of_[nonterminal.value];
  }
  // Can the item advance over `symbol`? Over its next symbol, and over a fallback that is always
  // read as that symbol.
  bool Scans(DottedId d, SymbolId symbol) const {
    if (dotted(d).next == symbol) return true;
    if (fallbacks_.empty() || !grammar_.IsLrTerminal(symbol) ||
        grammar_.lr_terminals[symbol.value].reads_as != dotted(d).next)
      return false;
    return table_.AlwaysReads({dotted(d).rule, dotted(d).dot}, symbol);
  }
  bool has_fallbacks() const { return !fallbacks_.empty(); }
  // Can it advance over some LR terminal of `label`? `label` is ascending.
  bool ScansAny(DottedId d, std::span<const SymbolId> label) const;
  // Items whose dot is after `symbol`. Of a fallback: the items that always read it.
  std::span<const LrItem> ItemsAfter(SymbolId symbol) const { return items_after_[symbol.value]; }
  // Of those, the items whose dot is after the first symbol, the augmented rule's apart.
  struct Begun {
    DottedId item;
    uint32_t head = 0;  // NonterminalIndex of the rule's head
  };
  std::span<const Begun> Begins(SymbolId symbol) const { return begins_[symbol.value]; }
  // Inner items, whose dot is neither first nor last, with this next symbol; ascending.
  std::span<const DottedId> InnerBefore(SymbolId symbol) const {
    return inner_before_[symbol.value];
  }
  // For each item of a state: the index at which the closure items of its next symbol begin, in the
  // order of RulesOf; kNoItem where the next symbol is an LR terminal or the item is complete.
  static constexpr uint16_t kNoItem = 0xffff;
  std::span<const uint16_t> ExpandedAt(LrStateId state) const {
    return std::span(expanded_at_).subspan(state_begin_[state.value], table_.items(state).size());
  }
  size_t words() const { return words_; }

  struct Dotted {
    RuleId rule;
    uint16_t dot = 0;
    SymbolId next;  // kComplete after the last symbol
  };
  const Dotted& dotted(DottedId id) const { return dotted_[id.value]; }
  DottedId DottedOf(RuleId rule, size_t dot) const {
    return DottedId{dotted_begin_[rule.value] + static_cast<uint32_t>(dot)};
  }
  // A set of nonterminals, by NonterminalIndex.
  const Bits& LeftCorners(SymbolId nonterminal) const {
    return left_corners_[NonterminalIndex(nonterminal)];
  }
  size_t NonterminalIndex(SymbolId nonterminal) const {
    return nonterminal.value - grammar_.lr_terminals.size();
  }
  bool IsLeftCorner(SymbolId of, SymbolId nonterminal) const {
    return HasBit(LeftCorners(of), NonterminalIndex(nonterminal));
  }
  bool IsList(SymbolId nonterminal) const { return is_list_[NonterminalIndex(nonterminal)]; }
  // The list with the same texts as the nonterminal: the nonterminal itself, or B where A -> B is
  // its only rule. Where there is no such list, the nonterminal.
  SymbolId ListOf(SymbolId nonterminal) const { return list_of_[NonterminalIndex(nonterminal)]; }
  // The list that is all of a text of the nonterminal where the text begins with it: B where A -> B
  // is a rule of A, and no other rule of A can begin with a B. None: there is no such list.
  std::optional<SymbolId> ListIn(SymbolId nonterminal) const {
    return list_in_[NonterminalIndex(nonterminal)];
  }
  // Is `d` of the form A -> A . t? Such an item continues the nonterminal that has just ended.
  bool IsLeftRecursive(DottedId d) const { return left_recursive_[d.value]; }

 private:
  void NumberItems();
  void FindLeftCorners();
  void FindLists();
  std::optional<SymbolId> FindListIn(SymbolId nonterminal) const;
  void FindExpansions();

  const Grammar& grammar_;
  const LrTable& table_;
  std::vector<SymbolId> fallbacks_;  // LR terminals with reads_as, ascending
  size_t words_;
  std::vector<Bits> first_, follow_;
  std::vector<std::vector<RuleId>> rules_of_;
  std::vector<std::vector<LrItem>> items_after_;
  std::vector<std::vector<Begun>> begins_;
  std::vector<std::vector<DottedId>> inner_before_;  // [symbol]
  std::vector<Dotted> dotted_;                       // [DottedId]
  std::vector<uint32_t> dotted_begin_;               // [RuleId]
  std::vector<bool> left_recursive_;                 // [DottedId]
  std::vector<Bits> left_corners_;                   // [nonterminal]
  std::vector<bool> is_list_;                        // [nonterminal]
  std::vector<SymbolId> list_of_;                    // [nonterminal]
  std::vector<std::optional<SymbolId>> list_in_;     // [nonterminal]
  std::vector<uint16_t> expanded_at_;                // items of all states
  std::vector<uint32_t> state_begin_;                // [LrStateId] into expanded_at_
};

}  // namespace tenon::constraint
