// Random sentences of a grammar: sequences of columns derived from the start rule. Deterministic
// for a seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "constraint/grammar/grammar.h"

namespace tenon::grammars {

class SentenceSampler {
 public:
  SentenceSampler(const constraint::Grammar& grammar, uint32_t seed);

  // A sentence whose derivation uses rule `rule`: a shortest way from the start to its head, the
  // rest at random. A part that has about `soft_limit` columns is finished by shortest rules.
  std::vector<constraint::SymbolId> Through(uint32_t rule, size_t soft_limit);
  // The rules of the last sentence's derivation, a rule as often as it was used.
  const std::vector<uint32_t>& used() const { return used_; }

 private:
  struct Way {  // where a nonterminal stands nearest to the start
    uint32_t rule = 0;
    size_t at = 0;      // position in the rule's body
    size_t length = 0;  // rules from the start; 0: not found yet
  };
  void FindShortestYields();
  void FindWays();
  void Derive(constraint::SymbolId symbol, size_t soft_limit,
              std::vector<constraint::SymbolId>& out);
  size_t Index(constraint::SymbolId nonterminal) const {
    return nonterminal.value - grammar_.lr_terminals.size();
  }

  const constraint::Grammar& grammar_;
  std::mt19937 random_;
  std::vector<std::vector<uint32_t>>
      rules_of_;           // [nonterminal] rules, that of the shortest yield first
  std::vector<Way> ways_;  // [nonterminal]
  std::vector<uint32_t> used_;
};

}  // namespace tenon::grammars
