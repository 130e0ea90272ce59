// Lists of token ids in tests, where they are written, stored and printed as numbers.
//
// Example: `TokensOf({3, 5})` is {TokenId{3}, TokenId{5}}, `NumbersOf` turns it back, and
// `AllTokens(3)` are the ids 0, 1, 2. Thread rule: pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/token_id.h"

namespace tenon {

[[nodiscard]] inline std::vector<TokenId> TokensOf(const std::vector<uint32_t>& numbers) {
  std::vector<TokenId> tokens;
  for (const uint32_t number : numbers) tokens.push_back({number});
  return tokens;
}

[[nodiscard]] inline std::vector<uint32_t> NumbersOf(std::span<const TokenId> tokens) {
  std::vector<uint32_t> numbers;
  for (const TokenId token : tokens) numbers.push_back(token.value);
  return numbers;
}

[[nodiscard]] inline std::vector<TokenId> AllTokens(size_t n) {
  std::vector<TokenId> tokens;
  for (uint32_t id = 0; id < n; ++id) tokens.push_back({id});
  return tokens;
}

}  // namespace tenon
