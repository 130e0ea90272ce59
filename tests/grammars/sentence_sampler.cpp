#include "tests/grammars/sentence_sampler.h"

#include <algorithm>
#include <limits>

namespace tenon::grammars {

using constraint::Rule;
using constraint::SymbolId;

SentenceSampler::SentenceSampler(const constraint::Grammar& grammar, uint32_t seed)
    : grammar_(grammar),
      random_(seed),
      rules_of_(grammar.nonterminals.size()),
      ways_(grammar.nonterminals.size()) {
  FindShortestYields();
  FindWays();
}

void SentenceSampler::FindShortestYields() {
  constexpr size_t kUnknown = std::numeric_limits<size_t>::max() / 4;
  std::vector<size_t> shortest(grammar_.nonterminals.size(), kUnknown);
  // A rule counts one itself, so that a shortest one is never part of a cycle of unit rules.
  auto yield = [&](uint32_t r) {
    size_t sum = 1;
    for (SymbolId s : grammar_.rules[r].body)
      sum += grammar_.IsLrTerminal(s) ? 1 : shortest[Index(s)];
    return std::min(sum, kUnknown);
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t r = 0; r < grammar_.rules.size(); ++r) {
      size_t& best = shortest[Index(grammar_.rules[r].head)];
      if (yield(r) >= best) continue;
      best = yield(r);
      changed = true;
    }
  }
  for (uint32_t r = 0; r < grammar_.rules.size(); ++r)
    rules_of_[Index(grammar_.rules[r].head)].push_back(r);
  for (auto& rules : rules_of_) {
    std::stable_sort(rules.begin(), rules.end(),
                     [&](uint32_t a, uint32_t b) { return yield(a) < yield(b); });
  }
}

void SentenceSampler::FindWays() {
  std::vector<SymbolId> front{grammar_.start};
  ways_[Index(grammar_.start)].length = 1;
  for (size_t i = 0; i < front.size(); ++i) {
    for (uint32_t r : rules_of_[Index(front[i])]) {
      const Rule& rule = grammar_.rules[r];
      for (size_t at = 0; at < rule.body.size(); ++at) {
        const SymbolId part = rule.body[at];
        if (grammar_.IsLrTerminal(part) || ways_[Index(part)].length > 0) continue;
        ways_[Index(part)] = {r, at, ways_[Index(front[i])].length + 1};
        front.push_back(part);
      }
    }
  }
}

std::vector<SymbolId> SentenceSampler::Through(uint32_t rule, size_t soft_limit) {
  std::vector<SymbolId> middle;
  used_.assign(1, rule);
  for (SymbolId part : grammar_.rules[rule].body) Derive(part, soft_limit, middle);
  for (SymbolId head = grammar_.rules[rule].head; head != grammar_.start;) {
    const Way& way = ways_[Index(head)];
    const Rule& above = grammar_.rules[way.rule];
    used_.push_back(way.rule);
    std::vector<SymbolId> wider;
    for (size_t at = 0; at < above.body.size(); ++at) {
      if (at == way.at) {
        wider.insert(wider.end(), middle.begin(), middle.end());
      } else {
        Derive(above.body[at], wider.size() + 3, wider);
      }
    }
    middle = std::move(wider);
    head = above.head;
  }
  return middle;
}

void SentenceSampler::Derive(SymbolId symbol, size_t soft_limit, std::vector<SymbolId>& out) {
  if (grammar_.IsLrTerminal(symbol)) return out.push_back(symbol);
  const std::vector<uint32_t>& rules = rules_of_[Index(symbol)];
  const uint32_t rule = out.size() < soft_limit ? rules[random_() % rules.size()] : rules[0];
  used_.push_back(rule);
  for (SymbolId part : grammar_.rules[rule].body) Derive(part, soft_limit, out);
}

}  // namespace tenon::grammars
