// The cheapest text of every symbol: its least number of bytes, and the rule that gives it.
//
// Example: statement: "return" expression | NAME "(" ")". With a name of one byte the second rule
// gives `a ( ) `, 6 bytes with separators; the first one `return a `, 9. So the cheapest statement
// is the call. After `return |` W owes an expression, and its cost is that of `a `.
//
// Definition. The cost of an LR terminal is the length of its terminal's spelling plus one
// separator; the layout's own terminals cost a line end or an indentation. The cost of a rule is
// the sum over its symbols, the cost of a nonterminal that of its cheapest rule. A symbol without
// emitted text costs kNoYield: W must be finite.
//
// With `%terminator` the meaning of a line end after a text hangs on its last terminal
// (lexical_context/line_ends.h). So each symbol has two more costs: of its cheapest text whose last
// terminal lets a line end be the terminator, and of the cheapest one whose last terminal does not.
// Example in Go: `x` is the cheapest element of a list. Before a `}` on the next line the list
// needs a text that goes on, `x,`.
//
// Source: Knuth, A generalization of Dijkstra's algorithm, IPL 1977. Cost: rounds over the rules to
// the fixpoint, once a language. Thread rule: immutable after construction.
#pragma once

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"
#include "constraint/lexical_context/lexical_context.h"

namespace tenon::constraint {

inline constexpr uint32_t kNoYield = 0x3fffffff;

// What a line end after a text means, by the text's last terminal.
enum class LastTerminal : uint8_t {
  kAny,         // of no matter
  kGoesOn,      // a line end is a blank
  kEndsPhrase,  // a line end is the terminator; only with `%terminator`
};

class Yields {
 public:
  // `emit` off: every LR terminal may be written; every symbol has a text, because the grammar is
  // reduced. `seals`: the seam rule holds, which is one about emitted text.
  Yields(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout, bool emit,
         bool seals);

  uint32_t cost(SymbolId symbol) const { return Of(LastTerminal::kAny).cost[symbol.value]; }
  // The cost of body symbols [begin, end) of `rule`. kNoYield or more where one of them has no
  // text, or where they push a sealed mode and do not pop it (the seam rule). `last`: of the text's
  // last terminal; a text without terminals has no other cost for it.
  uint32_t Between(RuleId rule, size_t begin, size_t end,
                   LastTerminal last = LastTerminal::kAny) const;
  bool Productive(RuleId rule, size_t begin, size_t end) const {
    return begin >= end || Between(rule, begin, end) < kNoYield;
  }
  // Appends the LR terminals of the cheapest text of `symbol` that ends so. REQUIRES: it has one.
  void Append(SymbolId symbol, std::vector<SymbolId>& lr_terminals,
              LastTerminal last = LastTerminal::kAny) const;

 private:
  struct Cheapest {
    std::vector<uint32_t> cost;  // [SymbolId]
    std::vector<RuleId> rule;    // [SymbolId], nonterminals only
  };
  void SetTerminalCosts(const Lexer& lexer, const LayoutRules& layout, bool emit);
  void FindCheapestRules(LastTerminal last);
  const Cheapest& Of(LastTerminal last) const { return cheapest_[static_cast<size_t>(last)]; }

  const Grammar& grammar_;
  std::array<Cheapest, 3> cheapest_;  // [LastTerminal]; of the last two only with `%terminator`
  // [RuleId][i] cost of the first i body symbols, saturating; the last row: the augmented rule.
  std::vector<std::vector<uint32_t>> prefix_;
  // [RuleId] body indices of an opener and its closer.
  std::vector<std::vector<std::pair<uint16_t, uint16_t>>> sealed_;
  // [RuleId][i] how many of the first i body symbols have no text.
  std::vector<std::vector<uint16_t>> missing_;
};

}  // namespace tenon::constraint
