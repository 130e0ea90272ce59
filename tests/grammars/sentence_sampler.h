// Random sentences of a grammar: sequences of columns derived from the start rule, the rarest rules first, so that a few hundred
// sentences use every rule. Deterministic for a seed.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "constraint/grammar/grammar.h"

namespace tenon::grammars {

class SentenceSampler {
 public:
  SentenceSampler(const constraint::Grammar& grammar, uint32_t seed);

  // Derives one sentence. After about `soft_limit` columns every nonterminal takes its shortest rule.
  std::vector<constraint::SymbolId> Next(size_t soft_limit);
  // How often each rule was used so far.
  const std::vector<size_t>& rule_uses() const { return uses_; }

 private:
  void Derive(constraint::SymbolId symbol, size_t soft_limit, std::vector<constraint::SymbolId>& out);

  const constraint::Grammar& grammar_;
  std::mt19937 random_;
  std::vector<std::vector<uint32_t>> rules_of_;  // [nonterminal] rule indices, by ascending shortest yield
  std::vector<size_t> uses_;                     // [rule]
};

}  // namespace tenon::grammars
