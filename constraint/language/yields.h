// The cheapest text of every symbol: how many bytes the shortest emitted text of a symbol needs, and which rule gives it.
//
// Cost of a column is the length of its terminal's spelling plus one separator; of the layout's own terminals a line end or an
// indentation. A symbol without emitted text costs kNoYield: what W owes must be finite.
// Source: Knuth, A generalization of Dijkstra's algorithm, IPL 1977. Thread rule: immutable after construction.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "constraint/grammar/grammar.h"
#include "constraint/lex/lex.h"

namespace tenon::constraint {

inline constexpr uint32_t kNoYield = 0x3fffffff;

class Yields {
 public:
  // `emit` off: every column may be written; symbols are productive because the grammar is reduced.
  Yields(const Grammar& grammar, const Lexer& lexer, const LayoutRules& layout, bool emit);

  uint32_t cost(SymbolId symbol) const { return cost_[symbol.value]; }
  // Cost of body symbols [begin, end) of `rule`; kNoYield or more where one of them has none, or where they open what emitted text has
  // to close and does not (the seam rule for what pushes a mode).
  uint32_t Between(RuleId rule, size_t begin, size_t end) const;
  bool Productive(RuleId rule, size_t begin, size_t end) const {
    return begin >= end || Between(rule, begin, end) < kNoYield;
  }
  // Appends the columns of the cheapest text of `symbol`. REQUIRES: cost(symbol) < kNoYield.
  void Append(SymbolId symbol, std::vector<SymbolId>& columns) const;

 private:
  const Grammar& grammar_;
  std::vector<uint32_t> cost_;  // [SymbolId]
  std::vector<RuleId> best_;    // [SymbolId], nonterminals only
  std::vector<std::vector<uint32_t>>
      prefix_;  // [RuleId][i] cost of the first i body symbols, saturating; last: augmented rule
  std::vector<std::vector<std::pair<uint16_t, uint16_t>>> sealed_;  // [RuleId] places of an opener and its closer
  std::vector<std::vector<uint16_t>> missing_;  // [RuleId][i] how many of the first i body symbols have no text
};

}  // namespace tenon::constraint
