// Trying tokens one by one, along the trie of the vocabulary's bytes.
//
// Example: of `"ab"`, `"ac"` and `"x"` the bytes `a` are read once; where the gap cannot be closed
// after `a`, neither `"ab"` nor `"ac"` is looked at further.
//
// Cost: a step of the parser for each node of the trie that is visited, and a look at the right
// context where a token in question ends. Thread rule: one thread at a time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "constraint/gap/gap.h"
#include "constraint/mask/token_vocabulary.h"

namespace tenon::constraint {

// wanted(node): how many tokens are in question in the subtree of this node of the vocabulary?
// Where they are several, nothing is looked at after bytes that are not viable. visit(token): it
// fits after `branch`.
template <typename Wanted, typename Visit>
void TryTokens(SharedGap& gap, const TokenVocabulary& vocabulary, const Branch& branch,
               Wanted wanted, Visit visit) {
  // From so many tokens in question on, bytes that are not viable end the search below them.
  constexpr size_t kSeveralTokens = 4;
  Trial trial(gap);
  const std::span<const TokenVocabulary::Node> nodes = vocabulary.nodes();
  std::vector<std::vector<Branch>> at_depth{{branch}};
  for (uint32_t i = 0; i < vocabulary.node_count();) {
    const size_t count = wanted(i);
    if (count == 0) {
      i = nodes[i].end;
      continue;
    }
    at_depth.resize(std::max<size_t>(at_depth.size(), nodes[i].depth + 1u));
    std::vector<Branch>& here = at_depth[nodes[i].depth];
    here = gap.mover().Read(at_depth[nodes[i].depth - 1u], nodes[i].byte, true);
    const bool prune = count > kSeveralTokens;
    const uint32_t own = vocabulary.OwnTokens(i);
    const bool viable = !here.empty() && (prune || own > 0) && gap.AnyViable(here);
    for (uint32_t t = 0; viable && t < own; ++t) visit(vocabulary.sorted()[nodes[i].tokens + t]);
    i = here.empty() || (prune && !viable) ? nodes[i].end : i + 1;
  }
}

}  // namespace tenon::constraint
