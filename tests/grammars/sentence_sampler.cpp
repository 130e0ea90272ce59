#include "tests/grammars/sentence_sampler.h"

#include <algorithm>
#include <limits>

namespace tenon::grammars {

using constraint::Grammar;
using constraint::SymbolId;

namespace {

constexpr size_t kUnknown = std::numeric_limits<size_t>::max() / 4;

size_t Yield(const Grammar& grammar, const constraint::Rule& rule, const std::vector<size_t>& shortest) {
  size_t sum = 1;  // so that a shortest rule is never part of a cycle of unit rules
  for (SymbolId s : rule.body) sum += grammar.IsColumn(s) ? 1 : shortest[s.value - grammar.columns.size()];
  return std::min(sum, kUnknown);
}

}  // namespace

SentenceSampler::SentenceSampler(const Grammar& grammar, uint32_t seed)
    : grammar_(grammar), random_(seed), rules_of_(grammar.nonterminals.size()), uses_(grammar.rules.size()) {
  std::vector<size_t> shortest(grammar.nonterminals.size(), kUnknown);
  for (bool changed = true; changed;) {
    changed = false;
    for (const constraint::Rule& rule : grammar.rules) {
      size_t& best = shortest[rule.head.value - grammar.columns.size()];
      const size_t yield = Yield(grammar, rule, shortest);
      if (yield < best) best = yield, changed = true;
    }
  }
  for (uint32_t r = 0; r < grammar.rules.size(); ++r) {
    rules_of_[grammar.rules[r].head.value - grammar.columns.size()].push_back(r);
  }
  for (auto& rules : rules_of_) {
    std::stable_sort(rules.begin(), rules.end(), [&](uint32_t a, uint32_t b) {
      return Yield(grammar, grammar.rules[a], shortest) < Yield(grammar, grammar.rules[b], shortest);
    });
  }
}

std::vector<SymbolId> SentenceSampler::Next(size_t soft_limit) {
  std::vector<SymbolId> sentence;
  Derive(grammar_.start, soft_limit, sentence);
  return sentence;
}

void SentenceSampler::Derive(SymbolId symbol, size_t soft_limit, std::vector<SymbolId>& out) {
  if (grammar_.IsColumn(symbol)) return out.push_back(symbol);
  const std::vector<uint32_t>& rules = rules_of_[symbol.value - grammar_.columns.size()];
  uint32_t rule = rules[0];
  if (out.size() < soft_limit) {
    rule = rules[random_() % rules.size()];
    // Of two draws the one used less often: rare rules catch up.
    const uint32_t other = rules[random_() % rules.size()];
    if (uses_[other] < uses_[rule]) rule = other;
  }
  ++uses_[rule];
  for (SymbolId part : grammar_.rules[rule].body) Derive(part, soft_limit, out);
}

}  // namespace tenon::grammars
