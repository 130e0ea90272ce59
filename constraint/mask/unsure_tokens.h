// Unsure tokens: the tokens about which two masks differ, a mask of tokens that surely fit and a
// mask of tokens that may fit. Each unsure token has to be tried.
//
// Example: in JSX, after `<b>text`, the names that are declared decide about tokens like `</b>` and
// `</i`, and about no other. `</b>` fits here and `</i` does not.
//
//   surely fit    `a`, ` {`, `<`, `</`, ...
//   may fit       the same, and `</b>`, `</i`, `</li>`, ...
//   unsure        `</b>`, `</i`, `</li>`, ...
//
// Tokens are tried along the vocabulary's trie. So a set has a bit for each rank of a token in the
// order of bytes, and the tokens below a node of the trie are a range of ranks.
//
// Source: none. Cost: the ranks once, a step for each token; making a set, a step for each of its
// tokens and for each 64 of the vocabulary. Thread rule: one thread at a time.
#pragma once

#include <cstdint>
#include <vector>

#include "constraint/base/base.h"
#include "constraint/mask/token_set.h"
#include "constraint/mask/token_vocabulary.h"

namespace tenon::constraint {

class UnsureTokens {
 public:
  explicit UnsureTokens(const TokenVocabulary& vocabulary) : vocabulary_(vocabulary) {}

  struct SetId {
    uint32_t value = 0;
  };
  // The tokens that `ever` allows and `always` does not. Equal sets have equal ids.
  SetId Of(const TokenMask& always, const TokenMask& ever);
  size_t Count(SetId id) const { return sets_[id.value].count; }
  // How many have a rank from `begin` to before `end`?
  size_t CountIn(SetId id, uint32_t begin, uint32_t end) const;
  void Forget();
  size_t memory_bytes() const { return sets_.size() * ranks_.size() / 8; }

 private:
  struct Set {
    std::vector<uint64_t> ranks;  // a bit for each rank
    size_t count = 0;
  };
  const TokenVocabulary& vocabulary_;
  std::vector<uint32_t> ranks_;  // [TokenId]; made on first use
  std::vector<Set> sets_;
  IdsByHash<uint32_t> ids_;  // of the ranks
};

}  // namespace tenon::constraint
