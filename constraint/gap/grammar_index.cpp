#include "constraint/gap/grammar_index.h"

namespace tenon::constraint {

namespace {

void Set(GrammarIndex::Bits& bits, size_t i) { bits[i / 64] |= uint64_t{1} << i % 64; }

bool Merge(GrammarIndex::Bits& into, const GrammarIndex::Bits& from) {
  bool changed = false;
  for (size_t w = 0; w < into.size(); ++w) {
    uint64_t merged = into[w] | from[w];
    changed |= merged != into[w];
    into[w] = merged;
  }
  return changed;
}

}  // namespace

GrammarIndex::GrammarIndex(const Grammar& grammar) : grammar_(grammar), words_((grammar.columns.size() + 1 + 63) / 64) {
  size_t symbols = grammar.symbol_count();
  first_.assign(symbols, Bits(words_));
  follow_.assign(symbols, Bits(words_));
  rules_of_.resize(symbols);
  behind_.resize(symbols);
  for (uint32_t r = 0; r < grammar.rules.size(); ++r) {
    const Rule& rule = grammar.rules[r];
    rules_of_[rule.head.value].push_back(RuleId{r});
    for (size_t i = 0; i < rule.body.size(); ++i) {
      behind_[rule.body[i].value].push_back({RuleId{r}, static_cast<uint16_t>(i + 1)});
    }
  }
  behind_[grammar.start.value].push_back({augmented(), 1});
  for (size_t c = 0; c < grammar.columns.size(); ++c) Set(first_[c], c);
  Set(follow_[grammar.start.value], grammar.columns.size());
  for (bool changed = true; changed;) {
    changed = false;
    for (const Rule& rule : grammar.rules) {
      changed |= Merge(first_[rule.head.value], first_[rule.body[0].value]);
      for (size_t i = 0; i < rule.body.size(); ++i) {
        if (grammar.IsColumn(rule.body[i])) continue;
        bool last = i + 1 == rule.body.size();
        changed |= Merge(follow_[rule.body[i].value], last ? follow_[rule.head.value] : first_[rule.body[i + 1].value]);
      }
    }
  }
}

}  // namespace tenon::constraint
