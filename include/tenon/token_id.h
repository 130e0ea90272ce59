// A token id: the number of an entry of a model's vocabulary.
//
// A model reads and writes lists of token ids and nothing else. Text exists at the two ends only,
// where a tokenizer turns text into ids, and a vocabulary turns ids into bytes.
// Example: with the entries 0 = "a", 1 = "b", 2 = "ab", the text `abb` is the ids {2, 1}.
//
// Ids count from 0, so an id is also an offset: logits[id.value], row id.value of the embedding,
// bit id.value % 64 of word id.value / 64 of a mask. How many tokens there are is a number, no id.
// Thread rule: a value.
#pragma once

#include <compare>
#include <cstdint>

namespace tenon {

struct TokenId {
  uint32_t value = 0;
  auto operator<=>(const TokenId&) const = default;
};

}  // namespace tenon
