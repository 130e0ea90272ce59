// Unsure tokens: the difference of two masks, by ranks in the order of bytes.
#include "constraint/mask/unsure_tokens.h"

#include <random>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tenon::constraint {
namespace {

TEST(UnsureTokens, AreCountedInEveryRangeOfRanks) {
  std::mt19937 random(20261130);
  std::set<std::string> words;
  while (words.size() < 200) words.insert(std::to_string(random() % 100000));
  const TokenVocabulary vocabulary(std::vector<std::string>(words.rbegin(), words.rend()));
  TokenMask always(vocabulary.size()), ever(vocabulary.size());
  for (uint32_t t = 0; t < vocabulary.size(); ++t) {
    if (random() % 3 != 0) ever.Add(TokenId{t});
    if (ever.Allows(TokenId{t}) && random() % 3 == 0) always.Add(TokenId{t});
  }
  UnsureTokens unsure(vocabulary);
  const UnsureTokens::SetId id = unsure.Of(always, ever);
  const auto is_unsure = [&](uint32_t rank) {
    const TokenId token = vocabulary.sorted()[rank];
    return ever.Allows(token) && !always.Allows(token);
  };
  for (uint32_t begin = 0; begin <= vocabulary.size(); ++begin) {
    size_t count = 0;
    for (uint32_t end = begin; end <= vocabulary.size(); ++end) {
      ASSERT_EQ(unsure.CountIn(id, begin, end), count) << begin << " to " << end;
      if (end < vocabulary.size()) count += is_unsure(end);
    }
    if (begin == 0) {
      EXPECT_EQ(unsure.Count(id), count);
    }
  }
}

TEST(UnsureTokens, EqualSetsHaveEqualIds) {
  const TokenVocabulary vocabulary(std::vector<std::string>{"a", "b", "c"});
  TokenMask none(3), a(3), ab(3), bc(3), all(3);
  for (const uint32_t t : {0u, 1u, 2u}) all.Add(TokenId{t});
  a.Add(TokenId{0});
  ab = a;
  ab.Add(TokenId{1});
  bc.Add(TokenId{1});
  bc.Add(TokenId{2});
  UnsureTokens unsure(vocabulary);
  const UnsureTokens::SetId first = unsure.Of(a, all);
  EXPECT_EQ(unsure.Of(none, bc).value, first.value);
  EXPECT_NE(unsure.Of(ab, all).value, first.value);
  unsure.Forget();
  EXPECT_EQ(unsure.memory_bytes(), 0u);
  EXPECT_EQ(unsure.Count(unsure.Of(none, a)), 1u);
}

}  // namespace
}  // namespace tenon::constraint
